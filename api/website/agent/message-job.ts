import { ulid } from "ulid";
import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { MESSAGE_TIMEOUT_MS } from "#shared/website/rules.ts";
import type { WebsitePart } from "#shared/website/message-parts.ts";
import type { ClientMessage, ServerEvent } from "#shared/website/schema.ts";
import type { Caller, Deps } from "#api/http/handler.ts";
import { isActive, type JobRun } from "#api/jobs/jobs-port.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { countUsage, type Counted, refundUsage } from "#api/user/service.ts";
import { presentWebsiteThread } from "../site-state.ts";
import {
  findWebsiteMessage,
  findProject,
  findWebsiteThread,
  insertWebsiteMessage,
  listThreadMessages,
  patchWebsiteMessage,
  patchProject,
  patchWebsiteThread,
} from "../store.ts";
import { answerWithModel } from "./answer-with-model.ts";
import { answerWithoutModel } from "./answer-without-model.ts";
import type { AnswerRun, MessageInput, ToolOutcome } from "./answer-run.ts";

const MESSAGE_JOB = "website_message";
const MAX_CONCURRENT = 4;

type UserMessage = Extract<ClientMessage, { type: "user_message" }>;

export function registerWebsite(deps: Deps): void {
  deps.jobs.register(MESSAGE_JOB, (run) => processMessage(deps, run), MAX_CONCURRENT);
}

/** Stores a message and starts its answer. The same id twice is one message; one message at a time in a project. */
export async function startMessage(
  deps: Deps,
  own: Own,
  caller: Caller,
  { projectId, threadId, message, messageId = ulid() }: UserMessage,
): Promise<{ error?: string }> {
  const job = `${own.ownerId}:website:${messageId}`;
  if (await deps.jobs.get(own.ownerId, job)) return {};
  const project = await findProject(own, projectId);
  const current = project?.messageJob ? await deps.jobs.get(own.ownerId, project.messageJob) : undefined;
  if (current && isActive(current)) return { error: "A message is being processed already." };
  const hasModel = (await deps.models.choose())?.talk !== undefined;
  const counted = hasModel ? await countMessage(deps, own, caller) : null;
  if (counted === "limit") return { error: "You've reached your usage limit. Upgrade to continue!" };
  const [last] = (await listThreadMessages(own, threadId)).slice(-1);
  // Strictly later than the message before, so that their order is certain.
  const now = Math.max(deps.clock.now(), (last?.createdAt ?? 0) + 1);
  const parts: WebsitePart[] = [{ type: "text", metadata: { text: message.trim() } }];
  await insertWebsiteMessage(own, {
    projectId,
    threadId,
    messageId,
    role: "user",
    model: null,
    parts,
    createdAt: now,
    updatedAt: now,
  });
  await patchWebsiteThread(own, threadId, { updatedAt: now });
  await patchProject(own, projectId, { messageJob: job });
  const input: MessageInput = { projectId, threadId, messageId, answerId: ulid(), text: message.trim(), counted };
  await deps.jobs.enqueue({ _id: job, ownerId: own.ownerId, kind: MESSAGE_JOB, input });
  return {};
}

/** A message to a model counts like one to the tutor; the built-in answers cost nothing. */
async function countMessage({ clock }: Deps, own: Own, { plan }: Caller): Promise<Counted | "limit"> {
  const limit = limitsOf(plan, clock.now()).assistantMessages;
  const most = isUnlimited("assistantMessages", limit) ? Number.POSITIVE_INFINITY : limit;
  const counting = await countUsage({ own, clock }, "assistantMessages", 1, most);
  return counting.outcome === "counted" ? counting.counted : "limit";
}

interface Followed {
  job: string;
  projectId: string;
  signal: AbortSignal;
}

/** The events of a message from its beginning to its end, whatever ends it. */
export async function* followMessage(deps: Deps, own: Own, { job, signal }: Followed): AsyncGenerator<ServerEvent> {
  for await (const { event } of deps.jobs.follow(own.ownerId, job, 0, signal)) {
    yield event as ServerEvent;
    if (event["type"] === "message_processing_complete") return;
  }
  const ended = signal.aborted ? undefined : await deps.jobs.get(own.ownerId, job);
  if (!ended) return;
  if (ended.status === "cancelled") yield { type: "message_processing_complete", success: true };
  else yield { type: "message_processing_complete", success: false, error: "The answer ended early." };
}

