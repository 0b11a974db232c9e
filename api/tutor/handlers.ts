import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { proposeModels } from "#shared/tutor/model-choice.ts";
import type { tutor } from "#shared/tutor/contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { refundUsage, takeUsage } from "#api/user/service.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { AnswerInput } from "./answering/answer-input.ts";
import { finalizeIfOrphaned, awaitStoppedMessage } from "./answering/finalize-answer.ts";
import { followAnswer } from "./answer-stream.ts";
import { titleFromQuestion } from "./title-from-question.ts";
import {
  findMessage,
  findThread,
  insertMessage,
  insertThread,
  listMessages,
  listThreads,
  type MessageDoc,
  nameThread,
  patchThread,
  presentMessage,
  presentThread,
  removeThread,
  type ThreadDoc,
} from "./store.ts";
import { proposeThreadTitle } from "./propose-thread-title.ts";
import { getMemoryBytes } from "./machine-memory.ts";
import { testModel } from "./test-model.ts";
import { releaseSlot, acquireSlot } from "./concurrency-slots.ts";
import { ANSWER_JOB } from "./answer-job.ts";

type AskInput = Parsed<typeof tutor.ask>;

const threadNotFound = () => new Failure("not_found", "no_conversation");
const answerNotFound = () => new Failure("not_found", "no_answer");

/** Ids are chosen by clients, so they are scoped to the account: other accounts' ids are simply unknown. */
const jobKey = ({ caller }: UserCtx, answerId: string) => `${caller.userId}:answer:${answerId}`;

async function requireThread({ own }: UserCtx, threadId: string): Promise<ThreadDoc> {
  const thread = await findThread(own, threadId);
  if (!thread) throw threadNotFound();
  return thread;
}

export const handlers: Handlers<typeof tutor> = {
  listModels: ({ models }) => models.list(),

  async lookForModels({ models }) {
    const memoryBytes = getMemoryBytes();
    return { ...(await models.findLocal()), memoryBytes, ...proposeModels(memoryBytes) };
  },

  testModel: ({ models, signal }, { modelId }) => testModel(models, modelId, signal),

  async listThreads({ own }, { archived }) {
    return { threads: (await listThreads(own, archived === "true")).map(presentThread) };
  },

  async getThread(ctx, { threadId }) {
    const thread = await requireThread(ctx, threadId);
    const stored = await listMessages(ctx.own, threadId);
    const messages = await Promise.all(
      stored.map((message) => finalizeIfOrphaned(ctx, message, jobKey(ctx, message.messageId))),
    );
    return { thread: presentThread(thread), messages: messages.map(presentMessage) };
  },

  async changeThread(ctx, { threadId, title, archived, head }) {
    const thread = await requireThread(ctx, threadId);
    if (head !== undefined && (await findMessage(ctx.own, head))?.threadId !== threadId) throw threadNotFound();
    const set: Partial<ThreadDoc> = {
      ...(title === undefined ? {} : { title, isNamed: true }),
      ...(archived === undefined ? {} : { archived, archivedAt: archived ? ctx.clock.now() : null }),
      ...(head === undefined ? {} : { head }),
    };
    return presentThread((await patchThread(ctx.own, threadId, set)) ?? thread);
  },

  async deleteThread(ctx, { threadId }) {
    await requireThread(ctx, threadId);
    for (const { messageId, status } of await listMessages(ctx.own, threadId)) {
      const job = status === "writing" && (await ctx.jobs.cancel(ctx.caller.userId, jobKey(ctx, messageId)));
      // Wait for its end, which refunds the quota of an empty answer.
      if (job) await awaitStoppedMessage(ctx, job);
    }
    await removeThread(ctx.own, threadId);
    return { success: true };
  },

  async nameThread(ctx, { threadId }) {
    const thread = await requireThread(ctx, threadId);
    const messages = (await listMessages(ctx.own, threadId)).filter(({ text }) => text.trim() !== "");
    if (thread.isNamed || messages.length < 2) return { title: thread.title };
    const title = (await proposeThreadTitle(ctx, messages)) ?? titleFromQuestion(messages[0]?.text ?? "");
    return { title: (await nameThread(ctx.own, threadId, title))?.title ?? thread.title };
  },

  async *ask(ctx, request) {
    const key = jobKey(ctx, request.answerId);
    // A repeated request, as after a lost response, was already counted and started.
    if (!(await ctx.jobs.get(ctx.caller.userId, key))) await startAnswer(ctx, request, key);
    yield { type: "started", seq: 0, answerId: request.answerId };
    yield* followAnswer(ctx, key, request.answerId, 0);
  },

  async *followAnswer(ctx, { answerId, after }) {
    const key = jobKey(ctx, answerId);
    if (!(await ctx.jobs.get(ctx.caller.userId, key))) throw answerNotFound();
    yield { type: "started", seq: after, answerId };
    yield* followAnswer(ctx, key, answerId, after);
  },

  async stopAnswer(ctx, { answerId }) {
    const job = await ctx.jobs.cancel(ctx.caller.userId, jobKey(ctx, answerId));
    if (!job) throw answerNotFound();
    const message = await awaitStoppedMessage(ctx, job);
    if (!message) throw answerNotFound();
    return presentMessage(message);
  },
};

