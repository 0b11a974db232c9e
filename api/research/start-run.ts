import { ulid } from "ulid";
import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { research } from "#shared/research/contract.ts";
import { describeQuestion } from "#shared/research/plan/title.ts";
import { idleRun } from "#shared/research/rules.ts";
import type { ResearchRunState, SearchSource } from "#shared/research/schema.ts";
import { questionLanguage } from "#shared/research/wording.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { type Counted, countUsage, refundUsage } from "#api/user/service.ts";
import { publishResearch } from "./erase-session.ts";
import { finalizeIfInterrupted } from "./interrupted-run.ts";
import { RESEARCH_JOB, researchJobKey, type ResearchJobInput } from "./run/run-input.ts";
import { acquireResearchSlot, releaseResearchSlot } from "./slots.ts";
import {
  appendResearchQuestion,
  findResearchSession,
  insertResearchSession,
  type ResearchSessionDoc,
  startResearchRun,
} from "./store.ts";

type SendInput = Parsed<typeof research.sendResearch>;

interface StartedRun {
  sessionId: string;
  runId: string;
}

/** Starts a run, or returns the run that an equal request started before. */
export async function startResearch(ctx: UserCtx, request: SendInput, available: readonly SearchSource[]) {
  const runId = request.messageId ?? ulid();
  const key = researchJobKey(ctx.caller.userId, runId);
  const existing = await ctx.jobs.get(ctx.caller.userId, key);
  if (existing) return { sessionId: (existing.input as ResearchJobInput).sessionId, runId };
  if (request.model !== undefined && !(await ctx.models.choose(request.model)))
    throw new Failure("bad_input", "no_model");
  const session = await requireSession(ctx, request, runId);
  const { sessionId } = session;
  if (session.run.status === "running" && session.run.id !== runId)
    throw new Failure("too_many_requests", "research_running");
  const chargedUsage = await acquireSlotAndCount(ctx, key);
  const lookIn = available.filter((name) => name === "library" || (request.lookIn?.includes(name) ?? true));
  const run: ResearchRunState = {
    ...idleRun,
    id: runId,
    status: "running",
    depth: request.depthState,
    lookIn,
    startedAt: ctx.clock.now(),
    model: request.model ?? null,
  };
  const isFirst = (await startResearchRun(ctx.own, sessionId, run)) !== undefined;
  const current = isFirst ? undefined : await findResearchSession(ctx.own, sessionId);
  if (current && current.run.id !== runId) {
    await refundUsage(ctx.own, chargedUsage);
    await releaseResearchSlot(ctx, key);
    throw new Failure("too_many_requests", "research_running");
  }
  await enqueueRun(ctx, request, { sessionId, runId, chargedUsage, isFirst });
  return { sessionId, runId };
}

async function enqueueRun(
  ctx: UserCtx,
  request: SendInput,
  { sessionId, runId, chargedUsage, isFirst }: StartedRun & { chargedUsage: Counted; isFirst: boolean },
): Promise<void> {
  const { own, caller, jobs, clock } = ctx;
  const now = clock.now();
  const { userMessage: question, mayQuoteLibrary, isStrict, model = null } = request;
  const language = questionLanguage(question, ctx.language());
  if (isFirst) {
    const shortDescription = request.shortDescription ?? describeQuestion(question);
    await appendResearchQuestion(own, sessionId, {
      entry: { id: runId, creator: "user", iteration: 0, task_id: null, content: question, created_at: now },
      timelineEntry: { short_description: shortDescription, message: question, created_at: now },
      language,
    });
  }
  const input: ResearchJobInput = {
    sessionId,
    runId,
    question,
    language,
    mayQuoteLibrary,
    isStrict,
    model,
    chargedUsage,
  };
  await jobs.enqueue({
    _id: researchJobKey(caller.userId, runId),
    ownerId: caller.userId,
    kind: RESEARCH_JOB,
    input,
  });
  if (isFirst) await publishResearch(own, sessionId);
  // Equal requests share one run, which the one that started it counts: another may enqueue its job first.
  if (!isFirst) await refundUsage(own, chargedUsage);
}

/** The session of the request; creates a session if the request gives no id. */
async function requireSession(ctx: UserCtx, request: SendInput, runId: string): Promise<ResearchSessionDoc> {
  const { own, clock } = ctx;
  if (request.conversationId === null)
    await insertResearchSession(own, { sessionId: runId, title: "", now: clock.now() });
  const session = await findResearchSession(own, request.conversationId ?? runId);
  if (!session) throw new Failure("not_found", "no_research");
  return finalizeIfInterrupted(ctx, session);
}

/** Acquires a slot and counts the run before it starts, so that concurrent requests cannot exceed the limits. */
async function acquireSlotAndCount(ctx: UserCtx, key: string): Promise<Counted> {
  if (!(await acquireResearchSlot(ctx, key))) throw new Failure("too_many_requests", "too_many_research_runs");
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).researchMessages;
  const most = isUnlimited("researchMessages", limit) ? Number.POSITIVE_INFINITY : limit;
  const counting = await countUsage(ctx, "researchMessages", 1, most);
  if (counting.outcome === "counted") return counting.counted;
  await releaseResearchSlot(ctx, key);
  throw new Failure("limit_reached", "research_limit", {}, { limit: "researchMessages", most: limit });
}
