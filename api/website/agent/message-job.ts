import { ulid } from "ulid";
import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { WebsitePart } from "#shared/website/message-parts.ts";
import type { ClientMessage, ServerEvent } from "#shared/website/schema.ts";
import type { Model } from "#api/ai/port.ts";
import type { Caller, Deps } from "#api/http/handler.ts";
import { isActive, type JobRun } from "#api/jobs/jobs-port.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { countUsage, type Counted, refundUsage } from "#api/user/service.ts";
import { presentWebsiteThread } from "../site-state.ts";
import {
  claimProject,
  findWebsiteMessage,
  findProject,
  findWebsiteThread,
  insertWebsiteMessage,
  listThreadMessages,
  patchWebsiteMessage,
  patchWebsiteThread,
  type ProjectDoc,
  releaseProject,
} from "../store.ts";
import { answerAfterRestart, hasChangedSite } from "./answer-after-restart.ts";
import { answerWithModel } from "./answer-with-model.ts";
import { answerWithoutModel } from "./answer-without-model.ts";
import type { AnswerRun, MessageInput } from "./answer-run.ts";
import { AnswerWriter } from "./answer-writer.ts";
import { LiveEvents } from "./live-events.ts";
import { SilenceTimer } from "./silence-timer.ts";

const MESSAGE_JOB = "website_message";
const MAX_CONCURRENT = 4;
/** Interval of progress events for an answer without words; a client gives up after 120 seconds of silence. */
const PROGRESS_MS = 15_000;

type UserMessage = Extract<ClientMessage, { type: "user_message" }>;

export function registerWebsite(deps: Deps): void {
  deps.jobs.register(MESSAGE_JOB, (run) => processMessage(deps, run), MAX_CONCURRENT);
}

/** Time within which a message that claimed its project must have a job. */
const CLAIM_MS = 30_000;

const busy = () => new Failure("too_many_requests", "website_busy");

/** Whether another message is being processed, or is about to be. */
async function isBusy({ jobs, clock }: Deps, own: Own, project: ProjectDoc, job: string): Promise<boolean> {
  const { messageJob = "", messageClaimedAt = 0 } = project;
  if (messageJob === "" || messageJob === job) return false;
  const current = await jobs.get(own.ownerId, messageJob);
  return current ? isActive(current) : clock.now() - messageClaimedAt < CLAIM_MS;
}

/**
 * Stores a message and starts its answer; resolves to why it was refused. A repeated id is the same message. A project
 * processes one message at a time.
 */
export async function startMessage(
  deps: Deps,
  own: Own,
  caller: Caller,
  message: UserMessage,
): Promise<Failure | undefined> {
  const { projectId, messageId = ulid() } = message;
  const job = `${own.ownerId}:website:${messageId}`;
  if (await deps.jobs.get(own.ownerId, job)) return undefined;
  const project = await findProject(own, projectId);
  if (!project || (await isBusy(deps, own, project, job))) return busy();
  const hasModel = (await deps.models.choose())?.chat !== undefined;
  const chargedUsage = hasModel ? await countMessage(deps, own, caller) : null;
  if (chargedUsage === "limit") return new Failure("limit_reached", "usage_limit");
  // Of two messages at the same time, only one claims the project.
  if (!(await claimProject(own, project, { messageJob: job, messageClaimedAt: deps.clock.now() }))) {
    if (chargedUsage) await refundUsage(own, chargedUsage);
    return busy();
  }
  try {
    await enqueueMessage(deps, own, { ...message, messageId }, { job, chargedUsage });
  } catch (error) {
    await releaseUnstarted(deps, own, project, job).catch(() => undefined);
    throw error;
  }
  return undefined;
}

async function enqueueMessage(
  deps: Deps,
  own: Own,
  message: UserMessage & { messageId: string },
  { job, chargedUsage }: { job: string; chargedUsage: Counted | null },
): Promise<void> {
  let isEnqueued = false;
  try {
    const input = await storeMessage(deps, own, message);
    const work = { _id: job, ownerId: own.ownerId, kind: MESSAGE_JOB, input: { ...input, chargedUsage } };
    // The same message may have come over another socket at the same moment.
    isEnqueued = !(await deps.jobs.enqueue(work)).alreadyExists;
  } finally {
    if (chargedUsage && !isEnqueued) await refundUsage(own, chargedUsage);
  }
}

