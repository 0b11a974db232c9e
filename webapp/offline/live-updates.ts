import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Change } from "#shared/sync/schema.ts";
import { client } from "#webapp/app/client.ts";
import { renewAgain } from "#webapp/app/session/session.ts";
import { loadContent } from "#webapp/library/content.ts";
import { loadDue } from "#webapp/study/due.ts";
import { reloadPins } from "#webapp/library/pins.ts";
import { loadFolders } from "#webapp/library/folders.ts";
import { logWarning } from "#webapp/app/log.ts";
import { random } from "#webapp/app/browser/random.ts";
import { pauseUntilOnlineOrShown } from "./pause-until-online.ts";
import { notifyRemoteChanges } from "./remote-change-listeners.ts";
import { comparePages, queue } from "./sync.ts";
import { lock, openChannel } from "./tabs.ts";

/** The server sends a heartbeat every 15 s. */
const IDLE_TIMEOUT_MS = 40_000;
const MIN_BACKOFF_MS = 1_000;
/** A reconnected stream wakes the sync queue, which must send within 10 s after the server is available again. */
const MAX_BACKOFF_MS = 6_000;
/** Changes within this time are fetched in one batch. */
const BATCH_MS = 250;

/** A tab whose first event arrives after this time had to wait for the lock. */
const LATE_MS = 3_000;

const EVERYTHING: readonly Change[] = [{ kind: "everything", ids: [] }];

/** Broadcast by the tab that reads the stream to the other tabs. */
interface LiveMessage {
  accountId: string;
  seq: number;
  changes: readonly Change[];
  /** Whether the stream has just reconnected after an interruption. */
  isReturn: boolean;
}

const reloads: Record<Change["kind"], readonly (() => Promise<void>)[]> = {
  content: [loadContent],
  page: [loadContent],
  folders: [loadFolders],
  favorites: [reloadPins],
  study: [loadDue],
  podcasts: [loadContent],
  research: [loadContent],
  account: [renewAgain],
  everything: [loadContent, loadFolders, reloadPins, loadDue, renewAgain],
};

/** Reloads this tab's lists after remote changes. */
function createListReloader() {
  const pendingReloads = new Set<() => Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = () => {
    timer = undefined;
    const all = [...pendingReloads];
    pendingReloads.clear();
    for (const reload of all) void reload();
  };
  return {
    onChanges(changes: readonly Change[]) {
      const listed = changes.filter(({ isTextOnly }) => isTextOnly !== true);
      for (const { kind } of listed) for (const reload of reloads[kind]) pendingReloads.add(reload);
      if (pendingReloads.size > 0) timer ??= setTimeout(load, BATCH_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

interface StreamReader {
  signal: AbortSignal;
  /** The sequence number of the last change received. */
  lastSeq: () => number | undefined;
  onChanges: (seq: number, changes: readonly Change[], isReturn: boolean) => void;
}

/** Reads the stream until aborted, reconnecting from the last sequence number. */
async function readStream({ signal, lastSeq, onChanges: handleChanges }: StreamReader): Promise<void> {
  let isInterrupted = false;
  for (let backoffMs = MIN_BACKOFF_MS; !signal.aborted;) {
    try {
      const resumeAfter = lastSeq();
      const request = resumeAfter === undefined ? {} : { after: resumeAfter };
      for await (const event of client.sync.followChanges(request, { signal, idleTimeoutMs: IDLE_TIMEOUT_MS })) {
        backoffMs = MIN_BACKOFF_MS;
        handleChanges(event.seq, event.type === "changes" ? event.changes : [], isInterrupted);
        isInterrupted = false;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Failure && error.code === "signed_out") return;
      if (!(error instanceof NoResponseError)) logWarning("The live update stream failed", error);
      isInterrupted = true;
      // Jitter, so that clients do not all reconnect at the same moment after the server was down.
      await pauseUntilOnlineOrShown(backoffMs * (0.75 + random() / 2), signal);
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
    }
  }
}

/**
 * Follows the account's changes with one stream per browser: the tab that holds the lock reads the stream and
 * broadcasts to the other tabs. `isRestored` is for a page from the back/forward cache, which has missed changes.
 * Returns a function that stops this.
 */
export function followAccount(accountId: string, { isRestored = false } = {}): () => void {
  const stopping = new AbortController();
  const channel = openChannel<LiveMessage>("lamplight-live");
  const listReloader = createListReloader();
  let last: number | undefined;
  const handleChanges = (seq: number, changes: readonly Change[], isReturn: boolean) => {
    const isFirst = last === undefined;
    last = seq;
    if (isReturn) queue().wake();
    // Finds changes that were made between fetching a page and the start of the stream.
    if (isFirst) void comparePages();
    const remoteChanges = changes.filter(({ requestId }) => requestId === undefined || !queue().isShown(requestId));
    if (remoteChanges.length === 0) return;
    notifyRemoteChanges(remoteChanges);
    listReloader.onChanges(remoteChanges);
  };
  const stopListening = channel?.listen((message) => {
    if (message.accountId === accountId) handleChanges(message.seq, message.changes, message.isReturn);
  });
  if (isRestored) listReloader.onChanges(EVERYTHING);
  const startedAt = performance.now();
  const read = () =>
    readStream({
      signal: stopping.signal,
      lastSeq: () => last,
      onChanges: (seq, changes, isReturn) => {
        // A tab that waited for the lock and has no sequence number cannot request the changes that it missed.
        const hasMissed = last === undefined && performance.now() - startedAt > LATE_MS;
        handleChanges(seq, changes, isReturn);
        if (hasMissed) listReloader.onChanges(EVERYTHING);
        // The other tabs missed the same changes, because no tab was reading the stream.
        channel?.post({ accountId, seq, changes: hasMissed ? EVERYTHING : changes, isReturn });
      },
    });
  void lock(`lamplight-live:${accountId}`, async () => (stopping.signal.aborted ? undefined : read()));
  return () => {
    stopping.abort();
    stopListening?.();
    listReloader.stop();
  };
}
