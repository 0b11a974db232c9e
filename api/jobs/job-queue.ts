import { EventEmitter } from "node:events";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { Clock } from "#api/clock.ts";
import { openJobLog, type JobLog, type StoredJob } from "./jobs-log.ts";
import { isActive, type Job, type JobEvent, type Jobs, type JobWorker } from "./jobs-port.ts";
import { LEASE_MS, LeasedRun } from "./leased-run.ts";
import type { Log } from "#api/log.ts";
import type { DocumentStore } from "#api/store/port.ts";

/** A job that is claimed this often without emitting anything probably crashes the process. */
const MAX_ATTEMPTS = 4;
/** Concurrent jobs per kind and process, unless the feature sets another number. */
const DEFAULT_SLOTS = 4;
const PRUNE_MS = 60 * 60 * 1000;
const STOP_MS = 10_000;

interface JobsDeps {
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Poll interval for changes made by another process. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  /** How long `stop` waits for workers. */
  readonly stopMs?: number;
}

/** The scope in which process ids are comparable: the host and, in containers, the PID namespace. */
function processScope(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/**
 * True if the holder was a process on this host that no longer exists, so that there is no need to wait for its lease
 * to expire.
 */
function isHolderDead(holder: string, scope: string): boolean {
  const [holderScope, pid] = holder.split("/");
  if (holderScope !== scope || pid === undefined) return false;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ESRCH";
  }
}

const toPublicJob = ({
  holder: _holder,
  leaseUntil: _until,
  checkpointSeq: _seq,
  attempts: _attempts,
  error: _error,
  ...job
}: StoredJob): Job => job;

const leaseFields = ["kind", "status", "holder", "leaseUntil", "attempts"] as const;

const noop = () => {};

class StoredJobs implements Jobs {
  readonly #deps: JobsDeps;
  readonly #log: JobLog;
  readonly #scope = processScope();
  readonly #workers = new Map<string, { worker: JobWorker; slots: number }>();
  readonly #running = new Map<string, { run: LeasedRun; ended: Promise<void> }>();
  readonly #wakeup = new EventEmitter().setMaxListeners(0);
  #isStarted = false;
  #loop: Promise<void> = Promise.resolve();
  #prunedAt = 0;

  constructor(deps: JobsDeps) {
    this.#deps = deps;
    this.#log = openJobLog(deps.store, () => deps.clock.now());
  }

  register(kind: string, worker: JobWorker, slots = DEFAULT_SLOTS): void {
    this.#workers.set(kind, { worker, slots });
  }

  async enqueue(newJob: { _id: string; ownerId: string; kind: string; input: unknown }) {
    const job: StoredJob = {
      ...newJob,
      status: "waiting",
      checkpoint: null,
      lastSeq: 0,
      createdAt: this.#deps.clock.now(),
      endedAt: null,
      holder: null,
      leaseUntil: 0,
      checkpointSeq: 0,
      attempts: 0,
    };
    if ((await this.#log.jobs.insert(job)) === "inserted") {
      this.#wakeup.emit("work");
      return { job: toPublicJob(job), alreadyExists: false };
    }
    const existing = await this.get(newJob.ownerId, newJob._id);
    if (!existing) throw new Failure("already_exists", "id_taken");
    return { job: existing, alreadyExists: true };
  }

  async get(ownerId: string, jobId: string): Promise<Job | undefined> {
    const job = await this.#log.jobs.get(jobId);
    return job?.ownerId === ownerId ? toPublicJob(job) : undefined;
  }

  async list(ownerId: string, kind: string, sinceMs: number): Promise<Job[]> {
    const found = await this.#log.jobs.find(
      { ownerId, kind, createdAt: { gte: sinceMs } },
      { order: [["createdAt", "asc"]] },
    );
    return found.map(toPublicJob);
  }

