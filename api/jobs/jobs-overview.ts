import { isActive } from "./jobs-port.ts";
import { batchSpec, jobSpec, type StoredJob } from "./jobs-log.ts";
import { findNewestFirst, type Position } from "#api/store/paging/newest-first.ts";
import type { DocumentStore } from "#api/store/port.ts";

type JobStatus = StoredJob["status"];

/** Jobs of all accounts, for administrators: no input, no checkpoint and no events leave this file. */
export interface JobSummary {
  _id: string;
  kind: string;
  status: JobStatus;
  createdAt: number;
  endedAt: number | null;
  attempts: number;
  lastSeq: number;
  error?: string;
}

const summaryFields = ["kind", "status", "createdAt", "endedAt", "attempts", "lastSeq", "error"] as const;

interface KindCounts {
  kind: string;
  waiting: number;
  running: number;
  failed: number;
  oldestWaitingAt: number | null;
  p95Ms: number | null;
}

/** Jobs read to estimate how long a kind takes. */
const SAMPLE = 1000;

export async function countJobs(store: DocumentStore, endedSince: number): Promise<KindCounts[]> {
  const jobs = store.collection(jobSpec);
  const countByKind = (status: JobStatus) => jobs.groupCount("kind", { status });
  const [waiting, running, failed, ended] = await Promise.all([
    countByKind("waiting"),
    countByKind("running"),
    countByKind("failed"),
    jobs.find(
      { endedAt: { gte: endedSince } },
      { fields: ["kind", "status", "createdAt", "endedAt"], order: [["endedAt", "desc"]], limit: SAMPLE },
    ),
  ]);
  const kinds = new Set([...waiting.keys(), ...running.keys(), ...failed.keys(), ...ended.map(({ kind }) => kind)]);
  return Promise.all(
    [...kinds].toSorted().map(async (kind) => ({
      kind,
      waiting: waiting.get(kind) ?? 0,
      running: running.get(kind) ?? 0,
      failed: failed.get(kind) ?? 0,
      oldestWaitingAt: waiting.has(kind) ? await findOldestWaiting(store, kind) : null,
      p95Ms: percentile95(ended.filter((job) => job.kind === kind && job.status === "done").map(durationOf)),
    })),
  );
}

const durationOf = ({ createdAt, endedAt }: StoredJob) => (endedAt ?? createdAt) - createdAt;

/** The nearest-rank percentile; null without values. */
function percentile95(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}

async function findOldestWaiting(store: DocumentStore, kind: string): Promise<number | null> {
  const [oldest] = await store
    .collection(jobSpec)
    .find({ kind, status: "waiting" }, { fields: ["createdAt"], order: [["createdAt", "asc"]], limit: 1 });
  return oldest?.createdAt ?? null;
}

interface ListQuery<S extends JobStatus> {
  status: S;
  after: Position | undefined;
  limit: number;
}

export async function listJobs<S extends JobStatus>(
  store: DocumentStore,
  { status, after, limit }: ListQuery<S>,
): Promise<(JobSummary & { status: S })[]> {
  const query = { filter: { status }, fields: summaryFields, after, limit };
  const found = await findNewestFirst(store.collection(jobSpec), query);
  return found.map((job) => ({ ...job, status }));
}

/** Lets a failed job start again from its checkpoint; false if it is not a failed job. */
export async function retryJob(store: DocumentStore, id: string): Promise<boolean> {
  const set = { status: "waiting", endedAt: null, attempts: 0 } as const;
  return (
    (await store.collection(jobSpec).patch({ _id: id, status: "failed" }, { set, unset: ["error"] })) !== undefined
  );
}

export const listFailedIds = async (store: DocumentStore): Promise<string[]> =>
  (await store.collection(jobSpec).find({ status: "failed" }, { fields: ["kind"] })).map(({ _id }) => _id);

interface LoggedStep {
  /** The type of the events: a name that the program gives them. */
  type: string;
  /** How many events of this type were logged in a row. */
  count: number;
  /** When the last of them was logged. */
  at: number;
}

const MAX_BATCHES = 200;

/**
 * The types of the events that a job logged, without their content, which may quote a student. Undefined if there is no
 * such job.
 */
export async function listSteps(store: DocumentStore, jobId: string): Promise<LoggedStep[] | undefined> {
  if (!(await store.collection(jobSpec).get(jobId))) return undefined;
  const newest = await store
    .collection(batchSpec)
    .find({ jobId }, { order: [["lastSeq", "desc"]], limit: MAX_BATCHES });
  const steps: LoggedStep[] = [];
  for (const { events, at } of newest.toReversed())
    for (const { type } of events) {
      const name = typeof type === "string" ? type : "";
      const last = steps.at(-1);
      if (last?.type === name) Object.assign(last, { count: last.count + 1, at });
      else steps.push({ type: name, count: 1, at });
    }
  return steps;
}

/** The owner of a job that is waiting or running. */
export async function findOwnerOfActive(store: DocumentStore, id: string): Promise<string | undefined> {
  const job = await store.collection(jobSpec).get(id);
  return job && isActive(job) ? job.ownerId : undefined;
}
