import type { DBSchema, IDBPTransaction } from "idb";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import type { CaptureKind, CaptureLocator } from "#shared/capture/schema.ts";
import { notify } from "#extension/app/channel.ts";
import { runDiskWrite } from "#extension/app/disk-errors.ts";
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
  /** The problem is a limit of the plan. */
  isLimit?: boolean;
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
  wants?: CardRequest;
  /** Images only: hidden regions; empty if the image is saved as it is. */
  regions?: Region[];
  /** Videos only: available caption languages. */
  offered?: ReadVideo["offered"];
  /** Videos only: the caption language that was read. */
  language?: string;
}

export interface CardRequest {
  from?: number | undefined;
  to?: number | undefined;
}

/** The captured data before processing. */
export interface RawCapture {
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
  raws: { key: string; value: RawCapture };
}

const open = openDatabase<CaptureSchema>({
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

type CaptureTransaction = IDBPTransaction<CaptureSchema, ["captures", "raws"], "readwrite">;

/** Writes in one strict-durability transaction: on disk when it resolves, otherwise rolled back. */
async function write(change: (transaction: CaptureTransaction) => Promise<unknown>): Promise<void> {
  const transaction = (await open()).transaction(["captures", "raws"], "readwrite", { durability: "strict" });
  await runDiskWrite(() => Promise.all([change(transaction), transaction.done]));
}

/** A gesture is confirmed only when this resolves. */
export async function saveCapture(capture: Capture, raw: RawCapture): Promise<void> {
  await write((transaction) => {
    const puts = [
      transaction.objectStore("captures").put(capture),
      transaction.objectStore("raws").put(raw, capture.id),
    ];
    // Commit explicitly, so that the browser does not wait for more requests.
    transaction.commit();
    return Promise.all(puts);
  });
  notify("captures");
}

export const listCaptures = async (): Promise<Capture[]> => (await open()).getAll("captures");
export const readCapture = async (id: string): Promise<Capture | undefined> => (await open()).get("captures", id);

const UNSAVED = ["raw", "draft", "ready", "sending", "refused"] as const satisfies readonly CaptureState[];

/** All unsaved captures and up to `maxSaved` of the latest saved ones, newest first; reads nothing else. */
export async function listLatest(maxSaved: number): Promise<Capture[]> {
  const { store } = (await open()).transaction("captures");
  const byState = store.index("state");
  const [unsaved, newestSaved] = await Promise.all([
    Promise.all(UNSAVED.map((state) => byState.getAll(state))),
    byState.openKeyCursor("saved", "prev"),
  ]);
  const oldest = newestSaved && maxSaved > 1 ? await newestSaved.advance(maxSaved - 1) : newestSaved;
  const latest = await store.getAll(oldest ? IDBKeyRange.lowerBound(oldest.primaryKey) : undefined);
  const shown = new Map([...unsaved.flat(), ...latest].map((capture) => [capture.id, capture]));
  return [...shown.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

export const listInState = async (state: CaptureState): Promise<Capture[]> =>
  (await open()).getAllFromIndex("captures", "state", state);
export const listByAddress = async (address: string): Promise<Capture[]> =>
  (await open()).getAllFromIndex("captures", "address", address);
/** Kinds that capture everything that a tab shows. */
const WHOLE_TAB_KINDS: ReadonlySet<CaptureKind> = new Set(["note", "pdf", "video"]);

/** The latest capture of everything at an address, saved or pending; refused captures do not count. */
export async function findEarlierCapture(address: string): Promise<Capture | undefined> {
  const whole = (await listByAddress(address)).filter(
    ({ kind, state }) => WHOLE_TAB_KINDS.has(kind) && state !== "refused",
  );
  return whole.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
}

export const readRaw = async (id: string): Promise<RawCapture | undefined> => (await open()).get("raws", id);
/** Updates the raw data of a capture that still exists. */
export const updateRaw = (id: string, raw: RawCapture): Promise<void> =>
  write(async (transaction) => {
    if (await transaction.objectStore("captures").get(id)) await transaction.objectStore("raws").put(raw, id);
  });

type Change = Partial<Omit<Capture, "id">>;

/** Replaces a capture's content in one step, unless it was discarded. */
export async function replaceCapture(
  id: string,
  raw: RawCapture,
  change: (current: Capture) => Capture,
): Promise<void> {
  await write(async (transaction) => {
    const current = await transaction.objectStore("captures").get(id);
    if (current)
      await Promise.all([
        transaction.objectStore("captures").put(change(current)),
        transaction.objectStore("raws").put(raw, id),
      ]);
  });
  notify("captures");
}

type IsChanged = (current: Capture) => boolean;

/** Changes captures in one step; discarded ones, and those for which `isChanged` is false, are skipped. */
async function changeWhere(ids: readonly string[], change: Change, isChanged: IsChanged): Promise<void> {
  if (ids.length === 0) return;
  await write(async (transaction) => {
    const captures = transaction.objectStore("captures");
    const changeOne = async (id: string) => {
      const current = await captures.get(id);
      if (current && !isChanged(current)) return;
      if (current) await captures.put({ ...current, ...change });
      // Saved captures need no raw data.
      if (change.state === "saved") await transaction.objectStore("raws").delete(id);
    };
    await Promise.all(ids.map(changeOne));
  });
  notify("captures");
}

/** What the student can still change in a capture that waits: its card, or the language of its captions. */
const editsOf = ({ card, language }: Capture) => JSON.stringify([card, language]);

/** The same for the result of sending captures; skips those that the student has changed since they were read. */
export function changeSentCaptures(sent: readonly Capture[], change: Change): Promise<void> {
  const edits = new Map(sent.map((capture) => [capture.id, editsOf(capture)]));
  const isUnedited = (current: Capture) => current.state !== "draft" && editsOf(current) === edits.get(current.id);
  return changeWhere([...edits.keys()], change, isUnedited);
}

/** Changes a capture unless it was discarded. */
export const changeCapture = (id: string, change: Change): Promise<void> => changeWhere([id], change, () => true);

export async function discardCapture(id: string): Promise<void> {
  await write((transaction) =>
    Promise.all([transaction.objectStore("captures").delete(id), transaction.objectStore("raws").delete(id)]),
  );
  notify("captures");
}
