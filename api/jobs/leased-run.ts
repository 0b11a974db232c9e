import { Failure } from "#shared/contract/failure.ts";
import { runForFeature } from "#api/ai/call-purpose.ts";
import type { JobLog, StoredJob } from "./jobs-log.ts";
import type { JobRun, JobWorker } from "./jobs-port.ts";
import type { Log } from "#api/log.ts";

export const LEASE_MS = 15_000;
const HEARTBEAT_MS = 4_000;

interface RunDeps {
  readonly jobLog: JobLog;
  readonly logger: Log;
  readonly holder: string;
  readonly now: () => number;
  /** Wakes the followers of the job in this process. */
  readonly wakeFollowers: () => void;
  readonly heartbeatMs?: number;
}

interface Outcome {
  status: "done" | "failed" | "stopped" | "gone";
  error?: string;
}

/** Names an error without its message, which may quote what a student wrote. */
function nameOf(cause: unknown): string {
  if (cause instanceof Failure) return cause.reason ?? cause.code;
  return cause instanceof Error ? cause.name : "Error";
}

/** One run of one job under one lease. */
export class LeasedRun implements JobRun {
  readonly #deps: RunDeps;
  readonly #abort = new AbortController();
  #job: StoredJob;
  /**
   * How many events this run has emitted: fewer than are in the log while the run repeats work that a crash
   * interrupted.
   */
  #seq: number;
  #pendingEmit: Promise<unknown> = Promise.resolve();
  /** Whether the lease was renewed since the last heartbeat. */
  #isRenewed = false;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #stopReason: "cancelled" | "lost" | "stopped" | undefined;

  /** `job` as returned by `recover`: the count continues from its checkpoint. */
  constructor(job: StoredJob, deps: RunDeps) {
    this.#job = job;
    this.#deps = deps;
    this.#seq = job.checkpointSeq;
  }

  get job(): StoredJob {
    return this.#job;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  emit(events: readonly Record<string, unknown>[], checkpoint?: unknown): Promise<void> {
    const emitted = this.#pendingEmit.then(() => this.#write(events, checkpoint === undefined ? null : { checkpoint }));
    this.#pendingEmit = emitted.catch(() => undefined);
    return emitted;
  }

  abort(reason: "cancelled" | "lost" | "stopped"): void {
    if (this.#stopReason) return;
    this.#stopReason = reason;
    this.#abort.abort(new DOMException(`The job is ${reason}`, "AbortError"));
  }

  /** Lets the lease expire, for a worker that does not end. */
  abandon(): void {
    clearInterval(this.#heartbeatTimer);
  }

  /** Runs the worker and stores the outcome; never rejects. */
  async run(worker: JobWorker): Promise<void> {
    this.#heartbeatTimer = setInterval(() => void this.#heartbeat(), this.#deps.heartbeatMs ?? HEARTBEAT_MS);
    try {
      await this.#storeOutcome(await this.#outcome(worker));
    } catch (cause) {
      // The store failed; the lease will expire and the job will be claimed again.
      this.#deps.logger.error({ err: cause, jobId: this.#job._id }, "could not store the outcome of a job");
    } finally {
      this.abandon();
      this.#deps.wakeFollowers();
    }
  }

  async #outcome(worker: JobWorker): Promise<Outcome> {
    let outcome: Outcome = { status: "done" };
    try {
      await runForFeature(this.#job.kind, () => worker(this));
    } catch (cause) {
      outcome = { status: "failed", error: nameOf(cause) };
      if (!this.signal.aborted)
        this.#deps.logger.error({ err: cause, jobId: this.#job._id, kind: this.#job.kind }, "job failed");
    }
    await this.#pendingEmit;
    if (!this.#stopReason) return outcome;
    return { status: this.#stopReason === "stopped" ? "stopped" : "gone" };
  }

  async #storeOutcome({ status, error }: Outcome): Promise<void> {
    if (status === "gone") return;
    const free = { holder: null, leaseUntil: 0 };
    const end =
      status === "stopped"
        ? { ...free, status: "waiting" as const, attempts: 0 }
        : { ...free, status, endedAt: this.#deps.now(), ...(error !== undefined && { error }) };
    await this.#patchJob({ set: end });
  }

  /**
   * A run that is being stopped may still write, so that it can reach a checkpoint. Events that are already in the log
   * are skipped.
   */
  async #write(
    events: readonly Record<string, unknown>[],
    checkpointed: { checkpoint: unknown } | null,
  ): Promise<void> {
    if (this.#stopReason && this.#stopReason !== "stopped") this.signal.throwIfAborted();
    const logSeq = this.#job.lastSeq;
    const newEvents = events.slice(Math.max(0, logSeq - this.#seq));
    this.#seq += events.length;
    if (newEvents.length > 0)
      await this.#deps.jobLog.append(this.#job, logSeq, { events: newEvents, checkpointed }, () => this.#renew({}));
    await this.#renew({
      lastSeq: Math.max(this.#seq, logSeq),
      attempts: 0,
      ...(checkpointed && { checkpoint: checkpointed.checkpoint, checkpointSeq: this.#seq }),
    });
    this.#deps.wakeFollowers();
  }

  async #renew(set: Partial<StoredJob>): Promise<void> {
    const updated = await this.#patchJob({ set: { ...set, leaseUntil: this.#deps.now() + LEASE_MS } });
    if (!updated) throw this.signal.reason;
    this.#isRenewed = true;
  }

  /** Emitting renews the lease as well, so the heartbeat writes only if nothing was emitted since the last one. */
  async #heartbeat(): Promise<void> {
    const isRenewed = this.#isRenewed;
    this.#isRenewed = false;
    if (isRenewed) return;
    try {
      await this.#patchJob({ set: { leaseUntil: this.#deps.now() + LEASE_MS } });
    } catch (cause) {
      this.#deps.logger.warn({ err: cause, jobId: this.#job._id }, "could not renew a lease");
    }
  }

  /** Only the lease holder may change a running job; a run that lost its lease or was cancelled is aborted. */
  async #patchJob(patch: { set: Partial<StoredJob> }): Promise<StoredJob | undefined> {
    const { jobLog: log, holder } = this.#deps;
    const updated = await log.jobs.patch({ _id: this.#job._id, holder, status: "running" }, patch);
    if (updated) this.#job = updated;
    else this.abort((await log.jobs.get(this.#job._id))?.status === "cancelled" ? "cancelled" : "lost");
    return updated;
  }
}
