import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import type { ResearchRunState } from "#shared/research/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import { refundUsage } from "#api/user/service.ts";
import { finishResearchRun } from "./finish-run.ts";
import { researchJobKey, type ResearchJobInput } from "./run/run-input.ts";
import { RUN_START_TIMEOUT_MS } from "./slots.ts";
import { findResearchSession, patchResearchRun, type ResearchSessionDoc } from "./store.ts";

const POLL_ATTEMPTS = 40;
const POLL_INTERVAL_MS = 50;

function brokenRun(run: ResearchRunState, endedAt: number): ResearchRunState {
  const failure = new Failure("broken", "research_failed");
  return {
    ...run,
    status: "failed",
    endedAt,
    currentTask: null,
    error: failure.message,
    errorReason: failure.ref(),
  };
}

/** Ends a session that is marked as running although its job has ended; returns its current state. */
export async function finalizeIfInterrupted(ctx: UserCtx, session: ResearchSessionDoc): Promise<ResearchSessionDoc> {
  const { run, sessionId } = session;
  if (run.status !== "running") return session;
  const job = await ctx.jobs.get(ctx.caller.userId, researchJobKey(ctx.caller.userId, run.id));
  if (job && (isActive(job) || job.status === "done")) return session;
  const endedAt = ctx.clock.now();
  if (!job) {
    // The process crashed between the session's document and the job.
    if (endedAt - run.startedAt < RUN_START_TIMEOUT_MS) return session;
    const ended = await patchResearchRun(ctx.own, sessionId, run.id, { run: brokenRun(run, endedAt) });
    if (ended) await refundUsage(ctx.own, { counter: "researchMessages", by: 1, period: utcDay(run.startedAt) });
    return ended ?? session;
  }
  const input = job.input as ResearchJobInput;
  const ended: ResearchRunState =
    job.status === "failed" ? brokenRun(run, endedAt) : { ...run, status: "stopped", endedAt, currentTask: null };
  return (await finishResearchRun(ctx.own, input, ended)) ?? (await findResearchSession(ctx.own, sessionId)) ?? session;
}

/** Waits for the worker to end a cancelled run, or ends the run if no worker does; returns the session. */
export async function awaitStoppedRun(ctx: UserCtx, session: ResearchSessionDoc): Promise<ResearchSessionDoc> {
  for (let attempt = 0; attempt < POLL_ATTEMPTS; attempt += 1) {
    const current = await findResearchSession(ctx.own, session.sessionId);
    if (current?.run.status !== "running") return current ?? session;
    await pause(POLL_INTERVAL_MS);
  }
  return finalizeIfInterrupted(ctx, session);
}
