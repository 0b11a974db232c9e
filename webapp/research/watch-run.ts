import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { RESEARCH_ABORT_MS } from "#shared/research/rules.ts";
import type { ResearchEvent, ResearchSession } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { store } from "#webapp/app/store.ts";
import { pauseUntilOnline } from "#webapp/offline/pause-until-online.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import { announceEnd } from "./research-outcome.ts";
import { loadResearchList } from "./state.ts";
import { addWatchedRun, listWatchedRuns, removeWatchedRun } from "./watched-runs.ts";

const RETRY_MS = 10_000;

const watched = new Map<string, AbortController>();

// A watch must not continue in another session. It is resumed when its account signs in again.
store.sub(accountIdAtom, () => {
  for (const watch of watched.values()) watch.abort();
  watched.clear();
});

/** Ends the watch of a run whose screen is open again, because the screen announces its end. */
export function unwatchRun(id: string): void {
  watched.get(id)?.abort();
  watched.delete(id);
  const accountId = store.get(accountIdAtom);
  if (accountId !== undefined) removeWatchedRun(accountId, id);
}

/** Starts a watch in place of an earlier one; returns the signal that ends it. */
function startWatch(accountId: string, id: string): AbortSignal {
  watched.get(id)?.abort();
  const watch = new AbortController();
  watched.set(id, watch);
  addWatchedRun(accountId, id);
  return AbortSignal.any([watch.signal, AbortSignal.timeout(RESEARCH_ABORT_MS)]);
}

/** Whether the account may not follow the run any more. A server that is down or busy may answer later. */
const isGone = (error: unknown) => error instanceof Failure && error.status < 500 && error.code !== "too_many_requests";

type LastEvent = Extract<ResearchEvent, { type: "assistant_message_final" | "error" }>;

/** The last event of a run; "gone" if the account may not follow it any more, undefined if the connection was lost. */
async function readLastEvent(
  { _id: id, run }: ResearchSession,
  signal: AbortSignal,
): Promise<LastEvent | "gone" | undefined> {
  try {
    for await (const event of client.research.followResearch({ id, after: run.seq }, { signal }))
      if (event.type === "assistant_message_final" || event.type === "error") return event;
    return undefined;
  } catch (error) {
    return isGone(error) ? "gone" : undefined;
  }
}

/** Announces a run that has ended. One that the student stopped is not announced. */
function announce(session: ResearchSession): void {
  void loadResearchList();
  void loadUsage();
  const { status } = session.run;
  if (status === "done") {
    const path = screenPath("researchSession", { id: session._id });
    const action = { label: t("research.show_result"), run: () => goTo(path) };
    notify({ message: t("research.finished_title"), type: "success", action });
  }
  if (status === "done" || status === "failed") announceEnd(session);
}

function withEnd(session: ResearchSession, event: LastEvent): ResearchSession {
  if (event.type === "assistant_message_final") return { ...session, run: event.run };
  return { ...session, run: { ...session.run, status: event.code === "cancelled" ? "stopped" : "failed" } };
}

/** The session with the end of its run; undefined if it may not be followed any more or the watch has ended. */
async function followToEnd(session: ResearchSession, isWatched: () => boolean, signal: AbortSignal) {
  while (isWatched()) {
    const last = await readLastEvent(session, signal);
    if (last === "gone") return undefined;
    if (last) return withEnd(session, last);
    await pauseUntilOnline(RETRY_MS, signal);
  }
  return undefined;
}

/** How the session of a watched run is found; undefined if it is gone or the watch has ended. */
type FindSession = (isWatched: () => boolean, signal: AbortSignal) => Promise<ResearchSession | undefined>;

/** Reads the session of a run that was watched before a reload. */
const readWatched =
  (id: string): FindSession =>
  async (isWatched, signal) => {
    while (isWatched()) {
      try {
        return (await client.research.getConversation({ id })).conversation;
      } catch (error) {
        if (isGone(error)) return undefined;
        await pauseUntilOnline(RETRY_MS, signal);
      }
    }
    return undefined;
  };

/** Follows a run until it ends, and announces its end on the screen that is open then. */
async function follow(accountId: string, id: string, find: FindSession): Promise<void> {
  const isCurrent = watchSession();
  const signal = startWatch(accountId, id);
  const isWatched = () => !signal.aborted && isCurrent();
  const session = await find(isWatched, signal);
  const isRunning = session?.run.status === "running";
  const ended = isRunning ? await followToEnd(session, isWatched, signal) : session;
  if (!isWatched()) return;
  unwatchRun(id);
  if (ended) announce(ended);
}

/** Watches a run whose screen was left. */
export async function watchRun(session: ResearchSession): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId !== undefined) await follow(accountId, session._id, () => Promise.resolve(session));
}

/** Watches the runs again that this tab watched before it was reloaded, and announces those that have ended since. */
export function resumeWatches(accountId: string): void {
  for (const id of listWatchedRuns(accountId)) if (!watched.has(id)) void follow(accountId, id, readWatched(id));
}
