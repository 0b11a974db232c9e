import { type DBSchema, unwrap } from "idb";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import type { Preferences } from "#shared/user/schema.ts";

/** The connected server account. Stored in IndexedDB, which pages and content scripts cannot read. */
export interface Account {
  accountId: string;
  name: string;
  email: string;
  token: string;
  /** The server rejects the token: captures are queued until the student connects again. */
  hasEnded: boolean;
}

/** A pairing in progress; the verifier is needed to fetch the token. */
export interface Connecting {
  server: string;
  deviceId: string;
  verifier: string;
  code: string;
  begunAt: number;
  pollMs: number;
}

export interface Notice {
  text: string;
  at: number;
  /** The tab that it is about; other tabs do not show it. */
  tabId?: number;
}

/** A question to research that was not sent yet. */
export interface ResearchDraft {
  text: string;
  at: number;
}

/** The research session that the panel follows. */
export interface FollowedResearch {
  accountId: string;
  sessionId: string;
}

interface Settings {
  server: string;
  connecting: Connecting;
  /** Message about the last gesture. */
  notice: Notice;
  account: Account;
  researchDraft: ResearchDraft;
  followedResearch: FollowedResearch;
  /** Study preferences as last received from the server. */
  studyPreferences: Preferences["flashcards"];
  /** Preferred caption languages, as entered. */
  captionLanguages: string;
}

interface ExtensionSchema extends DBSchema {
  settings: { key: string; value: unknown };
}

export const DEFAULT_SERVER = "http://localhost:3000";

export const openDisk = openDatabase<ExtensionSchema>({
  name: "lamplight-extension",
  steps: [
    (db) => void db.createObjectStore("settings"),
    (_db, transaction) => {
      const settings = unwrap(transaction).objectStore("settings");
      const request = settings.get("choices");
      request.onsuccess = () => {
        if (request.result !== undefined) settings.put(request.result, "studyPreferences");
        settings.delete("choices");
      };
    },
  ],
});

export async function readSetting<K extends keyof Settings>(key: K): Promise<Settings[K] | undefined> {
  return (await (await openDisk()).get("settings", key)) as Settings[K] | undefined;
}

export async function writeSetting<K extends keyof Settings>(key: K, value: Settings[K]): Promise<void> {
  await (await openDisk()).put("settings", value, key);
}

export async function removeSetting(key: keyof Settings): Promise<void> {
  await (await openDisk()).delete("settings", key);
}

export const readServer = async () => (await readSetting("server")) ?? DEFAULT_SERVER;
