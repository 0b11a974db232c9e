import type { DBSchema } from "idb";
import { openOnce } from "#shared/sync/open-once.ts";
import type { Preferences } from "#shared/user/schema.ts";

/** Which Lamplight, and who is connected to it. It lies in IndexedDB, which no page and no content script can read. */
export interface Account {
  accountId: string;
  name: string;
  email: string;
  token: string;
  /** The server no longer takes the token: captures go on into the queue until somebody connects again. */
  hasEnded: boolean;
}

/** A sign-in that is under way: whoever holds the verifier fetches the token. */
export interface Connecting {
  server: string;
  deviceId: string;
  verifier: string;
  code: string;
  begunAt: number;
  pollMs: number;
}

interface Settings {
  server: string;
  connecting: Connecting;
  /** What the last gesture could not do, in words for people. */
  notice: { text: string; at: number };
  account: Account;
  /** How the student studies, as the server told it last. */
  choices: Preferences["flashcards"];
  /** Languages in which captions are wanted, as the student wrote them. */
  captionLanguages: string;
}

interface ExtensionSchema extends DBSchema {
  settings: { key: string; value: unknown };
}

export const DEFAULT_SERVER = "http://localhost:3000";

export const openDisk = openOnce<ExtensionSchema>({
  name: "lamplight-extension",
  steps: [(db) => void db.createObjectStore("settings")],
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