/** Validates everything before anything is counted or stored. */
async function startAnswer(ctx: UserCtx, request: AskInput, key: string): Promise<void> {
  const { own, caller, jobs, clock } = ctx;
  if (request.model !== undefined && !(await ctx.models.choose(request.model)))
    throw new Failure("bad_input", "no_model");
  const question = await requireQuestion(ctx, request);
  const { counted: chargedUsage, recordFigures } = await acquireSlotAndCount(ctx, key);
  const now = clock.now();
  const answer = createMessage(request, {
    role: "assistant",
    text: "",
    createdAt: Math.max(now, question.createdAt + 1),
  });
  // At once, so that they share a commit: the answer waits for each.
  const [, , outcome] = await Promise.all([
    // The day's next use writes the whole sum again.
    recordFigures().catch((error: unknown) =>
      ctx.log.error({ requestId: ctx.requestId, err: error }, "a question could not be counted in the figures"),
    ),
    request.text === undefined ? undefined : insertMessage(own, question),
    insertMessage(own, { ...answer, parent: question.messageId, status: "writing" }),
    saveThread(own, request, question, now),
  ]);
  const input: AnswerInput = {
    threadId: request.threadId,
    messageId: question.messageId,
    answerId: request.answerId,
    model: request.model ?? null,
    chargedUsage,
  };
  if (outcome === "duplicate") {
    // Equal requests share one answer, which the one that stored its message counts: another may enqueue its job first.
    await refundUsage(own, chargedUsage);
    if (!(await isAnswerBegun(ctx, key, { ...answer, parent: question.messageId }))) {
      await releaseSlot(ctx, key);
      throw new Failure("already_exists", "id_taken");
    }
  }
  await jobs.enqueue({
    _id: key,
    ownerId: caller.userId,
    kind: ANSWER_JOB,
    input,
  });
}

/** Whether an equal request began this answer: it has a job, or its message is being written. */
async function isAnswerBegun(ctx: UserCtx, key: string, answer: NewMessage): Promise<boolean> {
  if (await ctx.jobs.get(ctx.caller.userId, key)) return true;
  const stored = await findMessage(ctx.own, answer.messageId);
  return stored?.status === "writing" && stored.threadId === answer.threadId && stored.parent === answer.parent;
}

/** Acquires an answer slot and counts the usage. */
async function acquireSlotAndCount(ctx: UserCtx, key: string) {
  if (!(await acquireSlot(ctx, key))) throw new Failure("too_many_requests", "too_many_answers");
  try {
    return await countMessage(ctx);
  } catch (cause) {
    await releaseSlot(ctx, key);
    throw cause;
  }
}

async function saveThread(
  own: Own,
  { threadId, answerId }: AskInput,
  { mode, ground: scope }: NewMessage,
  now: number,
) {
  // A thread archived in another tab is restored by a new question.
  const threadFields = { head: answerId, updatedAt: now, mode, ground: scope, archived: false, archivedAt: null };
  const thread = { threadId, title: "", isNamed: false, createdAt: now, ...threadFields };
  if ((await insertThread(own, thread)) !== "inserted") await patchThread(own, threadId, threadFields);
}

type NewMessage = Omit<MessageDoc, "_id" | "ownerId">;

function createMessage(
  request: AskInput,
  { role, text, createdAt }: { role: "user" | "assistant"; text: string; createdAt: number },
): NewMessage {
  const { threadId, answerId, messageId, parent, mode, ground: scope, selection, model } = request;
  return {
    messageId: role === "user" ? messageId : answerId,
    threadId,
    parent,
    role,
    text,
    citations: [],
    followUps: [],
    status: "done",
    error: null,
    mode,
    ground: scope,
    selection: role === "user" ? selection : null,
    model: model ?? null,
    createdAt,
    pending: null,
  };
}

/** The message to answer: a new one, or an existing one to regenerate. */
async function requireQuestion(ctx: UserCtx, request: AskInput): Promise<NewMessage> {
  const { own, clock } = ctx;
  const { threadId, messageId, parent, text } = request;
  const stored = await findMessage(own, messageId);
  if (text === undefined) {
    if (stored?.threadId !== threadId || stored.role !== "user") throw threadNotFound();
    return stored;
  }
  if (stored && stored.threadId !== threadId) throw new Failure("already_exists", "id_taken");
  const parentMessage = parent === null ? undefined : await findMessage(own, parent);
  if (parent !== null && parentMessage?.threadId !== threadId) throw threadNotFound();
  return createMessage(request, { role: "user", text, createdAt: clock.now() });
}

/** Counts the message before the work starts, so that concurrent requests cannot exceed the limit. */
async function countMessage(ctx: UserCtx) {
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).assistantMessages;
  const maxCount = isUnlimited("assistantMessages", limit) ? Number.POSITIVE_INFINITY : limit;
  const counting = await takeUsage(ctx, "assistantMessages", 1, maxCount);
  if (counting.outcome === "counted") return counting;
  throw new Failure("limit_reached", "usage_limit", {}, { limit: "assistantMessages", most: limit });
}
