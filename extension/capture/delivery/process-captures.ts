import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { CaptureRecord } from "#shared/capture/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { listen, notify } from "#extension/app/channel.ts";
import { client } from "#extension/app/client.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { readSetting } from "#extension/app/settings-store.ts";
import { DiskWriteError } from "#extension/app/disk-errors.ts";
import { openQueue } from "#extension/app/queue.ts";
import { applyUiLanguage } from "#extension/words/apply-ui-language.ts";
import { words } from "#extension/words/words.ts";
import { deliverGroup } from "./deliver.ts";
import { deliverFile } from "./deliver-file.ts";
import { processFiles, processRaws } from "../readers/process-raws.ts";
import { watchGestures } from "../gestures/gesture-debounce.ts";
import { type Capture, changeSentCaptures, listInState } from "../store.ts";

const RETRY_INTERVAL_MS = 10_000;
const RECORDS_PER_CALL = 200;
/** Addresses delivered concurrently. */
const MAX_CONCURRENT = 40;

/** No connection or no account: every other capture would fail as well. */
const isGeneralFailure = (error: unknown) =>
  error instanceof NoResponseError || (error instanceof Failure && error.status === 401);

/** Temporary failures are retried; any other failure concerns a single capture. */
const isTemporary = (error: unknown) =>
  isGeneralFailure(error) ||
  error instanceof DiskWriteError ||
  (error instanceof Failure && (error.status >= 500 || error.status === 429));

/**
 * Delivers the captures of one address. If they cannot be delivered, they are marked as refused; a failure that would
 * stop every capture is thrown. A full disk is returned, because smaller captures may still fit and sending frees space.
 */
async function deliver(
  queue: SyncQueue,
  accountId: string,
  captures: readonly Capture[],
): Promise<DiskWriteError | undefined> {
  const [first, ...others] = captures;
  if (!first) return undefined;
  try {
    await deliverGroup(queue, accountId, [first, ...others]);
  } catch (error) {
    if (isGeneralFailure(error)) throw error;
    if (error instanceof DiskWriteError) return error;
    if (!isTemporary(error)) await markRefused(accountId, captures, error);
  }
  return undefined;
}

const isFile = ({ kind }: Capture) => kind === "pdf" || kind === "image";

const listReady = async (accountId: string) =>
  (await listInState("ready")).filter((capture) => (capture.accountId ?? accountId) === accountId);

/** Retries requests of these captures that the server refused before. */
async function retryParked(queue: SyncQueue, ready: readonly Capture[]): Promise<void> {
  const resourceIds = new Set(ready.flatMap(({ resources }) => resources));
  const parked = queue.status().parked.filter(({ request }) => resourceIds.has(request.resourceId));
  if (parked.length > 0) await queue.retry(parked.map(({ request }) => request.id));
}

async function sendReady(queue: SyncQueue, accountId: string): Promise<DiskWriteError | undefined> {
  const ready = (await listReady(accountId)).filter((capture) => !isFile(capture));
  await retryParked(queue, ready);
  const groups = [...groupBy(ready, ({ address }) => address).values()];
  let diskError: DiskWriteError | undefined;
  // Concurrently, so that their queue writes share a transaction.
  for (let from = 0; from < groups.length; from += MAX_CONCURRENT) {
    const deliveries = groups.slice(from, from + MAX_CONCURRENT).map((captures) => deliver(queue, accountId, captures));
    const outcomes = await Promise.allSettled(deliveries);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
    diskError ??= outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : undefined)).find(Boolean);
  }
  await queue.flush();
  return diskError;
}

/** Does nothing after an account switch: these captures are sent when their own account is connected again. */
async function markRefused(accountId: string, captures: readonly Capture[], error: unknown): Promise<void> {
  if ((await readSetting("account"))?.accountId !== accountId) return;
  const failure = toFailureMessage(error);
  const problem = error instanceof Failure ? error.message : (failure?.message ?? words.broken);
  await changeSentCaptures(captures, {
    state: "refused",
    problem: problem || words.broken,
    isLimit: failure?.opensPlanModal ?? false,
  });
}

const toRecord = (capture: Capture): CaptureRecord => {
  const { id, kind, address, title, author, capturedAt, locator, pageId, componentId } = capture;
  const cardId = kind === "card" ? id : null;
  return { _id: id, kind, address, title, author, capturedAt, locator, pageId: pageId ?? "", componentId, cardId };
};

