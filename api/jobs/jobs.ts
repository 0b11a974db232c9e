import { EventEmitter } from "node:events";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { Clock } from "#api/clock.ts";
import { openJobLog, type JobLog, type StoredJob } from "./jobs-log.ts";
import { isActive, type Job, type JobEvent, type Jobs, type JobWorker } from "./jobs-port.ts";
import { LEASE_MS, LeasedRun } from "./jobs-run.ts";
import type { Log } from "#api/log.ts";
import type { DocumentStore } from "#api/store/port.ts";

/** A job that is claimed this often without emitting anything probably crashes the process. */
const MAX_ATTEMPTS = 4;
/** Concurrent jobs per kind and process, unless the feature sets another number. */
const ORDINARY_PLACES = 4;
const PRUNE_MS = 60 * 60 * 1000;
const STOP_MS = 10_000;

interface JobsParts {
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
function placeOfProcess(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/**
 * True if the holder was a process on this host that no longer exists: there is no need to wait for its lease to
 * expire.
 */
function isDead(holder: string, place: string): boolean {
  const [where, pid] = holder.split("/");
  if (where !== place || pid === undefined) return false;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ESRCH";
  }
}

const publicJob = ({
  holder: _holder,
  leaseUntil: _until,
  checkpointSeq: _seq,
  attempts: _attempts,
  ...job
}: StoredJob): Job => job;

const leaseFields = ["kind", "status", "holder", "leaseUntil", "attempts"] as const;

const nothing = () => {};

class StoredJobs implements Jobs {
  readonly #parts: JobsParts;
  readonly #log: JobLog;
  readonly #place = placeOfProcess();
  readonly #workers = new Map<string, { worker: JobWorker; places: number }>();
  readonly #running = new Map<string, { run: LeasedRun; ended: Promise<void> }>();
  readonly #news = new EventEmitter().setMaxListeners(0);
  #isOn = false;
  #loop: Promise<void> = Promise.resolve();
  #prunedAt = 0;

  constructor(parts: JobsParts) {
    this.#parts = parts;
    this.#log = openJobLog(parts.store, () => parts.clock.now());
  }

  register(kind: string, worker: JobWorker, places = ORDINARY_PLACES): void {
    this.#workers.set(kind, { worker, places });
  }

  async enqueue(asked: { _id: string; ownerId: string; kind: string; input: unknown }) {
    const job: StoredJob = {
      ...asked,
      status: "waiting",
      checkpoint: null,
      lastSeq: 0,
      createdAt: this.#parts.clock.now(),
      endedAt: null,
      holder: null,
      leaseUntil: 0,
      checkpointSeq: 0,
      attempts: 0,
    };
    if ((await this.#log.jobs.insert(job)) === "inserted") {
      this.#news.emit("work");
      return { job: publicJob(job), already: false };
    }
    const known = await this.get(asked.ownerId, asked._id);
    if (!known) throw new Failure("already_exists", "id_taken");
    return { job: known, already: true };
  }

  async get(ownerId: string, jobId: string): Promise<Job | undefined> {
    const job = await this.#log.jobs.get(jobId);
    return job?.ownerId === ownerId ? publicJob(job) : undefined;
  }

  async list(ownerId: string, kind: string, sinceMs: number): Promise<Job[]> {
    const found = await this.#log.jobs.find(
      { ownerId, kind, createdAt: { gte: sinceMs } },
      { order: [["createdAt", "asc"]] },
    );
    return found.map(publicJob);
  }

