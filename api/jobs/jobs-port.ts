/** Work that outlives a request: a document with a lease and an event log. */
export interface Job {
  _id: string;
  ownerId: string;
  kind: string;
  status: "waiting" | "running" | "done" | "failed" | "cancelled";
  input: unknown;
  /** What the worker needs to go on from where it was; written with the event that reached it. */
  checkpoint: unknown;
  /** How many events the log holds. */
  lastSeq: number;
  createdAt: number;
  endedAt: number | null;
}

/** Not ended yet. */
export const isActive = ({ status }: Pick<Job, "status">) => status === "waiting" || status === "running";

export interface JobEvent {
  seq: number;
  event: Record<string, unknown>;
}

export interface JobRun {
  readonly job: Job;
  /** Aborted by cancel, by a lost lease and at shutdown. */
  readonly signal: AbortSignal;
  /** Appends events as one durable step, together with the checkpoint that a restart goes on from. */
  emit(events: readonly Record<string, unknown>[], checkpoint?: unknown): Promise<void>;
}

/** Runs one job from its checkpoint to its end; throwing fails the job, an abort leaves it for its reason. */
export type JobWorker = (run: JobRun) => Promise<void>;

export interface Jobs {
  /** `places`: how many of the kind run at once in this process. */
  register(kind: string, worker: JobWorker, places?: number): void;
  /** The same id twice is one job; `already` tells. */
  enqueue(job: { _id: string; ownerId: string; kind: string; input: unknown }): Promise<{ job: Job; already: boolean }>;
  get(ownerId: string, jobId: string): Promise<Job | undefined>;
  list(ownerId: string, kind: string, sinceMs: number): Promise<Job[]>;
  /** What the log holds after `after`, then what comes, until the job has ended. */
  follow(ownerId: string, jobId: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent>;
  /** Stops the work, here or in another process; what was emitted stays. */
  cancel(ownerId: string, jobId: string): Promise<Job | undefined>;
  /** A cancelled job goes on from its checkpoint; any other stays as it is. */
  resume(ownerId: string, jobId: string): Promise<Job | undefined>;
  /** Stops all work of an account. */
  cancelAll(ownerId: string): Promise<void>;
  /** Takes leases of waiting and abandoned jobs until `stop`. */
  start(): void;
  /** Lets running jobs reach a checkpoint, gives their leases back, and waits for it. */
  stop(): Promise<void>;
}
