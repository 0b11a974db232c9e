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

/** The server sends a heartbeat every 15 s. */
const SILENCE_MS = 40_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Changes within this time are fetched in one batch. */
const GATHER_MS = 250;

/** Broadcast by the tab that reads the stream to the other tabs. */
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

/** Reloads this tab's lists after remote changes. */
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

/** Waits, but resolves early when the connection returns or the tab's visibility changes. */
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
  /** The sequence number of the last change received. */
  after: () => number | undefined;
  hear: (seq: number, changes: readonly Change[]) => void;
}

/** Reads the stream until aborted, reconnecting from the last sequence number. */
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
      if (!(error instanceof NoAnswer)) logTrouble("The live update stream failed", error);
      await pause(waitMs, signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }
}

/**
 * One stream per browser: the tab that holds the lock reads it and broadcasts to the other tabs. Returns a function
 * that stops it.
 */
export function followAccount(accountId: string): () => void {
  const leaving = new AbortController();
  const channel = openChannel<Told>("lamplight-live");
  const lists = makeLists();
  let last: number | undefined;
  const hear = (seq: number, changes: readonly Change[]) => {
    const isFirst = last === undefined;
    last = seq;
    // Catches changes made between fetching a page and the start of the stream.
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
