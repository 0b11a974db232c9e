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
/** Addresses whose captures are handed over in one moment. */
const AT_ONCE = 40;

/** Nobody is reached, or nobody is connected: whatever else waits would fail as well. */
const isForAll = (error: unknown) => error instanceof NoAnswer || (error instanceof Failure && error.status === 401);

/** Trouble that passes by itself: it is tried again. Anything else is one capture's own. */
const isPassing = (error: unknown) =>
  isForAll(error) ||
  error instanceof NotKept ||
  (error instanceof Failure && (error.status >= 500 || error.status === 429));

/**
 * Hands one address's captures over. What is wrong with them is theirs; only what concerns all of them is thrown. Answers
 * with the trouble where the disk takes no more: the others may be smaller, and what is sent makes room.
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

/** What the server refused of these before goes out once more. */
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
  // Many at once: what they queue in one moment goes to disk in one step.
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

/** What failed because another student connected meanwhile was not refused: it goes out when its own comes back. */
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

/** What the server has acknowledged is saved; what it refuses waits for the student. */
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

/** Tells the server where things came from; one record that it refuses does not hold up the others. */
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

/** Who is connected, with the queue of that account; undefined while nobody is. */
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

/** Files take their time: they go out beside everything else, and each by itself. */
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

/** One document works at a time, also while another window's panel is open. */
const alone = (name: string, work: () => Promise<void>): Promise<void> => navigator.locks.request(name, work);

/** A lane of its own: what waits in one does not wait for another. That the disk is full is told once, until it is not. */
const lane = (name: string, work: () => Promise<void>) => {
  let isFullTold = false;
  return coalesce(async () => {
    try {
      await alone(name, work);
      isFullTold = false;
    } catch (error) {
      // Everything lies on disk and is tried again; what passes by itself is no fault, and nothing else may be hidden.
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

/** A proposal needs no server, and does not wait for one that is slow. */
const readAll = lane("lamplight-reading", async () => {
  // What is sent makes room on a full disk.
  await readRaws().finally(send);
});
const begin = () => {
  fetchFiles();
  readAll();
};

/** Works through what lies on disk, now and whenever there is news. */
export function startWork(): void {
  if ("document" in globalThis) speakHere();
  watchGestures();
  listen("work", begin);
  listen("account", begin);
  globalThis.addEventListener("online", begin);
  setInterval(begin, AGAIN_MS);
  begin();
}
