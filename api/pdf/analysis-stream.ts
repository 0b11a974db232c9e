import { ulid } from "ulid";
import { pdfCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import { proposeSourceTitle } from "#shared/text/titles.ts";
import type { AnalysisEvent } from "#shared/pdf/analysis.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import { buildDocumentNamePrompt } from "#api/ai/prompts/summary.ts";
import type { Model } from "#api/ai/port.ts";
import { writeTitle } from "#api/ai/openai/write-objects.ts";
import type { FileRecord } from "#api/blobs/file-records.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { analysisKey, claimAnalysis, findAnalysis, type StoredAnalysis, type StoredPart } from "./analysis-store.ts";
import { ANALYSIS_JOB, type AnalysisInput } from "./analysis-job.ts";
import { readFilePassages } from "./service.ts";
import type { SummaryOptions } from "./statements.ts";

/** A document, and the component by which it is cited. */
export interface CitedFile {
  componentId: string;
  file: FileRecord;
}

interface AnalysisOptions extends SummaryOptions {
  model: string | undefined;
  /** Recompute even if a result is stored. */
  isFresh: boolean;
}

const MAX_ACTIVE = 4;
const ACTIVE_MS = 24 * 60 * 60 * 1000;
const NAME_PAGES = 3;
const NAME_CHARS = 4000;
const NAME_TOKENS = 60;

/** Ids chosen by clients are scoped to the account. */
const jobKey = (ctx: UserCtx, analysisId: string) => `${ctx.caller.userId}:${analysisId}`;
const analysisIdOf = (ctx: UserCtx, jobId: string) => jobId.slice(ctx.caller.userId.length + 1);

async function requireModel(ctx: UserCtx, id: string | undefined): Promise<Model> {
  const model = await ctx.models.choose(id);
  if (!model) throw new Failure("model_unavailable", "no_ai_model");
  return model;
}

/** Streams the stored analysis or starts one; identical requests share one job. */
export async function* streamAnalysis(
  ctx: UserCtx,
  cited: CitedFile,
  options: AnalysisOptions,
): AsyncGenerator<AnalysisEvent> {
  const model = await requireModel(ctx, options.model);
  const { language, instructions } = options;
  const query = { blobKey: cited.file.blobKey, model: model.info.id, language, instructions };
  const key = analysisKey(ctx.own, query);
  const input: AnalysisInput = { key, fileId: cited.file._id, model: model.info.id, language, instructions };
  const found = await findOrStart(ctx, input, options.isFresh);
  yield { type: "started", analysisId: analysisIdOf(ctx, found.jobId), isStored: found.result !== null };
  if (found.result) yield* storedEvents(found.result, cited.componentId);
  else yield* followJob(ctx, found.jobId, cited.componentId);
}

async function findOrStart(ctx: UserCtx, input: AnalysisInput, isFresh: boolean) {
  for (;;) {
    const existing = await findAnalysis(ctx.own, input.key);
    const isRunning = existing !== undefined && existing.result === null && (await isJobActive(ctx, existing.jobId));
    if (existing && (isRunning || (existing.result && !isFresh))) return existing;
    await requireFreeSlot(ctx);
    const jobId = jobKey(ctx, ulid());
    const claim = { before: existing?.jobId, jobId, now: ctx.clock.now() };
    if (!(await claimAnalysis(ctx.own, input.key, claim))) continue;
    await ctx.jobs.enqueue({ _id: jobId, ownerId: ctx.caller.userId, kind: ANALYSIS_JOB, input });
    return { jobId, result: null };
  }
}

async function isJobActive(ctx: UserCtx, jobId: string): Promise<boolean> {
  const job = await ctx.jobs.get(ctx.caller.userId, jobId);
  return job !== undefined && isActive(job);
}

async function requireFreeSlot({ jobs, caller, clock }: UserCtx): Promise<void> {
  const recent = await jobs.list(caller.userId, ANALYSIS_JOB, clock.now() - ACTIVE_MS);
  if (recent.filter(isActive).length >= MAX_ACTIVE) throw new Failure("too_many_requests", "too_many_analyses");
}

function presentPart(part: StoredPart, componentId: string): AnalysisEvent {
  const statements = part.statements.map((statement) => {
    return { ...statement, citation: pdfCitation(componentId, statement.page, statement.quote) };
  });
  return { type: "part", part: { ...part, statements } };
}

function* storedEvents({ parts, notices }: StoredAnalysis, componentId: string): Generator<AnalysisEvent> {
  for (const notice of notices) yield { type: "notice", notice };
  for (const part of parts) yield presentPart(part, componentId);
  yield { type: "end" };
}

async function* followJob(ctx: UserCtx, jobId: string, componentId: string): AsyncGenerator<AnalysisEvent> {
  for await (const { event } of ctx.jobs.follow(ctx.caller.userId, jobId, 0, ctx.signal)) {
    const analysisEvent = event as AnalysisEvent;
    yield analysisEvent.type === "part" ? presentPart(analysisEvent.part, componentId) : analysisEvent;
    if (analysisEvent.type === "end" || analysisEvent.type === "error") return;
  }
  if (ctx.signal.aborted) return;
  const job = await ctx.jobs.get(ctx.caller.userId, jobId);
  if (job?.status === "cancelled") yield { type: "error", ...new Failure("cancelled", "stopped").toEventFields() };
  else yield { type: "error", ...new Failure("broken", "server_broken").toEventFields() };
}

/** Cancels an analysis; true if it was still running. */
export async function stopAnalysis(ctx: UserCtx, analysisId: string): Promise<boolean> {
  const key = jobKey(ctx, analysisId);
  const job = await ctx.jobs.get(ctx.caller.userId, key);
  if (job?.kind !== ANALYSIS_JOB) throw new Failure("not_found", "no_analysis");
  return (await ctx.jobs.cancel(ctx.caller.userId, key))?.status === "cancelled";
}

/** Proposes a name: the model's, else the document's own title, else the file name. */
export async function proposeDocumentName(
  ctx: UserCtx,
  { file }: CitedFile,
  modelId: string | undefined,
): Promise<string> {
  const model = await requireModel(ctx, modelId);
  const { passages } = await readFilePassages(ctx, file._id, { from: 1, to: NAME_PAGES });
  const written = passages.length > 0 ? await proposeNameWithModel(ctx, model, passages) : "";
  const fileName = file.name.replace(/\.[a-z0-9]{2,5}$/iu, "");
  return [written, proposeSourceTitle(passages), fileName].find((name) => name !== "") ?? file.name;
}

async function proposeNameWithModel(
  ctx: UserCtx,
  model: Model,
  passages: readonly { text: string }[],
): Promise<string> {
  const opening: string[] = [];
  let chars = 0;
  for (const { text } of passages) {
    if (chars >= NAME_CHARS) break;
    opening.push(text.slice(0, NAME_CHARS - chars));
    chars += text.length;
  }
  const { userId: ownerId } = ctx.caller;
  const query = { ...buildDocumentNamePrompt(opening), maxTokens: NAME_TOKENS, ownerId, signal: ctx.signal };
  return (await writeTitle(model, query)) ?? "";
}
