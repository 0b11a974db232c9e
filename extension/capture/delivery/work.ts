import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { CaptureRecord } from "#shared/capture/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { listen, tell } from "#extension/app/channel.ts";
import { client } from "#extension/app/client.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { readSetting } from "#extension/app/disk.ts";
import { NotKept } from "#extension/app/full-disk.ts";
import { openQueue } from "#extension/app/queue.ts";
import { speakHere } from "#extension/words/speaking.ts";
import { words } from "#extension/words/words.ts";
import { deliverGroup } from "./deliver.ts";
import { deliverFile } from "./deliver-file.ts";
import { readFiles, readRaws } from "../readers/read-raws.ts";
import { watchGestures } from "../gestures/quiet.ts";
import { type Capture, changeCapture, changeCaptures, listInState } from "../store.ts";

const AGAIN_MS = 10_000;
const RECORDS = 200;
/** Addresses delivered concurrently. */
const AT_ONCE = 40;

/** No connection or no account: every other capture would fail as well. */
const isForAll = (error: unknown) => error instanceof NoAnswer || (error instanceof Failure && error.status === 401);

/** Temporary failures are retried; anything else concerns a single capture. */
const isPassing = (error: unknown) =>
  isForAll(error) ||
  error instanceof NotKept ||
  (error instanceof Failure && (error.status >= 500 || error.status === 429));

/**
 * Delivers the captures of one address. Refuses them for their own failures and throws only failures that concern all.
 * Returns the error if the disk is full, since smaller captures may still fit and sending frees space.
 */
async function deliver(
  queue: SyncQueue,
  accountId: string,
  captures: readonly Capture[],
): Promise<NotKept | undefined> {
  const [first, ...others] = captures;
  if (!first) return undefined;
  try {
    await deliverGroup(queue, accountId, [first, ...others]);
  } catch (error) {
    if (isForAll(error)) throw error;
    if (error instanceof NotKept) return error;
    if (!isPassing(error)) await refuseEach(accountId, captures, error);
  }
  return undefined;
}

const isFile = ({ kind }: Capture) => kind === "pdf" || kind === "image";

const readyOf = async (accountId: string) =>
  (await listInState("ready")).filter((each) => (each.accountId ?? accountId) === accountId);

/** Retries requests of these captures that the server refused before. */
async function retryParked(queue: SyncQueue, ready: readonly Capture[]): Promise<void> {
  const again = new Set(ready.flatMap(({ resources }) => resources));
  const parked = queue.status().parked.filter(({ request }) => again.has(request.resourceId));
  if (parked.length > 0) await queue.retry(parked.map(({ request }) => request.id));
}

async function sendReady(queue: SyncQueue, accountId: string): Promise<NotKept | undefined> {
  const ready = (await readyOf(accountId)).filter((capture) => !isFile(capture));
  await retryParked(queue, ready);
  const groups = [...groupBy(ready, ({ address }) => address).values()];
  let full: NotKept | undefined;
  // Concurrently, so that their queue writes share a transaction.
  for (let from = 0; from < groups.length; from += AT_ONCE) {
    const part = groups.slice(from, from + AT_ONCE).map((captures) => deliver(queue, accountId, captures));
    const ended = await Promise.allSettled(part);
    const failed = ended.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
    full ??= ended.map((each) => (each.status === "fulfilled" ? each.value : undefined)).find(Boolean);
  }
  await queue.flush();
  return full;
}

/** A failure caused by an account switch is no refusal: the capture is sent when its own account returns. */
async function refuseEach(accountId: string, captures: readonly Capture[], error: unknown): Promise<void> {
  if ((await readSetting("account"))?.accountId !== accountId) return;
  const problem = error instanceof Failure ? error.message : (friendlyFailure(error)?.message ?? words.broken);
  const ids = captures.map(({ id }) => id);
  await changeCaptures(ids, { state: "refused", problem: problem || words.broken });
}

const recordOf = (capture: Capture): CaptureRecord => {
  const { id, kind, address, title, author, capturedAt, locator, pageId, componentId } = capture;
  const cardId = kind === "card" ? id : null;
  return { _id: id, kind, address, title, author, capturedAt, locator, pageId: pageId ?? "", componentId, cardId };
};