/** Releases the project for another message, unless the job exists in spite of the failure. */
async function releaseUnstarted({ jobs }: Deps, own: Own, project: ProjectDoc, job: string): Promise<void> {
  if (!(await jobs.get(own.ownerId, job))) await releaseProject(own, project, job);
}

async function storeMessage(
  { clock }: Deps,
  own: Own,
  { projectId, threadId, messageId, message }: UserMessage & { messageId: string },
): Promise<Omit<MessageInput, "chargedUsage">> {
  const [last] = (await listThreadMessages(own, threadId)).slice(-1);
  // Strictly later than the message before, so that their order is certain.
  const now = Math.max(clock.now(), (last?.createdAt ?? 0) + 1);
  const text = message.trim();
  const parts: WebsitePart[] = [{ type: "text", metadata: { text } }];
  const stored = { projectId, threadId, messageId, role: "user" as const, model: null, parts };
  await insertWebsiteMessage(own, { ...stored, createdAt: now, updatedAt: now });
  await patchWebsiteThread(own, threadId, { updatedAt: now });
  return { projectId, threadId, messageId, answerId: ulid(), text };
}

/** A message to a model counts like one to the tutor; the built-in answers are not counted. */
async function countMessage({ clock }: Deps, own: Own, { plan }: Caller): Promise<Counted | "limit"> {
  const limit = limitsOf(plan, clock.now()).assistantMessages;
  const most = isUnlimited("assistantMessages", limit) ? Number.POSITIVE_INFINITY : limit;
  const counting = await countUsage({ own, clock }, "assistantMessages", 1, most);
  return counting.outcome === "counted" ? counting.counted : "limit";
}

interface Followed {
  job: string;
  threadId: string;
  signal: AbortSignal;
}

/**
 * The job of the message that was last sent in a thread; undefined if a later message was sent in another thread of the
 * project.
 */
export async function findThreadJob(
  deps: Deps,
  own: Own,
  { projectId, threadId }: Pick<UserMessage, "projectId" | "threadId">,
) {
  const { messageJob = "" } = (await findProject(own, projectId)) ?? {};
  const job = messageJob === "" ? undefined : await deps.jobs.get(own.ownerId, messageJob);
  return job && (job.input as MessageInput).threadId === threadId ? job : undefined;
}

/**
 * Yields the events of a message from its beginning to its end, however it ends. The thread is sent before the first
 * event, so that other tabs show the question too, and again before the last event.
 */
export async function* followMessage(
  deps: Deps,
  own: Own,
  { job, threadId, signal }: Followed,
): AsyncGenerator<ServerEvent> {
  yield* readThread(own, threadId);
  for await (const event of readEvents(deps, own, job, signal)) {
    const isLast = event.type === "message_processing_complete";
    if (isLast) yield* readThread(own, threadId);
    yield event;
    if (isLast) return;
  }
  const ended = signal.aborted ? undefined : await deps.jobs.get(own.ownerId, job);
  if (!ended) return;
  yield* readThread(own, threadId);
  if (ended.status === "cancelled") yield { type: "message_processing_complete", success: true };
  else yield toComplete(new Failure("unreachable", "website_answer_cut"));
}

/**
 * Yields the stored events. Once this process is answering, yields the live events instead, which do not wait for the
 * disk.
 */
async function* readEvents(deps: Deps, own: Own, job: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  for await (const { event } of deps.jobs.follow(own.ownerId, job, 0, signal)) {
    const live = event["type"] === "message_processing_started" ? LiveEvents.find(job) : undefined;
    if (live) {
      yield* live.read(signal);
      return;
    }
    yield event as ServerEvent;
  }
}

/** The checkpoint of a run; a restart continues the event log after it. */
interface Reached {
  isComplete: boolean;
}

async function processMessage(deps: Deps, jobRun: JobRun): Promise<void> {
  const live = LiveEvents.open(jobRun.job._id);
  try {
    await answerMessage(deps, jobRun, live);
  } finally {
    live.close();
  }
}

