import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { RESEARCH_ABORT_MS } from "#shared/research/rules.ts";
import type { ResearchEvent, ResearchSession } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { pauseUntilOnline } from "#webapp/offline/pause-until-online.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import { announceEnd } from "./research-outcome.ts";
import { loadResearchList } from "./state.ts";

const RETRY_MS = 10_000;

const watched = new Map<string, AbortController>();

/** Ends the watch of a run whose screen is open again, because the screen announces its end. */
export function unwatchRun(id: string): void {
  watched.get(id)?.abort();
  watched.delete(id);
}

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
    return error instanceof Failure && error.status < 500 ? "gone" : undefined;
  }
}

function announce(session: ResearchSession, event: LastEvent): void {
  void loadResearchList();
  void loadUsage();
  if (event.type === "error") {
    if (event.code !== "cancelled") announceEnd({ ...session, run: { ...session.run, status: "failed" } });
    return;
  }
  const path = screenPath("researchSession", { id: session._id });
  const action = { label: t("research.show_result"), run: () => goTo(path) };
  notify({ message: t("research.finished_title"), type: "success", action });
  announceEnd({ ...session, run: event.run });
}

/** Follows a run whose screen was left, and announces its end on the screen that is open then. */
export async function watchRun(session: ResearchSession): Promise<void> {
  unwatchRun(session._id);
  const watch = new AbortController();
  watched.set(session._id, watch);
  const isCurrent = watchSession();
  const signal = AbortSignal.any([watch.signal, AbortSignal.timeout(RESEARCH_ABORT_MS)]);
  while (!signal.aborted && isCurrent()) {
    const last = await readLastEvent(session, signal);
    if (signal.aborted || !isCurrent() || last === "gone") return;
    if (last) return announce(session, last);
    await pauseUntilOnline(RETRY_MS, signal);
  }
}
