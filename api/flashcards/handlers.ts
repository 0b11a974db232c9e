import { ulid } from "ulid";
import { englishReason } from "#shared/messages/translate.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { flashcards } from "#shared/flashcards/contract.ts";
import type { GenerationEvent, GenerationOptions, GenerationStatus } from "#shared/flashcards/schema.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { isActive, type Job } from "#api/jobs/jobs-port.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { assistHandlers } from "./assist-handlers.ts";
import { GENERATION_JOB, type GenerationCheckpoint, type GenerationInput, jobIdOf, jobKey } from "./generation.ts";
import { exportHandlers } from "./export.ts";
import { favouriteHandlers } from "./favourites.ts";
import { importHandlers } from "./import.ts";
import { pictureHandlers } from "./pictures.ts";
import { gatherSources } from "./gather-sources.ts";
import { removeSourceTexts } from "./store.ts";

const LIST_WINDOW_MS = 86_400_000;
/** Active generations per account, limited because workers are shared. */
const MAX_ACTIVE_JOBS = 5;

export const handlers: Handlers<typeof flashcards> = {
  ...importHandlers,
  ...exportHandlers,
  ...favouriteHandlers,
  ...pictureHandlers,
  ...assistHandlers,

  async *generateCards(ctx, input, files) {
    const jobId = input.options.jobId ?? ulid();
    const key = jobKey(ctx.caller.userId, jobId);
    // A repeated request, as after a lost response, skips the checks that the first one passed.
    if (!(await ctx.jobs.get(ctx.caller.userId, key))) {
      await requireFreeSlot(ctx);
      await requireModel(ctx, input.options);
      await requireTarget(ctx, input.options);
      const gathered = await gatherSources(ctx, input, files, key);
      const jobInput: GenerationInput = { options: input.options, ...gathered };
      await ctx.jobs.enqueue({ _id: key, ownerId: ctx.caller.userId, kind: GENERATION_JOB, input: jobInput });
      await cancelIfOverLimit(ctx, key);
    }
    yield { type: "started", seq: 0, jobId };
    yield* followJobEvents(ctx, key, 0);
  },

  async *followGeneration(ctx, { jobId, after }) {
    const job = await requireJob(ctx, jobId);
    if (after === 0) yield { type: "started", seq: 0, jobId };
    yield* followJobEvents(ctx, job._id, after);
  },

  async cancelGeneration(ctx, { jobId }) {
    const { _id } = await requireJob(ctx, jobId);
    return presentStatus(requireKnownJob(await ctx.jobs.cancel(ctx.caller.userId, _id)));
  },

  async resumeGeneration(ctx, { jobId }) {
    const { _id, status } = await requireJob(ctx, jobId);
    if (status === "cancelled") await requireFreeSlot(ctx);
    return presentStatus(requireKnownJob(await ctx.jobs.resume(ctx.caller.userId, _id)));
  },

  async listGenerations(ctx, { componentId }) {
    const jobs = await ctx.jobs.list(ctx.caller.userId, GENERATION_JOB, ctx.clock.now() - LIST_WINDOW_MS);
    const matching = jobs.filter((job) => componentId === undefined || targetOf(job)?.componentId === componentId);
    return { generations: await Promise.all(matching.map((job) => presentWithOutcome(ctx, job))) };
  },
};

async function listActive({ jobs, caller, clock }: UserCtx): Promise<Job[]> {
  const recent = await jobs.list(caller.userId, GENERATION_JOB, clock.now() - LIST_WINDOW_MS);
  return recent.filter(isActive);
}

const tooManyGenerations = (count: number) => new Failure("too_many_requests", "too_many_decks", { count });

async function requireFreeSlot(ctx: UserCtx): Promise<void> {
  const { length } = await listActive(ctx);
  if (length >= MAX_ACTIVE_JOBS) throw tooManyGenerations(length);
}

/** Concurrent requests may all pass the check, so the latest ones above the limit cancel themselves. */
async function cancelIfOverLimit(ctx: UserCtx, key: string): Promise<void> {
  const active = await listActive(ctx);
  const inOrder = active.toSorted((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1));
  if (inOrder.findIndex(({ _id }) => _id === key) < MAX_ACTIVE_JOBS) return;
  await ctx.jobs.cancel(ctx.caller.userId, key);
  await removeSourceTexts(ctx.own, key);
  throw tooManyGenerations(MAX_ACTIVE_JOBS);
}

async function requireModel({ models }: UserCtx, { model }: GenerationOptions): Promise<void> {
  if (!(await models.choose(model))) throw new Failure("bad_input", "no_model");
}

async function requireTarget({ own }: UserCtx, { target }: GenerationOptions): Promise<void> {
  if (!target) return;
  const deck = await findComponent(own, target.componentId);
  if (deck?.type !== "flash_cards" || deck.pageId !== target.pageId) throw new Failure("not_found", "no_deck");
}

async function requireJob({ jobs, caller }: UserCtx, jobId: string): Promise<Job> {
  const job = await jobs.get(caller.userId, jobKey(caller.userId, jobId));
  return requireKnownJob(job?.kind === GENERATION_JOB ? job : undefined);
}

function requireKnownJob(job: Job | undefined): Job {
  if (!job) throw new Failure("not_found", "no_generation");
  return job;
}

/** Yields numbered events from the job's log; adds a final error event if the job ended without one. */
async function* followJobEvents(ctx: UserCtx, key: string, after: number): AsyncGenerator<GenerationEvent> {
  let seq = after;
  let hasEnded = false;
  for await (const logged of ctx.jobs.follow(ctx.caller.userId, key, after, ctx.signal)) {
    ({ seq } = logged);
    const event = { ...logged.event, seq } as GenerationEvent;
    hasEnded = event.type === "result" || event.type === "error";
    yield event;
  }
  const job = ctx.signal.aborted || hasEnded ? undefined : await ctx.jobs.get(ctx.caller.userId, key);
  if (job?.status === "cancelled")
    yield { type: "error", seq: seq + 1, ...new Failure("cancelled", "stopped_cards_saved").toEventFields() };
  else if (job?.status === "failed")
    yield { type: "error", seq: seq + 1, ...new Failure("broken", "no_cards_made").toEventFields() };
}

const targetOf = (job: Job) => (job.input as GenerationInput).options.target ?? null;

function presentStatus(job: Job): GenerationStatus {
  const cardCount = (job.checkpoint as GenerationCheckpoint | null)?.cardCount ?? 0;
  const { status, createdAt } = job;
  return { jobId: jobIdOf(job), status, target: targetOf(job), cardCount, createdAt, outcome: null };
}

/** The last logged event shows how a generation ended. */
async function presentWithOutcome({ jobs, caller, signal }: UserCtx, job: Job): Promise<GenerationStatus> {
  const status = presentStatus(job);
  if (job.status !== "done" && job.status !== "failed") return status;
  const outcome: GenerationStatus["outcome"] = { message: null, filesProcessed: [] };
  if (job.status === "failed")
    Object.assign(outcome, { message: englishReason("no_cards_made"), reason: "no_cards_made" });
  for await (const { event } of jobs.follow(caller.userId, job._id, Math.max(0, job.lastSeq - 1), signal)) {
    const last = event as GenerationEvent;
    if (last.type === "result") outcome.filesProcessed = last.result.filesProcessed;
    if (last.type === "error") {
      const { message, reason, params, data } = last;
      Object.assign(outcome, { message, reason, params, ...data });
    }
  }
  return { ...status, outcome };
}
