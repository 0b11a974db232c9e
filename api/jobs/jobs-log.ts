import type { Job, JobEvent } from "./jobs-port.ts";
import type { Collection, CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

/** A job as it lies in the store: with its lease, and with what a restart needs. */
export interface StoredJob extends Job {
  /** The run that works on it; null while none does. */
  holder: string | null;
  leaseUntil: number;
  /** How many events the log held when the checkpoint was reached. */
  checkpointSeq: number;
  /** How often it was taken since it last got further. */
  attempts: number;
}

/** Events that were emitted together, and the checkpoint that they reached, as one document: one atomic write. */
interface Batch extends OwnedDoc {
  jobId: string;
  lastSeq: number;
  events: Record<string, unknown>[];
  reached: { checkpoint: unknown } | null;
  at: number;
}

const jobSpec: CollectionSpec<StoredJob> = {
  name: "jobs",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "kind", "createdAt"] }, { fields: ["status", "createdAt"] }, { fields: ["endedAt"] }],
};

const batchSpec: CollectionSpec<Batch> = {
  name: "jobEvents",
  shardKey: "jobId",
  indexes: [{ fields: ["jobId", "lastSeq"] }, { fields: ["at"] }],
};

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

interface NewEvents {
  readonly events: readonly Record<string, unknown>[];
  readonly reached: Batch["reached"];
}

const numbered = (batch: Batch): JobEvent[] =>
  batch.events.map((event, at) => ({ seq: batch.lastSeq - batch.events.length + 1 + at, event }));

export interface JobLog {
  readonly jobs: Collection<StoredJob>;
  /** Events after `after`, oldest first; some of them where there are very many. */
  eventsAfter(jobId: string, after: number): Promise<JobEvent[]>;
  /**
   * Writes events that follow the `logSeq` ones the log holds. Where another run was quicker, `confirm` must
   * not reject for the rest to be written.
   */
  append(job: Job, logSeq: number, batch: NewEvents, confirm: () => Promise<unknown>): Promise<void>;
  /** The job as a run must go on with it: a crash may have come between the log and the job's own document. */
  recovered(job: StoredJob): Promise<StoredJob>;
  /** Forgets jobs that nobody comes back for, and what they were asked. */
  prune(now: number): Promise<void>;
}

/** The event log: batches are named by their first number, so the same number cannot be written twice. */
export function openJobLog(store: DocumentStore, now: () => number): JobLog {
  const batches = store.collection(batchSpec);
  const jobs = store.collection(jobSpec);
  const newest = async (jobId: string) =>
    (await batches.find({ jobId }, { order: [["lastSeq", "desc"]], limit: 1 }))[0];

  return {
    jobs,
    async eventsAfter(jobId, after) {
      const found = await batches.find({ jobId, lastSeq: { gt: after } }, { order: [["lastSeq", "asc"]], limit: 200 });
      return found.flatMap(numbered).filter(({ seq }) => seq > after);
    },
    async append(job, logSeq, { events, reached }, confirm) {
      const lastSeq = logSeq + events.length;
      for (let held = logSeq; held < lastSeq;) {
        const batch: Batch = {
          _id: `${job._id}:${held + 1}`,
          ownerId: job.ownerId,
          jobId: job._id,
          lastSeq,
          events: events.slice(held - logSeq),
          reached,
          at: now(),
        };
        if ((await batches.insert(batch)) === "inserted") return;
        await confirm();
        held = (await newest(job._id))?.lastSeq ?? held;
      }
    },
    async recovered(job) {
      const last = await newest(job._id);
      const lastSeq = Math.max(job.lastSeq, last?.lastSeq ?? 0);
      if (!last?.reached || last.lastSeq <= job.checkpointSeq) return { ...job, lastSeq };
      return { ...job, lastSeq, checkpoint: last.reached.checkpoint, checkpointSeq: last.lastSeq };
    },
    async prune(time) {
      await batches.remove({ at: { lt: time - KEPT_MS } });
      await jobs.remove({ endedAt: { lt: time - KEPT_MS } });
    },
  };
}
