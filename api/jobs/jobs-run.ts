import type { JobLog, StoredJob } from "./jobs-log.ts";
import type { JobRun, JobWorker } from "./jobs-port.ts";
import type { Log } from "#api/log.ts";

export const LEASE_MS = 15_000;
const HEARTBEAT_MS = 4_000;

interface RunParts {
  readonly log: JobLog;
  readonly lines: Log;
  readonly holder: string;
  readonly now: () => number;
  /** Wakes those who follow the job in this process. */
  readonly wake: () => void;
  readonly heartbeatMs?: number;
}

/** One run of one job under one lease. */
export class LeasedRun implements JobRun {
  readonly #parts: RunParts;
  readonly #abort = new AbortController();
  #job: StoredJob;
  /** How many events this run has emitted; fewer than the log holds while it repeats what a crash interrupted. */
  #seq: number;
  #emitting: Promise<unknown> = Promise.resolve();
  /** Whether the lease was renewed since the last heartbeat. */
  #isRenewed = false;
  #beat: NodeJS.Timeout | undefined;
  #stopReason: "cancelled" | "lost" | "stopped" | undefined;

  /** `job` as returned by `recover`: the count continues from its checkpoint. */
  constructor(job: StoredJob, parts: RunParts) {
    this.#job = job;
    this.#parts = parts;
    this.#seq = job.checkpointSeq;
  }

  get job(): StoredJob {
    return this.#job;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  emit(events: readonly Record<string, unknown>[], checkpoint?: unknown): Promise<void> {
    const emitted = this.#emitting.then(() => this.#write(events, checkpoint === undefined ? null : { checkpoint }));
    this.#emitting = emitted.catch(() => undefined);
    return emitted;
  }

  abort(reason: "cancelled" | "lost" | "stopped"): void {
    if (this.#stopReason) return;
    this.#stopReason = reason;
    this.#abort.abort(new DOMException(`The job is ${reason}`, "AbortError"));
  }

  /** Lets the lease expire, for a worker that does not end. */
  abandon(): void {
    clearInterval(this.#beat);
  }

  /** Runs the worker and stores the outcome; never rejects. */
  async run(worker: JobWorker): Promise<void> {
    this.#beat = setInterval(() => void this.#heartbeat(), this.#parts.heartbeatMs ?? HEARTBEAT_MS);
    try {
      await this.#settle(await this.#outcome(worker));
    } catch (cause) {
      // The store failed; the lease will expire and the job will be claimed again.
      this.#parts.lines.error({ err: cause, jobId: this.#job._id }, "could not store the outcome of a job");
    } finally {
      this.abandon();
      this.#parts.wake();
    }
  }

  async #outcome(worker: JobWorker): Promise<"done" | "failed" | "stopped" | "gone"> {
    let outcome: "done" | "failed" = "done";
    try {
      await worker(this);
    } catch (cause) {
      outcome = "failed";
      if (!this.signal.aborted)
        this.#parts.lines.error({ err: cause, jobId: this.#job._id, kind: this.#job.kind }, "job failed");
    }
    await this.#emitting;
    if (!this.#stopReason) return outcome;
    return this.#stopReason === "stopped" ? "stopped" : "gone";
  }

  async #settle(outcome: "done" | "failed" | "stopped" | "gone"): Promise<void> {
    if (outcome === "gone") return;
    const free = { holder: null, leaseUntil: 0 };
    const end =
      outcome === "stopped"
        ? { ...free, status: "waiting" as const, attempts: 0 }
        : { ...free, status: outcome, endedAt: this.#parts.now() };
    await this.#change({ set: end });
  }

  /**
   * A run that is being stopped may still write, so that it can reach a checkpoint. Events that the log already holds
   * are skipped.
   */
  async #write(events: readonly Record<string, unknown>[], reached: { checkpoint: unknown } | null): Promise<void> {
    if (this.#stopReason && this.#stopReason !== "stopped") this.signal.throwIfAborted();
    const logSeq = this.#job.lastSeq;
    const fresh = events.slice(Math.max(0, logSeq - this.#seq));
    this.#seq += events.length;
    if (fresh.length > 0)
      await this.#parts.log.append(this.#job, logSeq, { events: fresh, reached }, () => this.#renew({}));
    await this.#renew({
      lastSeq: Math.max(this.#seq, logSeq),
      attempts: 0,
      ...(reached && { checkpoint: reached.checkpoint, checkpointSeq: this.#seq }),
    });
    this.#parts.wake();
  }

  async #renew(set: Partial<StoredJob>): Promise<void> {
    const after = await this.#change({ set: { ...set, leaseUntil: this.#parts.now() + LEASE_MS } });
    if (!after) throw this.signal.reason;
    this.#isRenewed = true;
  }

  /** Emitting renews the lease as well, so the heartbeat writes only if nothing was emitted since the last one. */
  async #heartbeat(): Promise<void> {
    const isRenewed = this.#isRenewed;
    this.#isRenewed = false;
    if (isRenewed) return;
    try {
      await this.#change({ set: { leaseUntil: this.#parts.now() + LEASE_MS } });
    } catch (cause) {
      this.#parts.lines.warn({ err: cause, jobId: this.#job._id }, "could not renew a lease");
    }
  }

  /** Only the lease holder may change a running job; a run that lost its lease or was cancelled is aborted. */
  async #change(patch: { set: Partial<StoredJob> }): Promise<StoredJob | undefined> {
    const { log, holder } = this.#parts;
    const after = await log.jobs.patch({ _id: this.#job._id, holder, status: "running" }, patch);
    if (after) this.#job = after;
    else this.abort((await log.jobs.get(this.#job._id))?.status === "cancelled" ? "cancelled" : "lost");
    return after;
  }
}
