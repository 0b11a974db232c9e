import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import { isEmptyAnswer } from "#shared/tutor/message-parts.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Job } from "#api/jobs/jobs-port.ts";
import { refundUsage } from "#api/user/service.ts";
import type { AnswerInput } from "./answer-input.ts";
import { replayAnswerLog } from "./replay-answer-log.ts";
import { findMessage, type MessageDoc, patchWritingMessage } from "../store.ts";

const POLL_ATTEMPTS = 20;
const POLL_INTERVAL_MS = 50;

function describeBrokenServer(): Pick<Message, "error" | "errorReason"> {
  const failure = new Failure("broken", "server_broken");
  return { error: failure.message, errorReason: failure.ref() };
}

/** Finalises an orphaned answer: keeps the partial text; refunds the quota if it is empty. */
async function finalizeOrphan(ctx: UserCtx, job: Job, status: Message["status"]): Promise<MessageDoc | undefined> {
  const { answerId, chargedUsage } = job.input as AnswerInput;
  const { text, parts, citations } = await replayAnswerLog(ctx.jobs, job, ctx.signal);
  const failure = status === "failed" ? describeBrokenServer() : { error: null };
  const finalized = await patchWritingMessage(ctx.own, answerId, { status, text, parts, citations, ...failure });
  if (finalized && isEmptyAnswer({ text, parts })) await refundUsage(ctx.own, chargedUsage);
  return finalized ?? findMessage(ctx.own, answerId);
}

/** Waits for the worker to end a stopped answer, or finalises the answer if no worker does; returns its message. */
export async function awaitStoppedMessage(ctx: UserCtx, job: Job): Promise<MessageDoc | undefined> {
  const { answerId } = job.input as AnswerInput;
  for (let attempt = 0; attempt < POLL_ATTEMPTS; attempt += 1) {
    const message = await findMessage(ctx.own, answerId);
    if (message?.status !== "writing") return message;
    await pause(POLL_INTERVAL_MS);
  }
  return finalizeOrphan(ctx, job, "stopped");
}

/**
 * A job is enqueued within moments of its message; if it is missing after this time, the process crashed in between.
 */
export const JOB_START_TIMEOUT_MS = 60_000;

/** Fails and refunds a message whose job was never enqueued because of a crash. */
async function failIfNeverStarted(ctx: UserCtx, message: MessageDoc): Promise<MessageDoc> {
  if (ctx.clock.now() - message.createdAt < JOB_START_TIMEOUT_MS) return message;
  const failed = { status: "failed", ...describeBrokenServer() } as const;
  const ended = await patchWritingMessage(ctx.own, message.messageId, failed);
  if (ended) await refundUsage(ctx.own, { counter: "assistantMessages", by: 1, period: utcDay(message.createdAt) });
  return ended ?? message;
}

/** Finalises a message that is marked as being written although its job has ended. */
export async function finalizeIfOrphaned(ctx: UserCtx, message: MessageDoc, key: string): Promise<MessageDoc> {
  if (message.status !== "writing") return message;
  const job = await ctx.jobs.get(ctx.caller.userId, key);
  if (!job) return failIfNeverStarted(ctx, message);
  if (job.status !== "failed" && job.status !== "cancelled") return message;
  const status = job.status === "failed" ? "failed" : "stopped";
  return (await finalizeOrphan(ctx, job, status)) ?? message;
}
