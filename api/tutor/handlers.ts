import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { tutor } from "#shared/tutor/contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { countUsage, type Counted, giveBack } from "#api/user/service.ts";
import type { Own } from "#api/store/owned.ts";
import type { AnswerInput } from "./answering/answer-input.ts";
import { settled, stoppedMessage } from "./answering/ends.ts";
import { followAnswer } from "./following.ts";
import { titleOf } from "./titles.ts";
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
import { proposeTitle } from "./naming.ts";
import { leavePlace, takePlace } from "./places.ts";
import { ANSWER } from "./worker.ts";

type Asked = Parsed<typeof tutor.ask>;

const noThread = () => new Failure("not_found", "no_conversation");
const noAnswer = () => new Failure("not_found", "no_answer");

/** Ids are chosen by clients, so they are scoped to the account: other accounts' ids are simply unknown. */
const jobKey = ({ caller }: UserCtx, answerId: string) => `${caller.userId}:answer:${answerId}`;

async function requireThread({ own }: UserCtx, threadId: string): Promise<ThreadDoc> {
  const thread = await findThread(own, threadId);
  if (!thread) throw noThread();
  return thread;
}

export const handlers: Handlers<typeof tutor> = {
  listModels: ({ models }) => models.list(),

  async listThreads({ own }, { archived }) {
    return { threads: (await listThreads(own, archived === "true")).map(presentThread) };
  },

  async getThread(ctx, { threadId }) {
    const thread = await requireThread(ctx, threadId);
    const held = await listMessages(ctx.own, threadId);
    const messages = await Promise.all(held.map((message) => settled(ctx, message, jobKey(ctx, message.messageId))));
    return { thread: presentThread(thread), messages: messages.map(presentMessage) };
  },

  async changeThread(ctx, { threadId, title, archived, head }) {
    const thread = await requireThread(ctx, threadId);
    if (head !== undefined && (await findMessage(ctx.own, head))?.threadId !== threadId) throw noThread();
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
      if (job) await stoppedMessage(ctx, job);
    }
    await removeThread(ctx.own, threadId);
    return { success: true };
  },

  async nameThread(ctx, { threadId }) {
    const thread = await requireThread(ctx, threadId);
    const messages = (await listMessages(ctx.own, threadId)).filter(({ text }) => text.trim() !== "");
    if (thread.isNamed || messages.length < 2) return { title: thread.title };
    const title = (await proposeTitle(ctx, messages)) ?? titleOf(messages[0]?.text ?? "");
    return { title: (await nameThread(ctx.own, threadId, title))?.title ?? thread.title };
  },

  async *ask(ctx, asked) {
    const key = jobKey(ctx, asked.answerId);
    // A repeated request, as after a lost response, was already counted and started.
    if (!(await ctx.jobs.get(ctx.caller.userId, key))) await begin(ctx, asked, key);
    yield { type: "started", seq: 0, answerId: asked.answerId };
    yield* followAnswer(ctx, key, asked.answerId, 0);
  },

  async *followAnswer(ctx, { answerId, after }) {
    const key = jobKey(ctx, answerId);
    if (!(await ctx.jobs.get(ctx.caller.userId, key))) throw noAnswer();
    yield { type: "started", seq: after, answerId };
    yield* followAnswer(ctx, key, answerId, after);
  },

  async stopAnswer(ctx, { answerId }) {
    const job = await ctx.jobs.cancel(ctx.caller.userId, jobKey(ctx, answerId));
    if (!job) throw noAnswer();
    const message = await stoppedMessage(ctx, job);
    if (!message) throw noAnswer();
    return presentMessage(message);
  },
};

/** Validates everything before anything is counted or stored. */
async function begin(ctx: UserCtx, asked: Asked, key: string): Promise<void> {
  const { own, caller, jobs, clock } = ctx;
  if (asked.model !== undefined && !(await ctx.models.choose(asked.model))) throw new Failure("bad_input", "no_model");
  const question = await requireQuestion(ctx, asked);
  const counted = await countInPlace(ctx, key);
  const now = clock.now();
  const answer = freshMessage(asked, { role: "assistant", text: "", at: Math.max(now, question.createdAt + 1) });
  await Promise.all([
    asked.text === undefined ? undefined : insertMessage(own, question),
    insertMessage(own, { ...answer, parent: question.messageId, status: "writing" }),
    keepThread(own, asked, question, now),
  ]);
  const input: AnswerInput = {
    threadId: asked.threadId,
    messageId: question.messageId,
    answerId: asked.answerId,
    model: asked.model ?? null,
    counted,
  };
  const { already } = await jobs.enqueue({ _id: key, ownerId: caller.userId, kind: ANSWER, input });
  // Two identical concurrent requests are one answer and count once.
  if (already) await giveBack(own, counted);
}

/** Acquires an answer slot and counts the usage. */
async function countInPlace(ctx: UserCtx, key: string): Promise<Counted> {
  if (!(await takePlace(ctx, key))) throw new Failure("too_many_requests", "answers_underway");
  try {
    return await count(ctx);
  } catch (cause) {
    await leavePlace(ctx, key);
    throw cause;
  }
}

async function keepThread(own: Own, { threadId, answerId }: Asked, { mode, ground }: NewMessage, now: number) {
  // A thread archived in another tab is restored by a new question.
  const shown = { head: answerId, updatedAt: now, mode, ground, archived: false, archivedAt: null };
  const thread = { threadId, title: "", isNamed: false, createdAt: now, ...shown };
  if ((await insertThread(own, thread)) !== "inserted") await patchThread(own, threadId, shown);
}

type NewMessage = Omit<MessageDoc, "_id" | "ownerId">;

function freshMessage(
  asked: Asked,
  { role, text, at }: { role: "user" | "assistant"; text: string; at: number },
): NewMessage {
  const { threadId, answerId, messageId, parent, mode, ground, selection, model } = asked;
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
    ground,
    selection: role === "user" ? selection : null,
    model: model ?? null,
    createdAt: at,
    pending: null,
  };
}

/** The message to answer: a new one, or an existing one to regenerate. */
async function requireQuestion(ctx: UserCtx, asked: Asked): Promise<NewMessage> {
  const { own, clock } = ctx;
  const { threadId, messageId, parent, text } = asked;
  const held = await findMessage(own, messageId);
  if (text === undefined) {
    if (held?.threadId !== threadId || held.role !== "user") throw noThread();
    return held;
  }
  if (held && held.threadId !== threadId) throw new Failure("already_exists", "id_taken");
  const before = parent === null ? undefined : await findMessage(own, parent);
  if (parent !== null && before?.threadId !== threadId) throw noThread();
  return freshMessage(asked, { role: "user", text, at: clock.now() });
}

/** Counts the message before the work starts, so that concurrent requests cannot exceed the limit. */
async function count(ctx: UserCtx): Promise<Counted> {
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).assistantMessages;
  const most = isUnlimited("assistantMessages", limit) ? Number.POSITIVE_INFINITY : limit;
  const counting = await countUsage(ctx, "assistantMessages", 1, most);
  if (counting.outcome === "counted") return counting.counted;
  throw new Failure("limit_reached", "usage_limit", {}, { limit: "assistantMessages", most: limit });
}