  async *follow(ownerId: string, jobId: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent> {
    let seen = after;
    while (!signal.aborted) {
      // Subscribe before reading the log, so that events in between wake us at once.
      const news = this.#newsOf(jobId, signal);
      try {
        const job = await this.get(ownerId, jobId);
        if (!job) return;
        const events = await this.#log.eventsAfter(jobId, seen);
        for (const event of events) {
          seen = event.seq;
          yield event;
        }
        if (events.length > 0) continue;
        if (!isActive(job)) return;
        await news.next;
      } finally {
        news.forget();
      }
    }
  }

  async cancel(ownerId: string, jobId: string): Promise<Job | undefined> {
    const cancelled = await this.#log.jobs.patch(
      { _id: jobId, ownerId, status: { in: ["waiting", "running"] } },
      { set: { status: "cancelled", endedAt: this.#parts.clock.now(), holder: null, leaseUntil: 0 } },
    );
    if (!cancelled) return this.get(ownerId, jobId);
    this.#running.get(jobId)?.run.abort("cancelled");
    this.#news.emit(jobId);
    return publicJob(cancelled);
  }

  async resume(ownerId: string, jobId: string): Promise<Job | undefined> {
    const resumed = await this.#log.jobs.patch(
      { _id: jobId, ownerId, status: "cancelled" },
      { set: { status: "waiting", endedAt: null, attempts: 0 } },
    );
    if (!resumed) return this.get(ownerId, jobId);
    this.#news.emit("work");
    return publicJob(resumed);
  }

  async cancelAll(ownerId: string): Promise<void> {
    const open = { ownerId, status: { in: ["waiting", "running"] } };
    for (const { _id } of await this.#log.jobs.find(open, { fields: ["ownerId"] })) await this.cancel(ownerId, _id);
  }

  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#loop = this.#work();
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    this.#news.emit("work");
    await this.#loop;
    for (const { run } of this.#running.values()) run.abort("stopped");
    const ended = Promise.all([...this.#running.values()].map((running) => running.ended));
    await Promise.race([ended, wait(this.#parts.stopMs ?? STOP_MS, undefined, { ref: false })]);
    for (const { run } of this.#running.values()) run.abandon();
  }

  /** `next` resolves at the next event, or after the poll interval, because other processes send none. */
  #newsOf(topic: string, signal?: AbortSignal): { next: Promise<void>; forget(): void } {
    let forget = nothing;
    const next = new Promise<void>((resolve) => {
      const done = () => {
        forget();
        resolve();
      };
      const timer = setTimeout(done, this.#parts.pollMs ?? 500);
      forget = () => {
        clearTimeout(timer);
        this.#news.off(topic, done);
        signal?.removeEventListener("abort", done);
      };
      this.#news.on(topic, done);
      signal?.addEventListener("abort", done);
    });
    return { next, forget: () => forget() };
  }

  async #work(): Promise<void> {
    while (this.#isOn) {
      const news = this.#newsOf("work");
      try {
        await this.#takeWhatIsThere();
      } catch (cause) {
        this.#parts.log.error({ err: cause }, "could not look for jobs");
      }
      if (this.#isOn) await news.next;
      news.forget();
    }
  }

  async #takeWhatIsThere(): Promise<void> {
    const now = this.#parts.clock.now();
    const free = this.#freePlaces();
    if (free.size === 0) return;
    const kind = { in: [...free.keys()] };
    const abandoned = (await this.#log.jobs.find({ status: "running", kind }, { fields: leaseFields })).filter(
      (job) => job.leaseUntil < now || (job.holder !== null && isDead(job.holder, this.#place)),
    );
    const waiting = await this.#log.jobs.find(
      { status: "waiting", kind },
      { order: [["createdAt", "asc"]], limit: [...free.values()].reduce((sum, places) => sum + places, 0) },
    );
    const fitting = [...abandoned, ...waiting].filter((job) => {
      const places = free.get(job.kind) ?? 0;
      free.set(job.kind, places - 1);
      return places > 0;
    });
    // In parallel, so that their first writes share a commit.
    if (this.#isOn) await Promise.all(fitting.map((job) => this.#take(job)));
    if (now - this.#prunedAt < PRUNE_MS) return;
    this.#prunedAt = now;
    await this.#log.prune(now);
  }

  /** Kinds with free slots and how many: long jobs of one kind do not block the others. */
  #freePlaces(): Map<string, number> {
    const free = new Map([...this.#workers].map(([kind, { places }]) => [kind, places]));
    for (const { run } of this.#running.values()) free.set(run.job.kind, (free.get(run.job.kind) ?? 0) - 1);
    return new Map([...free].filter(([, places]) => places > 0));
  }

  async #take(found: StoredJob): Promise<void> {
    const worker = this.#workers.get(found.kind)?.worker;
    if (!worker || this.#running.has(found._id)) return;
    const now = this.#parts.clock.now();
    const holder = `${this.#place}/${process.pid}/${ulid()}`;
    const isHopeless = found.attempts >= MAX_ATTEMPTS;
    const set = isHopeless
      ? { status: "failed" as const, endedAt: now, holder: null, leaseUntil: 0 }
      : { status: "running" as const, holder, leaseUntil: now + LEASE_MS };
    // Optimistic lock: another process may have claimed the job first.
    const same = { _id: found._id, status: found.status, holder: found.holder, leaseUntil: found.leaseUntil };
    const taken = await this.#log.jobs.patch(same, { set, increment: { attempts: 1 } });
    if (isHopeless)
      this.#parts.log.error({ jobId: found._id, kind: found.kind }, "job failed: too many attempts without progress");
    if (taken && !isHopeless) await this.#run(taken, holder, worker);
    this.#news.emit(found._id);
  }

  /** Stores progress that the log holds but a crash kept from the job document; writes only if they differ. */
  async #recover(taken: StoredJob, holder: string): Promise<StoredJob | undefined> {
    const { lastSeq, checkpoint, checkpointSeq } = await this.#log.recovered(taken);
    if (lastSeq === taken.lastSeq && checkpointSeq === taken.checkpointSeq) return taken;
    return this.#log.jobs.patch({ _id: taken._id, holder }, { set: { lastSeq, checkpoint, checkpointSeq } });
  }

  async #run(taken: StoredJob, holder: string, worker: JobWorker): Promise<void> {
    const { log: lines, clock, heartbeatMs } = this.#parts;
    const job = await this.#recover(taken, holder);
    if (!job) return;
    const run = new LeasedRun(job, {
      log: this.#log,
      lines,
      holder,
      now: () => clock.now(),
      wake: () => this.#news.emit(taken._id),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    });
    const ended = run.run(worker).finally(() => {
      this.#running.delete(taken._id);
      this.#news.emit("work");
    });
    this.#running.set(taken._id, { run, ended });
  }
}

/** A job queue on the document store; any number of processes may share it. */
export function makeJobs(parts: JobsParts): Jobs {
  return new StoredJobs(parts);
}
