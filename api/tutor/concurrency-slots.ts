import type { UserCtx } from "#api/http/handler.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { JOB_START_TIMEOUT_MS } from "./answering/finalize-answer.ts";

/** A slot for one concurrent answer of an account. */
interface AnswerSlotDoc extends OwnedDoc {
  /** The job that holds the slot. */
  jobKey: string;
  takenAt: number;
}

const answerSlots: CollectionSpec<AnswerSlotDoc> = { name: "answer_slots", shardKey: "ownerId", indexes: [] };

/** Concurrent answers per account, because all accounts share the workers. */
const MAX_CONCURRENT_ANSWERS = 5;

/**
 * Acquires a slot for an answer; safe across processes. A slot is free again once its job has ended, so a crash does
 * not lose a slot.
 */
export async function acquireSlot(ctx: UserCtx, jobKey: string): Promise<boolean> {
  const holder = { jobKey, takenAt: ctx.clock.now() };
  for (let slotNumber = 0; slotNumber < MAX_CONCURRENT_ANSWERS; slotNumber += 1) {
    const _id = `${ctx.own.ownerId}:${slotNumber}`;
    // Read first: a write, even one that changes nothing, waits for the commits before it.
    const current = await ctx.own.in(answerSlots).get(_id);
    if (current && (await takeFreedSlot(ctx, current, holder))) return true;
    if (!current && (await ctx.own.in(answerSlots).insert({ _id, ...holder })) === "inserted") return true;
  }
  return false;
}

/** Releases the slot of an answer that was refused before it started. */
export async function releaseSlot({ own }: UserCtx, jobKey: string): Promise<void> {
  await own.in(answerSlots).remove({ jobKey });
}

async function takeFreedSlot(
  ctx: UserCtx,
  current: AnswerSlotDoc,
  holder: Pick<AnswerSlotDoc, "jobKey" | "takenAt">,
): Promise<boolean> {
  if (!(await isSlotFree(ctx, current))) return false;
  const { _id, jobKey, takenAt } = current;
  return (await ctx.own.in(answerSlots).patch({ _id, jobKey, takenAt }, { set: holder })) !== undefined;
}

async function isSlotFree({ jobs, caller, clock }: UserCtx, { jobKey, takenAt }: AnswerSlotDoc): Promise<boolean> {
  const job = await jobs.get(caller.userId, jobKey);
  if (!job) return clock.now() - takenAt > JOB_START_TIMEOUT_MS;
  return !isActive(job);
}
