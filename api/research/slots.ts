import type { UserCtx } from "#api/http/handler.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

interface ResearchSlotDoc extends OwnedDoc {
  /** The job that holds the slot. */
  jobKey: string;
  takenAt: number;
}

const slots: CollectionSpec<ResearchSlotDoc> = { name: "research_slots", shardKey: "ownerId", indexes: [] };

/** Concurrent runs per account. */
const MAX_CONCURRENT_RUNS = 2;
/** A job is enqueued within moments; if it is missing after this time, the process crashed in between. */
export const RUN_START_TIMEOUT_MS = 60_000;

/** Acquires a slot for a run; safe across processes. A slot is free again once its job has ended. */
export async function acquireResearchSlot(ctx: UserCtx, jobKey: string): Promise<boolean> {
  const collection = ctx.own.in(slots);
  if ((await collection.find({ jobKey }, { limit: 1 })).length > 0) return true;
  const holder = { jobKey, takenAt: ctx.clock.now() };
  for (let slot = 0; slot < MAX_CONCURRENT_RUNS; slot += 1) {
    const _id = `${ctx.own.ownerId}:${slot}`;
    if ((await collection.insert({ _id, ...holder })) === "inserted") return true;
    const current = await collection.get(_id);
    if (!current || !(await isSlotFree(ctx, current))) continue;
    const { jobKey: oldKey, takenAt } = current;
    if (await collection.patch({ _id, jobKey: oldKey, takenAt }, { set: holder })) return true;
  }
  return false;
}

/** Releases the slot of a run that was refused before it started. */
export async function releaseResearchSlot({ own }: UserCtx, jobKey: string): Promise<void> {
  await own.in(slots).remove({ jobKey });
}

async function isSlotFree({ jobs, caller, clock }: UserCtx, { jobKey, takenAt }: ResearchSlotDoc): Promise<boolean> {
  const job = await jobs.get(caller.userId, jobKey);
  return job ? !isActive(job) : clock.now() - takenAt > RUN_START_TIMEOUT_MS;
}
