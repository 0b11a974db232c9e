/** Work that outlives a request: a document with a lease and an event log. */
export interface Job {
  _id: string;
  ownerId: string;
  kind: string;
  status: "waiting" | "running" | "done" | "failed" | "cancelled";
  input: unknown;
  /** What the worker needs to resume; written together with the events that reached it. */
  checkpoint: unknown;
  /** Length of the event log. */
  lastSeq: number;
  createdAt: number;
  endedAt: number | null;
}

export const isActive = ({ status }: Pick<Job, "status">) => status === "waiting" || status === "running";

export interface JobEvent {
  seq: number;
  event: Record<string, unknown>;
}

export interface JobRun {
  readonly job: Job;
  /** Aborted on cancel, on a lost lease and at shutdown. */
  readonly signal: AbortSignal;
  /** Appends events in one durable write, together with the checkpoint that a restart resumes from. */
  emit(events: readonly Record<string, unknown>[], checkpoint?: unknown): Promise<void>;
}

/**
 * Runs one job from its checkpoint to its end. Throwing fails the job; after an abort the reason for the abort decides
 * its status.
 */
export type JobWorker = (run: JobRun) => Promise<void>;

export interface Jobs {
  /** `slots`: how many jobs of this kind run at once in this process. */
  register(kind: string, worker: JobWorker, slots?: number): void;
  /** Idempotent by id: `alreadyExists` is true if the job existed. */
  enqueue(job: {
    _id: string;
    ownerId: string;
    kind: string;
    input: unknown;
  }): Promise<{ job: Job; alreadyExists: boolean }>;
  get(ownerId: string, jobId: string): Promise<Job | undefined>;
  list(ownerId: string, kind: string, sinceMs: number): Promise<Job[]>;
  /** Yields the logged events after `after`, then new ones until the job ends. */
  follow(ownerId: string, jobId: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent>;
  /** Stops the job, in this process or another; events already emitted stay. */
  cancel(ownerId: string, jobId: string): Promise<Job | undefined>;
  /** Resumes a cancelled job from its checkpoint; leaves any other job unchanged. */
  resume(ownerId: string, jobId: string): Promise<Job | undefined>;
  /** Cancels all jobs of an account. */
  cancelAll(ownerId: string): Promise<void>;
  /** Claims waiting and abandoned jobs until `stop`. */
  start(): void;
  /** Lets running jobs reach a checkpoint, releases their leases, and resolves when done. */
  stop(): Promise<void>;
}
