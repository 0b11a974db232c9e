import type { UserCtx } from "#api/http/handler.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { BEGINS_WITHIN_MS } from "./answering/ends.ts";

/** A slot for one concurrent answer of an account. */
interface PlaceDoc extends OwnedDoc {
  /** The job that holds the slot. */
  jobKey: string;
  takenAt: number;
}

const places: CollectionSpec<PlaceDoc> = { name: "answer_places", shardKey: "ownerId", indexes: [] };

/** Concurrent answers per account: workers are shared. */
const MOST = 5;

/**
 * Acquires a slot for an answer; safe across processes. A slot is free again once its job has ended, so a crash loses
 * none.
 */
export async function takePlace(ctx: UserCtx, jobKey: string): Promise<boolean> {
  const mine = { jobKey, takenAt: ctx.clock.now() };
  for (let n = 0; n < MOST; n += 1) {
    const _id = `${ctx.own.ownerId}:${n}`;
    if ((await ctx.own.in(places).insert({ _id, ...mine })) === "inserted") return true;
    if (await takeOver(ctx, _id, mine)) return true;
  }
  return false;
}

/** Releases the slot of an answer that was refused before it started. */
export async function leavePlace({ own }: UserCtx, jobKey: string): Promise<void> {
  await own.in(places).remove({ jobKey });
}

async function takeOver(ctx: UserCtx, _id: string, mine: Pick<PlaceDoc, "jobKey" | "takenAt">): Promise<boolean> {
  const held = await ctx.own.in(places).get(_id);
  if (!held || !(await isFree(ctx, held))) return false;
  const { jobKey, takenAt } = held;
  return (await ctx.own.in(places).patch({ _id, jobKey, takenAt }, { set: mine })) !== undefined;
}

async function isFree({ jobs, caller, clock }: UserCtx, { jobKey, takenAt }: PlaceDoc): Promise<boolean> {
  const job = await jobs.get(caller.userId, jobKey);
  if (!job) return clock.now() - takenAt > BEGINS_WITHIN_MS;
  return !isActive(job);
}