async function processMessage(deps: Deps, jobRun: JobRun): Promise<void> {
  const { job, signal } = jobRun;
  const input = job.input as MessageInput;
  const own = ownedBy(deps.store, job.ownerId);
  const send = (event: ServerEvent) => jobRun.emit([event]);
  const writer = new AnswerWriter(send, input.answerId);
  const silence = new SilenceTimer(signal);
  await send({ type: "message_processing_started", messageId: input.answerId });
  const run: AnswerRun = {
    deps,
    own,
    input,
    signal: silence.signal,
    keepAlive: () => void silence.renew(Promise.resolve()),
    write: (text, part) => silence.renew(writer.write(text, part)),
    beginTool: (name, args) => silence.renew(writer.beginTool(name, args)),
  };
  let error: string | undefined;
  let model: string | null = null;
  try {
    const chosen = await deps.models.choose();
    model = chosen?.talk ? chosen.info.id : null;
    if (chosen?.talk) await answerWithModel(run, chosen);
    else await answerWithoutModel(run);
  } catch (cause) {
    signal.throwIfAborted();
    error = silence.hasExpired ? "The agent took too long to respond. Please try again." : messageOf(cause);
    if (!silence.hasExpired) deps.log.info({ err: cause }, "a website message failed");
  } finally {
    silence.stop();
    await saveAnswer(deps, own, input, { parts: writer.parts, model });
  }
  if (error !== undefined && writer.parts.length === 0 && input.counted) await refundUsage(own, input.counted);
  await sendThread(own, input, send);
  await send({
    type: "message_processing_complete",
    success: error === undefined,
    ...(error === undefined ? {} : { error }),
  });
}

const messageOf = (cause: unknown) =>
  cause instanceof Error && "code" in cause ? cause.message : "Something went wrong.";

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

async function sendThread(
  own: Own,
  { threadId }: MessageInput,
  send: (event: ServerEvent) => Promise<void>,
): Promise<void> {
  const thread = await findWebsiteThread(own, threadId);
  if (thread)
    await send({
      type: "thread_update",
      thread: presentWebsiteThread(thread, await listThreadMessages(own, threadId)),
    });
}

/** Collects the parts of an answer and sends them as they come. */
class AnswerWriter {
  readonly parts: WebsitePart[] = [];
  readonly #send: (event: ServerEvent) => Promise<void>;
  readonly #messageId: string;

  constructor(send: (event: ServerEvent) => Promise<void>, messageId: string) {
    this.#send = send;
    this.#messageId = messageId;
  }

  async write(text: string, part: "text" | "reasoning" = "text"): Promise<void> {
    if (text === "") return;
    const last = this.parts.at(-1);
    if (last?.type === part) last.metadata.text += text;
    else this.parts.push({ type: part, metadata: { text } });
    await this.#send({ type: "assistant_message_chunk", messageId: this.#messageId, part, chunk: text });
  }

  async beginTool(name: string, args: Record<string, unknown>): Promise<(outcome: ToolOutcome) => Promise<void>> {
    const empty = { error: null, errorLog: null, result: null, resultText: null };
    const metadata = { name, args, invocationId: ulid(), ...empty };
    const part: WebsitePart = { type: "tool_invocation", metadata };
    this.parts.push(part);
    await this.#send({ type: "tool_invocation_start", messageId: this.#messageId, metadata });
    return async ({ resultText, error = null, errorLog = null, result = null }) => {
      part.metadata = { ...metadata, resultText, error, errorLog, result };
      await this.#send({ type: "tool_invocation_result", messageId: this.#messageId, metadata: part.metadata });
    };
  }
}

/** Aborts when nothing was written for the time a message may take. */
class SilenceTimer {
  readonly #abort = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout;
  hasExpired = false;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
    this.#timer = this.#start();
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.hasExpired = true;
      this.#abort.abort();
    }, MESSAGE_TIMEOUT_MS);
  }

  renew<T>(work: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
    return work;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
