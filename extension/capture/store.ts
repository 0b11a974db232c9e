import type { DBSchema, IDBPTransaction } from "idb";
import { openOnce } from "#shared/sync/open-once.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import type { CaptureKind, CaptureLocator } from "#shared/capture/schema.ts";
import { tell } from "#extension/app/channel.ts";
import { onDisk } from "#extension/app/full-disk.ts";
import type { ReadVideo } from "./readers/video-shapes.ts";

/** A card that waits for the student's word. */
export interface DraftCard {
  question: string;
  answer: string;
}

/** How far a capture has come. `raw`: kept as it was taken; `draft`: the student decides; `ready`: goes out next. */
export type CaptureState = "raw" | "draft" | "ready" | "sending" | "saved" | "refused";

export interface Capture {
  id: string;
  kind: CaptureKind;
  state: CaptureState;
  /** Whose it is; null until somebody connects. Nothing goes out with another account's token. */
  accountId: string | null;
  address: string;
  title: string;
  author: string | null;
  capturedAt: number;
  locator: CaptureLocator | null;
  card: DraftCard | null;
  /** Why it could not be sent, in words for people. */
  problem: string | null;
  /** What is good to know about what was captured. */
  notice: string | null;
  /** The pages and components that wait in the sync queue for this capture. */
  resources: string[];
  pageId: string | null;
  componentId: string | null;
  /** Files only: the hash of the bytes, once they are here. */
  fileHash?: string;
  /** The browser lets this extension not read from the file's site: the student can allow it. */
  needsAccess?: boolean;
  /** How much of the file the server has, from 0 to 1. */
  sentShare?: number;
  /** Cards are to be made of it once it is there; of these pages, where it has pages. */
  wants?: CardWish;
  /** Pictures only: what is hidden on it; empty for a picture that is kept as it is. */
  regions?: Region[];
  /** Videos only: languages in which it has captions. */
  offered?: ReadVideo["offered"];
  /** Videos only: the language in which they were read. */
  language?: string;
}

export interface CardWish {
  from?: number | undefined;
  to?: number | undefined;
}

/** What was taken, before anything was read out of it. */
export interface Raw {
  /** The selected words, with mathematics as TeX and code between backticks. */
  text?: string;
  /** The whole page; as text where an older version of the extension kept it. */
  html?: Blob | string;
  file?: Blob;
  fileName?: string;
  /** Where the file is fetched from, until it is here. */
  fileAddress?: string;
  video?: ReadVideo;
}

interface CaptureSchema extends DBSchema {
  captures: { key: string; value: Capture; indexes: { state: CaptureState; address: string } };
  raws: { key: string; value: Raw };
}

const open = openOnce<CaptureSchema>({
  name: "lamplight-captures",
  steps: [
    (db) => {
      const captures = db.createObjectStore("captures", { keyPath: "id" });
      captures.createIndex("state", "state");
      captures.createIndex("address", "address");
      db.createObjectStore("raws");
    },
  ],
});

type Step = IDBPTransaction<CaptureSchema, ["captures", "raws"], "readwrite">;

/** One step on disk: there, and not in the system's memory alone, when it resolves; else nothing of it. */
async function write(change: (step: Step) => Promise<unknown>): Promise<void> {
  const step = (await open()).transaction(["captures", "raws"], "readwrite", { durability: "strict" });
  await onDisk(() => Promise.all([change(step), step.done]));
}

/** Only when this resolves is a gesture confirmed. */
export async function keepCapture(capture: Capture, raw: Raw): Promise<void> {
  await write((step) => {
    const puts = [step.objectStore("captures").put(capture), step.objectStore("raws").put(raw, capture.id)];
    // Nothing more comes: the browser need not ask for it before it writes.
    step.commit();
    return Promise.all(puts);
  });
  tell("captures");
}

export const listCaptures = async (): Promise<Capture[]> => (await open()).getAll("captures");
export const readCapture = async (id: string): Promise<Capture | undefined> => (await open()).get("captures", id);

const UNSAVED = ["raw", "draft", "ready", "sending", "refused"] as const satisfies readonly CaptureState[];

/** What has not arrived, and of what has so many of the latest; the latest first. Whatever lies below is not read. */
export async function listLatest(most: number): Promise<Capture[]> {
  const { store } = (await open()).transaction("captures");
  const byState = store.index("state");
  const [unsaved, newest] = await Promise.all([
    Promise.all(UNSAVED.map((state) => byState.getAll(state))),
    byState.openKeyCursor("saved", "prev"),
  ]);
  const oldest = newest && most > 1 ? await newest.advance(most - 1) : newest;
  const latest = await store.getAll(oldest ? IDBKeyRange.lowerBound(oldest.primaryKey) : undefined);
  const shown = new Map([...unsaved.flat(), ...latest].map((capture) => [capture.id, capture]));
  return [...shown.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

export const listInState = async (state: CaptureState): Promise<Capture[]> =>
  (await open()).getAllFromIndex("captures", "state", state);
export const listAt = async (address: string): Promise<Capture[]> =>
  (await open()).getAllFromIndex("captures", "address", address);
export const readRaw = async (id: string): Promise<Raw | undefined> => (await open()).get("raws", id);
/** Puts what was fetched meanwhile beside a capture that still stands. */
export const keepRaw = (id: string, raw: Raw): Promise<void> =>
  write(async (step) => {
    if (await step.objectStore("captures").get(id)) await step.objectStore("raws").put(raw, id);
  });

type Change = Partial<Omit<Capture, "id">>;

/** What was read anew takes the place of what was read before, in one step; a capture that was discarded stays gone. */
export async function keepAnew(id: string, raw: Raw, change: (held: Capture) => Capture): Promise<void> {
  await write(async (step) => {
    const held = await step.objectStore("captures").get(id);
    if (held)
      await Promise.all([step.objectStore("captures").put(change(held)), step.objectStore("raws").put(raw, id)]);
  });
  tell("captures");
}

/** Changes captures in one step; those that were discarded meanwhile stay gone. */
export async function changeCaptures(ids: readonly string[], change: Change): Promise<void> {
  if (ids.length === 0) return;
  await write(async (step) => {
    const captures = step.objectStore("captures");
    const changeOne = async (id: string) => {
      const held = await captures.get(id);
      if (held) await captures.put({ ...held, ...change });
      // What has arrived needs its raw form no longer.
      if (change.state === "saved") await step.objectStore("raws").delete(id);
    };
    await Promise.all(ids.map(changeOne));
  });
  tell("captures");
}

export const changeCapture = (id: string, change: Change): Promise<void> => changeCaptures([id], change);

export async function discardCapture(id: string): Promise<void> {
  await write((step) => Promise.all([step.objectStore("captures").delete(id), step.objectStore("raws").delete(id)]));
  tell("captures");
}
