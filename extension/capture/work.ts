import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { CaptureRecord } from "#shared/capture/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { listen } from "#extension/kit/channel.ts";
import { client } from "#extension/kit/client.ts";
import { readSetting } from "#extension/kit/disk.ts";
import { openQueue } from "#extension/kit/queue.ts";
import { words } from "#extension/kit/words.ts";
import { deliverGroup } from "./deliver.ts";
import { draftCard } from "./draft.ts";
import { type Capture, changeCapture, listInState, readRaw } from "./store.ts";

const AGAIN_MS = 10_000;
const RECORDS = 200;

/** Trouble that passes: everything waits for it. Anything else is one capture's own. */
const isPassing = (error: unknown) =>
  error instanceof NoAnswer ||
  (error instanceof Failure && (error.status >= 500 || error.status === 429 || error.status === 401));

/** Reads what was taken: a selection becomes a draft, a page is read when it goes out. Needs no server. */
async function readRaws(): Promise<void> {
  for (const capture of await listInState("raw")) {
    if (capture.kind !== "card") {
      await changeCapture(capture.id, { state: "ready" });
      continue;
    }
    const text = (await readRaw(capture.id))?.text ?? "";
    await changeCapture(capture.id, { state: "draft", card: draftCard(text) });
  }
}

async function sendReady(queue: SyncQueue, accountId: string): Promise<void> {
  const ready = (await listInState("ready")).filter((each) => (each.accountId ?? accountId) === accountId);
  const again = new Set(ready.flatMap(({ resources }) => resources));
  const parked = queue.status().parked.filter(({ request }) => again.has(request.resourceId));
  if (parked.length > 0) await queue.retry(parked.map(({ request }) => request.id));
  for (const captures of groupBy(ready, ({ address }) => address).values()) {
    const [first, ...others] = captures;
    if (!first) continue;
    try {
      await deliverGroup(queue, accountId, [first, ...others]);
    } catch (error) {
      if (isPassing(error)) throw error;
      await refuseEach(captures, error);
    }
  }
  await queue.flush();
}

async function refuseEach(captures: readonly Capture[], error: unknown): Promise<void> {
  const problem = error instanceof Failure ? error.message : (friendlyFailure(error)?.message ?? words.broken);
  for (const { id } of captures) await changeCapture(id, { state: "refused", problem });
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
  for (let from = 0; from < arrived.length; from += RECORDS) {
    const part = arrived.slice(from, from + RECORDS);
    await client.capture.saveCaptures({ accountId, captures: part.map(recordOf) });
    for (const { id } of part) await changeCapture(id, { state: "saved", problem: null });
  }
}

async function sendAll(): Promise<void> {
  const account = await readSetting("account");
  if (!account || account.hasEnded) return;
  const queue = await openQueue(account.accountId);
  await sendReady(queue, account.accountId);
  await settle(queue, account.accountId);
}

let isAsked = false;
let isWorking = false;

async function work(): Promise<void> {
  isAsked = true;
  if (isWorking) return;
  isWorking = true;
  try {
    while (isAsked) {
      isAsked = false;
      // One document works at a time, also while the panel of another window is open.
      await navigator.locks.request("lamplight-captures", async () => {
        await readRaws();
        await sendAll();
      });
    }
  } catch (error) {
    // Everything lies on disk and is tried again; what is no trouble of the network must not be hidden.
    if (!isPassing(error)) reportError(error);
  } finally {
    isWorking = false;
  }
}

const begin = () => void work();

/** Works through what lies on disk, now and whenever there is news. */
export function startWork(): void {
  listen("work", begin);
  listen("account", begin);
  globalThis.addEventListener("online", begin);
  setInterval(begin, AGAIN_MS);
  begin();
}
