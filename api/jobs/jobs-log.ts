import { retentionMs } from "#shared/retention.ts";
import type { Job, JobEvent } from "./jobs-port.ts";
import type { Collection, CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** A stored job, with its lease and what a restart needs. */
export interface StoredJob extends Job {
  /** Id of the run that holds the lease; null if none does. */
  holder: string | null;
  leaseUntil: number;
  /** Length of the event log at the checkpoint. */
  checkpointSeq: number;
  /** How often the job was claimed since it last made progress. */
  attempts: number;
  /** Why the job failed: the reason of a `Failure`, or the name of another error. */
  error?: string;
}

/** Events that were emitted together, with the checkpoint they reached, in one document: one atomic write. */
interface Batch extends OwnedDoc {
  jobId: string;
  lastSeq: number;
  events: Record<string, unknown>[];
  checkpointed: { checkpoint: unknown } | null;
  at: number;
}

export const jobSpec: CollectionSpec<StoredJob> = {
  name: "jobs",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "kind", "createdAt"] }, { fields: ["status", "createdAt"] }, { fields: ["endedAt"] }],
};

export const batchSpec: CollectionSpec<Batch> = {
  name: "job_events",
  shardKey: "jobId",
  indexes: [{ fields: ["jobId", "lastSeq"] }, { fields: ["at"] }],
};

const RETENTION_MS = retentionMs("endedJobs");

interface NewEvents {
  readonly events: readonly Record<string, unknown>[];
  readonly checkpointed: Batch["checkpointed"];
}

const toJobEvents = (batch: Batch): JobEvent[] =>
  batch.events.map((event, index) => ({ seq: batch.lastSeq - batch.events.length + 1 + index, event }));

export interface JobLog {
  readonly jobs: Collection<StoredJob>;
  /** Events after `after`, oldest first; at most one page of batches. */
  eventsAfter(jobId: string, after: number): Promise<JobEvent[]>;
  /**
   * Appends events after the `logSeq` that the log already contains. If another run appended first, the rest is written
   * only if `confirmLease` does not reject.
   */
  append(job: Job, logSeq: number, batch: NewEvents, confirmLease: () => Promise<unknown>): Promise<void>;
  /**
   * The job with the progress that its log contains, because a crash may have come between writing the log and updating
   * the job's document.
   */
  recover(job: StoredJob): Promise<StoredJob>;
  /** Removes jobs, with their input and events, once their retention time is over. */
  prune(now: number): Promise<void>;
}

/** The event log. A batch's id contains its first sequence number, so no number can be written twice. */
export function openJobLog(store: DocumentStore, now: () => number): JobLog {
  const batches = store.collection(batchSpec);
  const jobs = store.collection(jobSpec);
  const findLatestBatch = async (jobId: string) =>
    (await batches.find({ jobId }, { order: [["lastSeq", "desc"]], limit: 1 }))[0];

  return {
    jobs,
    async eventsAfter(jobId, after) {
      const found = await batches.find({ jobId, lastSeq: { gt: after } }, { order: [["lastSeq", "asc"]], limit: 200 });
      return found.flatMap(toJobEvents).filter(({ seq }) => seq > after);
    },
    async append(job, logSeq, { events, checkpointed }, confirmLease) {
      const lastSeq = logSeq + events.length;
      for (let storedSeq = logSeq; storedSeq < lastSeq;) {
        const batch: Batch = {
          _id: `${job._id}:${storedSeq + 1}`,
          ownerId: job.ownerId,
          jobId: job._id,
          lastSeq,
          events: events.slice(storedSeq - logSeq),
          checkpointed,
          at: now(),
        };
        if ((await batches.insert(batch)) === "inserted") return;
        await confirmLease();
        storedSeq = (await findLatestBatch(job._id))?.lastSeq ?? storedSeq;
      }
    },
    async recover(job) {
      const last = await findLatestBatch(job._id);
      const lastSeq = Math.max(job.lastSeq, last?.lastSeq ?? 0);
      if (!last?.checkpointed || last.lastSeq <= job.checkpointSeq) return { ...job, lastSeq };
      return { ...job, lastSeq, checkpoint: last.checkpointed.checkpoint, checkpointSeq: last.lastSeq };
    },
    async prune(nowMs) {
      await batches.remove({ at: { lt: nowMs - RETENTION_MS } });
      await jobs.remove({ endedAt: { lt: nowMs - RETENTION_MS } });
    },
  };
}