/** Marks acknowledged captures as saved and refused ones as refused. */
async function settle(queue: SyncQueue, accountId: string): Promise<void> {
  const sending = (await listInState("sending")).filter((each) => each.accountId === accountId);
  const unsaved = new Set(queue.unsaved().map(({ resourceId }) => resourceId));
  const refused = new Map(
    queue
      .status()
      .parked.flatMap(({ request, parked }) =>
        parked?.kind === "refusal" ? [[request.resourceId, parked.message]] : [],
      ),
  );
  for (const { id, resources } of sending) {
    const problem = resources.map((resource) => refused.get(resource)).find((each) => each !== undefined);
    if (problem !== undefined) await changeCapture(id, { state: "refused", problem });
  }
  const arrived = sending.filter(({ resources }) => !resources.some((resource) => unsaved.has(resource)));
  for (let from = 0; from < arrived.length; from += RECORDS)
    await saveRecords(accountId, arrived.slice(from, from + RECORDS));
  if (arrived.length > 0) tell("saved");
}

/** Stores capture records on the server; a refused record does not block the others. */
async function saveRecords(accountId: string, captures: readonly Capture[]): Promise<void> {
  try {
    await client.capture.saveCaptures({ accountId, captures: captures.map(recordOf) });
    const ids = captures.map(({ id }) => id);
    await changeCaptures(ids, { state: "saved", problem: null });
  } catch (error) {
    if (isPassing(error)) throw error;
    if (captures.length === 1) return refuseEach(accountId, captures, error);
    for (const capture of captures) await saveRecords(accountId, [capture]);
  }
}

/** The connected account and its queue; undefined if none is connected. */
async function connected(): Promise<{ queue: SyncQueue; accountId: string } | undefined> {
  const account = await readSetting("account");
  if (!account || account.hasEnded) return undefined;
  return { queue: await openQueue(account.accountId), accountId: account.accountId };
}

async function sendAll(): Promise<void> {
  const to = await connected();
  if (!to) return;
  const full = await sendReady(to.queue, to.accountId);
  await settle(to.queue, to.accountId);
  if (full) throw full;
}

/** Files upload slowly, so they are sent separately, one by one. */
async function sendFiles(): Promise<void> {
  const to = await connected();
  if (!to) return;
  const files = (await readyOf(to.accountId)).filter(isFile);
  await retryParked(to.queue, files);
  for (const capture of files) {
    try {
      await deliverFile(to.queue, to.accountId, capture);
      send();
    } catch (error) {
      if (isForAll(error)) throw error;
      if (!isPassing(error)) await refuseEach(to.accountId, [capture], error);
    }
  }
}

/** A lock ensures that only one document works at a time, even with panels in several windows. */
const alone = (name: string, work: () => Promise<void>): Promise<void> => navigator.locks.request(name, work);

/**
 * An independent processing lane, so that lanes do not wait for each other. Reports a full disk once until it has space
 * again.
 */
const lane = (name: string, work: () => Promise<void>) => {
  let isFullTold = false;
  return coalesce(async () => {
    try {
      await alone(name, work);
      isFullTold = false;
    } catch (error) {
      // Everything is on disk and will be retried, so temporary failures are ignored; all others must surface.
      if (!isPassing(error)) throw error;
      if (!(error instanceof NotKept)) return;
      if (!isFullTold) tell("full");
      isFullTold = true;
    }
  });
};

const send = lane("lamplight-captures", sendAll);
const sendAllFiles = lane("lamplight-files", sendFiles);
const fetchFiles = lane("lamplight-fetching", async () => {
  await readFiles();
  sendAllFiles();
});

/** Proposing cards needs no server and must not wait for a slow one. */
const readAll = lane("lamplight-reading", async () => {
  // Sending frees disk space.
  await readRaws().finally(send);
});
const begin = () => {
  fetchFiles();
  readAll();
};

/** Processes stored captures, now and whenever something changes. */
export function startWork(): void {
  if ("document" in globalThis) speakHere();
  watchGestures();
  listen("work", begin);
  listen("account", begin);
  globalThis.addEventListener("online", begin);
  setInterval(begin, AGAIN_MS);
  begin();
}
