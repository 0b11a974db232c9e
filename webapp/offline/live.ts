import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Change } from "#shared/sync/schema.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "#webapp/library/content.ts";
import { loadDue } from "#webapp/study/due.ts";
import { reloadFavorites } from "#webapp/library/favorites.ts";
import { loadFolders } from "#webapp/library/folders.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { tellRemoteChanges } from "./remote-changes.ts";
import { comparePages, queue } from "./sync.ts";
import { lock, openChannel } from "./tabs.ts";

/** The server gives a sign of life every 15 s. */
const SILENCE_MS = 40_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Changes that come together are fetched together. */
const GATHER_MS = 250;

/** What the tab that reads the stream tells the others. */
interface Told {
  accountId: string;
  seq: number;
  changes: readonly Change[];
}

const reloads: Record<Change["kind"], readonly (() => Promise<void>)[]> = {
  content: [loadContent],
  page: [loadContent],
  folders: [loadFolders],
  favorites: [reloadFavorites],
  study: [loadDue],
  everything: [loadContent, loadFolders, reloadFavorites, loadDue],
};

/** Brings the lists of this tab up to what was changed elsewhere. */
function makeLists() {
  const wanted = new Set<() => Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = () => {
    timer = undefined;
    const all = [...wanted];
    wanted.clear();
    for (const each of all) void each();
  };
  return {
    hear(changes: readonly Change[]) {
      for (const { kind } of changes) for (const each of reloads[kind]) wanted.add(each);
      if (wanted.size > 0) timer ??= setTimeout(load, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Waits, but not past the moment at which the connection comes back or the tab is looked at again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}

interface Reading {
  signal: AbortSignal;
  /** The number of the last change that this browser heard of. */
  after: () => number | undefined;
  hear: (seq: number, changes: readonly Change[]) => void;
}

/** Reads until it is stopped; after a break it goes on from the last number. */
async function readStream({ signal, after, hear }: Reading): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted;) {
    try {
      const known = after();
      const asked = known === undefined ? {} : { after: known };
      for await (const event of client.sync.followChanges(asked, { signal, silenceMs: SILENCE_MS })) {
        waitMs = FIRST_WAIT_MS;
        hear(event.seq, event.type === "changes" ? event.changes : []);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Failure && error.code === "signed_out") return;
      if (!(error instanceof NoAnswer)) logTrouble("Changes made elsewhere are not heard of", error);
      await pause(waitMs, signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }
}

/** One stream for the browser: whoever holds the lock reads it and tells the other tabs. Answers how to stop. */
export function followAccount(accountId: string): () => void {
  const leaving = new AbortController();
  const channel = openChannel<Told>("lamplight-live");
  const lists = makeLists();
  let last: number | undefined;
  const hear = (seq: number, changes: readonly Change[]) => {
    const isFirst = last === undefined;
    last = seq;
    // What was changed between the fetching of a page and the beginning of the stream.
    if (isFirst) void comparePages();
    const news = changes.filter(({ requestId }) => requestId === undefined || !queue().shows(requestId));
    if (news.length === 0) return;
    tellRemoteChanges(news);
    lists.hear(news);
  };
  const stopListening = channel?.listen((told) => {
    if (told.accountId === accountId) hear(told.seq, told.changes);
  });
  const read = () =>
    readStream({
      signal: leaving.signal,
      after: () => last,
      hear: (seq, changes) => {
        hear(seq, changes);
        channel?.post({ accountId, seq, changes });
      },
    });
  void lock(`lamplight-live:${accountId}`, async () => (leaving.signal.aborted ? undefined : read()));
  return () => {
    leaving.abort();
    stopListening?.();
    lists.stop();
  };
}