/** Marks acknowledged captures as saved and refused ones as refused. */
async function updateStatuses(queue: SyncQueue, accountId: string): Promise<void> {
  const sending = (await listInState("sending")).filter((capture) => capture.accountId === accountId);
  const unsaved = new Set(queue.unsaved().map(({ resourceId }) => resourceId));
  const refused = new Map(
    queue
      .status()
      .parked.flatMap(({ request, parked }) =>
        parked?.kind === "refusal" ? [[request.resourceId, parked.message]] : [],
      ),
  );
  for (const capture of sending) {
    const problem = capture.resources.map((resource) => refused.get(resource)).find((message) => message !== undefined);
    if (problem !== undefined) await changeSentCaptures([capture], { state: "refused", problem, isLimit: false });
  }
  const acknowledged = sending.filter(({ resources }) => !resources.some((resource) => unsaved.has(resource)));
  for (let from = 0; from < acknowledged.length; from += RECORDS_PER_CALL)
    await saveRecords(accountId, acknowledged.slice(from, from + RECORDS_PER_CALL));
  if (acknowledged.length > 0) notify("saved");
}

/** Stores capture records on the server; a refused record does not block the others. */
async function saveRecords(accountId: string, captures: readonly Capture[]): Promise<void> {
  try {
    await client.capture.saveCaptures({ accountId, captures: captures.map(toRecord) });
    await changeSentCaptures(captures, { state: "saved", problem: null });
  } catch (error) {
    if (isTemporary(error)) throw error;
    if (captures.length === 1) return markRefused(accountId, captures, error);
    for (const capture of captures) await saveRecords(accountId, [capture]);
  }
}

/** The connected account and its queue; undefined if none is connected. */
async function findConnection(): Promise<{ queue: SyncQueue; accountId: string } | undefined> {
  const account = await readSetting("account");
  if (!account || account.hasEnded) return undefined;
  return { queue: await openQueue(account.accountId), accountId: account.accountId };
}

async function sendAll(): Promise<void> {
  const connection = await findConnection();
  if (!connection) return;
  const diskError = await sendReady(connection.queue, connection.accountId);
  await updateStatuses(connection.queue, connection.accountId);
  if (diskError) throw diskError;
}

/** Files upload slowly, so they are sent separately, one by one. */
async function sendFiles(): Promise<void> {
  const connection = await findConnection();
  if (!connection) return;
  const files = (await listReady(connection.accountId)).filter(isFile);
  await retryParked(connection.queue, files);
  for (const capture of files) {
    try {
      await deliverFile(connection.queue, connection.accountId, capture);
      send();
    } catch (error) {
      if (isGeneralFailure(error)) throw error;
      if (!isTemporary(error)) await markRefused(connection.accountId, [capture], error);
    }
  }
}

/** A lock ensures that only one document works at a time, even with panels in several windows. */
const withLock = (name: string, work: () => Promise<void>): Promise<void> => navigator.locks.request(name, work);

/**
 * Creates a processing lane. Lanes do not wait for each other. A full disk is reported once, and again only after a run
 * that succeeded.
 */
const createLane = (name: string, work: () => Promise<void>) => {
  let isDiskFullReported = false;
  return coalesce(async () => {
    try {
      await withLock(name, work);
      isDiskFullReported = false;
    } catch (error) {
      // Everything is on disk and will be retried, so temporary failures are ignored; all others must surface.
      if (!isTemporary(error)) throw error;
      if (!(error instanceof DiskWriteError)) return;
      if (!isDiskFullReported) notify("full");
      isDiskFullReported = true;
    }
  });
};

const send = createLane("lamplight-captures", sendAll);
const sendAllFiles = createLane("lamplight-files", sendFiles);
const fetchFiles = createLane("lamplight-fetching", async () => {
  await processFiles();
  sendAllFiles();
});

/** Proposing cards needs no server, so it must not wait for a slow server. */
const processAll = createLane("lamplight-reading", async () => {
  // Sending frees disk space.
  await processRaws().finally(send);
});
const processNow = () => {
  fetchFiles();
  processAll();
};

/** Processes stored captures, now and whenever something changes. */
export function startProcessing(): void {
  if ("document" in globalThis) applyUiLanguage();
  watchGestures();
  listen("work", processNow);
  listen("account", processNow);
  globalThis.addEventListener("online", processNow);
  setInterval(processNow, RETRY_INTERVAL_MS);
  processNow();
}