  async *follow(ownerId: string, jobId: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent> {
    let lastSeq = after;
    while (!signal.aborted) {
      // Subscribe before reading the log, so that events in between wake us at once.
      const wakeup = this.#waitForWakeup(jobId, signal);
      try {
        const job = await this.get(ownerId, jobId);
        if (!job) return;
        const events = await this.#log.eventsAfter(jobId, lastSeq);
        for (const event of events) {
          lastSeq = event.seq;
          yield event;
        }
        if (events.length > 0) continue;
        if (!isActive(job)) return;
        await wakeup.next;
      } finally {
        wakeup.dispose();
      }
    }
  }

  async cancel(ownerId: string, jobId: string): Promise<Job | undefined> {
    const cancelled = await this.#log.jobs.patch(
      { _id: jobId, ownerId, status: { in: ["waiting", "running"] } },
      { set: { status: "cancelled", endedAt: this.#deps.clock.now(), holder: null, leaseUntil: 0 } },
    );
    if (!cancelled) return this.get(ownerId, jobId);
    this.#running.get(jobId)?.run.abort("cancelled");
    this.#wakeup.emit(jobId);
    return toPublicJob(cancelled);
  }

  async resume(ownerId: string, jobId: string): Promise<Job | undefined> {
    const resumed = await this.#log.jobs.patch(
      { _id: jobId, ownerId, status: "cancelled" },
      { set: { status: "waiting", endedAt: null, attempts: 0 } },
    );
    if (!resumed) return this.get(ownerId, jobId);
    this.#wakeup.emit("work");
    return toPublicJob(resumed);
  }

  async cancelAll(ownerId: string): Promise<void> {
    const open = { ownerId, status: { in: ["waiting", "running"] } };
    for (const { _id } of await this.#log.jobs.find(open, { fields: ["ownerId"] })) await this.cancel(ownerId, _id);
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#loop = this.#claimLoop();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#wakeup.emit("work");
    await this.#loop;
    for (const { run } of this.#running.values()) run.abort("stopped");
    const ended = Promise.all([...this.#running.values()].map((running) => running.ended));
    await Promise.race([ended, wait(this.#deps.stopMs ?? STOP_MS, undefined, { ref: false })]);
    for (const { run } of this.#running.values()) run.abandon();
  }

  /** `next` resolves at the next event, or after the poll interval, because other processes send none. */
  #waitForWakeup(topic: string, signal?: AbortSignal): { next: Promise<void>; dispose(): void } {
    let dispose = noop;
    const next = new Promise<void>((resolve) => {
      const done = () => {
        dispose();
        resolve();
      };
      const timer = setTimeout(done, this.#deps.pollMs ?? 500);
      dispose = () => {
        clearTimeout(timer);
        this.#wakeup.off(topic, done);
        signal?.removeEventListener("abort", done);
      };
      this.#wakeup.on(topic, done);
      signal?.addEventListener("abort", done);
    });
    return { next, dispose: () => dispose() };
  }

  async #claimLoop(): Promise<void> {
    while (this.#isStarted) {
      const wakeup = this.#waitForWakeup("work");
      try {
        await this.#claimJobs();
      } catch (cause) {
        this.#deps.log.error({ err: cause }, "could not look for jobs");
      }
      if (this.#isStarted) await wakeup.next;
      wakeup.dispose();
    }
  }

  async #claimJobs(): Promise<void> {
    const now = this.#deps.clock.now();
    const free = this.#freeSlots();
    if (free.size === 0) return;
    const kind = { in: [...free.keys()] };
    const abandoned = (await this.#log.jobs.find({ status: "running", kind }, { fields: leaseFields })).filter(
      (job) => job.leaseUntil < now || (job.holder !== null && isHolderDead(job.holder, this.#scope)),
    );
    const waiting = await this.#log.jobs.find(
      { status: "waiting", kind },
      { order: [["createdAt", "asc"]], limit: [...free.values()].reduce((sum, slots) => sum + slots, 0) },
    );
    const claimable = [...abandoned, ...waiting].filter((job) => {
      const slots = free.get(job.kind) ?? 0;
      free.set(job.kind, slots - 1);
      return slots > 0;
    });
    // In parallel, so that their first writes share a commit.
    if (this.#isStarted) await Promise.all(claimable.map((job) => this.#claimJob(job)));
    if (now - this.#prunedAt < PRUNE_MS) return;
    this.#prunedAt = now;
    await this.#log.prune(now);
  }

  /**
   * The number of free slots by kind. Kinds have their own slots, so that long jobs of one kind do not block the
   * others.
   */
  #freeSlots(): Map<string, number> {
    const free = new Map([...this.#workers].map(([kind, { slots }]) => [kind, slots]));
    for (const { run } of this.#running.values()) free.set(run.job.kind, (free.get(run.job.kind) ?? 0) - 1);
    return new Map([...free].filter(([, slots]) => slots > 0));
  }

  async #claimJob(found: StoredJob): Promise<void> {
    const worker = this.#workers.get(found.kind)?.worker;
    if (!worker || this.#running.has(found._id)) return;
    const now = this.#deps.clock.now();
    const holder = `${this.#scope}/${process.pid}/${ulid()}`;
    const hasTooManyAttempts = found.attempts >= MAX_ATTEMPTS;
    const set = hasTooManyAttempts
      ? { status: "failed" as const, endedAt: now, holder: null, leaseUntil: 0, error: "too_many_attempts" }
      : { status: "running" as const, holder, leaseUntil: now + LEASE_MS };
    // Optimistic lock: another process may have claimed the job first.
    const expected = { _id: found._id, status: found.status, holder: found.holder, leaseUntil: found.leaseUntil };
    const claimed = await this.#log.jobs.patch(expected, { set, increment: { attempts: 1 } });
    if (hasTooManyAttempts)
      this.#deps.log.error({ jobId: found._id, kind: found.kind }, "job failed: too many attempts without progress");
    if (claimed && !hasTooManyAttempts) await this.#run(claimed, holder, worker);
    this.#wakeup.emit(found._id);
  }

  /** Copies progress from the log to the job document, if a crash came in between; writes only if they differ. */
  async #recover(claimed: StoredJob, holder: string): Promise<StoredJob | undefined> {
    const { lastSeq, checkpoint, checkpointSeq } = await this.#log.recover(claimed);
    if (lastSeq === claimed.lastSeq && checkpointSeq === claimed.checkpointSeq) return claimed;
    return this.#log.jobs.patch({ _id: claimed._id, holder }, { set: { lastSeq, checkpoint, checkpointSeq } });
  }

  async #run(claimed: StoredJob, holder: string, worker: JobWorker): Promise<void> {
    const { log: logger, clock, heartbeatMs } = this.#deps;
    const job = await this.#recover(claimed, holder);
    if (!job) return;
    const run = new LeasedRun(job, {
      jobLog: this.#log,
      logger,
      holder,
      now: () => clock.now(),
      wakeFollowers: () => this.#wakeup.emit(claimed._id),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    });
    const ended = run.run(worker).finally(() => {
      this.#running.delete(claimed._id);
      this.#wakeup.emit("work");
    });
    this.#running.set(claimed._id, { run, ended });
  }
}

/** A job queue on the document store; any number of processes may share it. */
export function createJobs(deps: JobsDeps): Jobs {
  return new StoredJobs(deps);
}