async function answerMessage(deps: Deps, jobRun: JobRun, live: LiveEvents): Promise<void> {
  const { job, signal } = jobRun;
  const input = job.input as MessageInput;
  const reached = job.checkpoint as Reached | null;
  if (reached?.isComplete) return;
  const own = ownedBy(deps.store, job.ownerId);
  const send = (events: readonly ServerEvent[], isComplete = false) => jobRun.emit(events, { isComplete });
  const started = { type: "message_processing_started" as const, messageId: input.answerId };
  live.push(started);
  await send([started]);
  const writer = new AnswerWriter(live, send, input.answerId);
  const silence = new SilenceTimer(signal);
  let failure: Failure | undefined;
  let model: string | null = null;
  try {
    const chosen = await deps.models.choose();
    model = chosen?.chat ? chosen.info.id : null;
    await writeAnswer(createRun({ deps, own, input }, writer, silence), chosen, reached !== null);
    await writer.flush();
  } catch (cause) {
    signal.throwIfAborted();
    failure = silence.hasExpired ? new Failure("timed_out", "website_answer_slow") : toFailure(cause);
    deps.log.info({ err: cause, isSilent: silence.hasExpired }, "a website message failed");
  } finally {
    silence.stop();
    await writer.flush().catch(() => undefined);
    await saveAnswer(deps, own, input, { parts: writer.parts, model });
  }
  if (failure && writer.parts.length === 0 && input.chargedUsage) await refundUsage(own, input.chargedUsage);
  const complete = toComplete(failure);
  await send([complete], true);
  live.push(complete);
}

async function writeAnswer(run: AnswerRun, model: Model | undefined, isRepeated: boolean): Promise<void> {
  if (isRepeated && (await hasChangedSite(run))) await answerAfterRestart(run);
  else if (model?.chat) await answerWithModel(run, model);
  else await answerWithoutModel(run);
}

/** The last event of an answer: why it failed, or that it is complete. */
export function toComplete(
  failure: Failure | undefined,
): Extract<ServerEvent, { type: "message_processing_complete" }> {
  if (!failure) return { type: "message_processing_complete", success: true };
  const { code, message, ...why } = failure.toEventFields();
  return { type: "message_processing_complete", success: false, error: message, code, ...why };
}

function createRun(
  base: Pick<AnswerRun, "deps" | "own" | "input">,
  writer: AnswerWriter,
  silence: SilenceTimer,
): AnswerRun {
  let reportedAt = performance.now();
  return {
    ...base,
    signal: silence.signal,
    keepAlive() {
      silence.renew();
      if (performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      writer.reportProgress();
    },
    write(text, part) {
      silence.renew();
      writer.write(text, part);
    },
    beginTool(name, args) {
      silence.renew();
      return writer.beginTool(name, args);
    },
  };
}

const toFailure = (cause: unknown) => (cause instanceof Failure ? cause : new Failure("broken", "something_wrong"));

async function saveAnswer(
  { clock }: Deps,
  own: Own,
  { projectId, threadId, messageId, answerId }: MessageInput,
  { parts, model }: { parts: WebsitePart[]; model: string | null },
): Promise<void> {
  if (parts.length === 0) return;
  const now = clock.now();
  const question = await findWebsiteMessage(own, messageId);
  // The project was deleted in the meantime.
  if (!question) return;
  const createdAt = Math.max(now, question.createdAt + 1);
  const answer = { projectId, threadId, messageId: answerId, role: "assistant" as const, model, parts };
  if ((await insertWebsiteMessage(own, { ...answer, createdAt, updatedAt: now })) === "duplicate")
    await patchWebsiteMessage(own, answerId, { parts, updatedAt: now });
  await patchWebsiteThread(own, threadId, { updatedAt: now });
}

async function* readThread(own: Own, threadId: string): AsyncGenerator<ServerEvent> {
  const thread = await findWebsiteThread(own, threadId);
  if (thread)
    yield { type: "thread_update", thread: presentWebsiteThread(thread, await listThreadMessages(own, threadId)) };
}
