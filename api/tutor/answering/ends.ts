import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "#shared/tutor/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Job } from "#api/jobs/jobs-port.ts";
import { giveBack } from "#api/user/service.ts";
import type { AnswerInput } from "./answer-input.ts";
import { keptAnswer } from "./kept.ts";
import { findMessage, type MessageDoc, patchWriting } from "../store.ts";

const GLANCES = 20;
const GLANCE_MS = 50;

/** Finalises an orphaned answer: keeps the partial text; refunds the quota if it is empty. */
async function endInItsPlace(ctx: UserCtx, job: Job, status: Message["status"]): Promise<MessageDoc | undefined> {
  const { answerId, counted } = job.input as AnswerInput;
  const { text, citations } = await keptAnswer(ctx.jobs, job, ctx.signal);
  const error = status === "failed" ? "Something went wrong on our side. Please try again." : null;
  const ended = await patchWriting(ctx.own, answerId, { status, text, citations, error });
  if (ended && text.trim() === "") await giveBack(ctx.own, counted);
  return ended ?? findMessage(ctx.own, answerId);
}

/** The message of a stopped answer: waits for its worker, or finalises it if there is none. */
export async function stoppedMessage(ctx: UserCtx, job: Job): Promise<MessageDoc | undefined> {
  const { answerId } = job.input as AnswerInput;
  for (let glance = 0; glance < GLANCES; glance += 1) {
    const message = await findMessage(ctx.own, answerId);
    if (message?.status !== "writing") return message;
    await pause(GLANCE_MS);
  }
  return endInItsPlace(ctx, job, "stopped");
}

/**
 * A job is enqueued within moments of its message; if it is missing after this time, the process crashed in between.
 */
export const BEGINS_WITHIN_MS = 60_000;

/** Fails a message whose job was never enqueued because of a crash. */
async function neverBegun(ctx: UserCtx, message: MessageDoc): Promise<MessageDoc> {
  if (ctx.clock.now() - message.createdAt < BEGINS_WITHIN_MS) return message;
  const error = "Something went wrong on our side. Please try again.";
  return (await patchWriting(ctx.own, message.messageId, { status: "failed", error })) ?? message;
}

/** Finalises a message that is marked as being written although its job has ended. */
export async function settled(ctx: UserCtx, message: MessageDoc, key: string): Promise<MessageDoc> {
  if (message.status !== "writing") return message;
  const job = await ctx.jobs.get(ctx.caller.userId, key);
  if (!job) return neverBegun(ctx, message);
  if (job.status !== "failed" && job.status !== "cancelled") return message;
  const status = job.status === "failed" ? "failed" : "stopped";
  return (await endInItsPlace(ctx, job, status)) ?? message;
}
