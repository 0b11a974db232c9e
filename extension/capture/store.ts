import type { DBSchema, IDBPTransaction } from "idb";
import { openOnce } from "#shared/sync/open-once.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import type { CaptureKind, CaptureLocator } from "#shared/capture/schema.ts";
import { tell } from "#extension/app/channel.ts";
import { onDisk } from "#extension/app/full-disk.ts";
import type { ReadVideo } from "./readers/video-shapes.ts";

/** A card that waits for the student's decision. */
export interface DraftCard {
  question: string;
  answer: string;
}

/** Status of a capture. `raw`: unprocessed; `draft`: the student decides; `ready`: to be sent next. */
export type CaptureState = "raw" | "draft" | "ready" | "sending" | "saved" | "refused";

export interface Capture {
  id: string;
  kind: CaptureKind;
  state: CaptureState;
  /** Owner of the capture; null until an account is connected. Never sent with another account's token. */
  accountId: string | null;
  address: string;
  title: string;
  author: string | null;
  capturedAt: number;
  locator: CaptureLocator | null;
  card: DraftCard | null;
  /** Why it could not be sent, as text for the student. */
  problem: string | null;
  /** Additional information for the student. */
  notice: string | null;
  /** Ids of pages and components queued for this capture. */
  resources: string[];
  pageId: string | null;
  componentId: string | null;
  /** Files only: hash of the content, once it is available. */
  fileHash?: string;
  /** The extension lacks access to the file's site; the student can grant it. */
  needsAccess?: boolean;
  /** Share of the file that has been uploaded, from 0 to 1. */
  sentShare?: number;
  /** Cards are to be generated once it is saved, optionally from these pages. */
  wants?: CardWish;
  /** Images only: hidden regions; empty if the image is saved as it is. */
  regions?: Region[];
  /** Videos only: available caption languages. */
  offered?: ReadVideo["offered"];
  /** Videos only: the caption language that was read. */
  language?: string;
}

export interface CardWish {
  from?: number | undefined;
  to?: number | undefined;
}

/** The captured data before processing. */
export interface Raw {
  /** The selection, with formulas as TeX and code in backticks. */
  text?: string;
  /** The whole page; a string if stored by an older version of the extension. */
  html?: Blob | string;
  file?: Blob;
  fileName?: string;
  /** URL to download the file from. */
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

/** Writes in one strict-durability transaction: on disk when it resolves, otherwise rolled back. */
async function write(change: (step: Step) => Promise<unknown>): Promise<void> {
  const step = (await open()).transaction(["captures", "raws"], "readwrite", { durability: "strict" });
  await onDisk(() => Promise.all([change(step), step.done]));
}

/** A gesture is confirmed only when this resolves. */
export async function keepCapture(capture: Capture, raw: Raw): Promise<void> {
  await write((step) => {
    const puts = [step.objectStore("captures").put(capture), step.objectStore("raws").put(raw, capture.id)];
    // Commit explicitly, so that the browser does not wait for more requests.
    step.commit();
    return Promise.all(puts);
  });
  tell("captures");
}

export const listCaptures = async (): Promise<Capture[]> => (await open()).getAll("captures");
export const readCapture = async (id: string): Promise<Capture | undefined> => (await open()).get("captures", id);

const UNSAVED = ["raw", "draft", "ready", "sending", "refused"] as const satisfies readonly CaptureState[];

/** All unsaved captures and up to `most` of the latest saved ones, newest first; reads nothing else. */
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
/** Updates the raw data of a capture that still exists. */
export const keepRaw = (id: string, raw: Raw): Promise<void> =>
  write(async (step) => {
    if (await step.objectStore("captures").get(id)) await step.objectStore("raws").put(raw, id);
  });

type Change = Partial<Omit<Capture, "id">>;

/** Replaces a capture's content in one step, unless it was discarded. */
export async function keepAnew(id: string, raw: Raw, change: (held: Capture) => Capture): Promise<void> {
  await write(async (step) => {
    const held = await step.objectStore("captures").get(id);
    if (held)
      await Promise.all([step.objectStore("captures").put(change(held)), step.objectStore("raws").put(raw, id)]);
  });
  tell("captures");
}

/** Changes captures in one step; discarded ones are skipped. */
export async function changeCaptures(ids: readonly string[], change: Change): Promise<void> {
  if (ids.length === 0) return;
  await write(async (step) => {
    const captures = step.objectStore("captures");
    const changeOne = async (id: string) => {
      const held = await captures.get(id);
      if (held) await captures.put({ ...held, ...change });
      // Saved captures need no raw data.
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
