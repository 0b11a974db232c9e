import { Failure } from "#shared/contract/failure.ts";
import type { ResearchEvent } from "#shared/research/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { finalizeIfInterrupted } from "./interrupted-run.ts";
import type { NewResearchEvent } from "./run/run-state.ts";
import { researchJobKey } from "./run/run-input.ts";
import { findResearchSession } from "./store.ts";

const isLast = ({ type }: NewResearchEvent) => type === "assistant_message_final" || type === "error";

/** Yields the events of a run after `after`, then further events until the run ends. */
export async function* followRun(
  ctx: UserCtx,
  { sessionId, runId }: { sessionId: string; runId: string },
  after: number,
): AsyncGenerator<ResearchEvent> {
  const key = researchJobKey(ctx.caller.userId, runId);
  let lastSeq = after;
  for await (const { seq, event } of ctx.jobs.follow(ctx.caller.userId, key, after, ctx.signal)) {
    lastSeq = seq;
    const payload = event as NewResearchEvent;
    yield { ...payload, seq };
    if (isLast(payload)) return;
  }
  if (ctx.signal.aborted) return;
  const session = await findResearchSession(ctx.own, sessionId);
  const run = session && (await finalizeIfInterrupted(ctx, session)).run;
  if (run?.id !== runId || run.status === "done") return;
  const failure =
    run.status === "stopped" ? new Failure("cancelled", "research_stopped") : new Failure("broken", "research_failed");
  yield { type: "error", seq: lastSeq + 1, ...failure.toEventFields() };
}
