import { afterEach, beforeEach, expect, test } from "vitest";
import { createJobs } from "#api/jobs/job-queue.ts";
import type { JobEvent, Jobs, JobWorker } from "#api/jobs/jobs-port.ts";
import { createLog } from "#api/log.ts";
import type { DocumentStore } from "#api/store/port.ts";

/** A killed process renews no lease, and nothing of it ends. */
const KILLED = { heartbeatMs: 1_000_000, stopMs: 0 };
/** Polls fast; waits long for a slow disk when it stops. */
const RUNNING = { heartbeatMs: 10, stopMs: 20_000 };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Also checks `aborted`, because a job may be cancelled before its worker waits and there is no second event then. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const upTo = (last: number) => Array.from({ length: last }, (_, at) => ({ seq: at + 1, event: { n: at + 1 } }));

let asked = 0;

/** The contract of jobs on any store, including a store that already has other data. */
export function jobsSuite(open: () => DocumentStore): void {
  let now = Date.now();
  const made: Jobs[] = [];
  let kind = "";
  let anAsk = { _id: "", ownerId: "ada", kind, input: 3 };

  beforeEach(() => {
    asked += 1;
    kind = `count${asked}`;
    anAsk = { _id: `job${asked}`, ownerId: "ada", kind, input: 3 };
  });

  afterEach(async () => {
    await Promise.all(made.splice(0).map((jobs) => jobs.stop()));
  });

  /** The jobs of a separate process, which shares only the store. */
  function aProcess(worker: JobWorker, times = RUNNING): Jobs {
    const clock = { now: () => now };
    const jobs = createJobs({ store: open(), clock, log: createLog("silent"), pollMs: 10, ...times });
    jobs.register(kind, worker);
    made.push(jobs);
    return jobs;
  }

  async function followAll(jobs: Jobs, after = 0): Promise<JobEvent[]> {
    const events: JobEvent[] = [];
    const signal = AbortSignal.timeout(10_000);
    for await (const event of jobs.follow("ada", anAsk._id, after, signal)) events.push(event);
    return events;
  }

  test("a job's events can be followed live and read again from any offset", async () => {
    const jobs = aProcess(async (run) => {
      for (let n = 1; n <= Number(run.job.input); n += 1) await run.emit([{ n }]);
    });
    jobs.start();
    await jobs.enqueue(anAsk);

    expect(await followAll(jobs)).toEqual(upTo(3));
    expect(await followAll(jobs, 2)).toEqual([{ seq: 3, event: { n: 3 } }]);
    expect(await jobs.get("ada", anAsk._id)).toMatchObject({ status: "done", lastSeq: 3, endedAt: now });
  });

  test("the same id twice is one job", async () => {
    const jobs = aProcess(async () => {});
    expect(await jobs.enqueue(anAsk)).toMatchObject({ alreadyExists: false });
    expect(await jobs.enqueue(anAsk)).toMatchObject({ alreadyExists: true, job: { _id: anAsk._id } });
    expect(await jobs.list("ada", kind, 0)).toHaveLength(1);
  });

  test("another account's job is not found, and its id is refused", async () => {
    const jobs = aProcess(async () => {});
    await jobs.enqueue(anAsk);
    expect(await jobs.get("grace", anAsk._id)).toBeUndefined();
    expect(await jobs.cancel("grace", anAsk._id)).toBeUndefined();
    await expect(jobs.enqueue({ ...anAsk, ownerId: "grace" })).rejects.toMatchObject({ code: "already_exists" });
  });

  test("a job resumes from its checkpoint after its process died, without duplicate events", async () => {
    const crashed = aProcess(async (run) => {
      await run.emit([{ n: 1 }], { next: 2 });
      await run.emit([{ n: 2 }, { n: 3 }]);
      await new Promise(() => {});
    }, KILLED);
    crashed.start();
    await crashed.enqueue({ ...anAsk, input: 5 });
    for await (const { seq } of crashed.follow("ada", anAsk._id, 0, AbortSignal.timeout(20_000))) if (seq === 3) break;

    const starts: unknown[] = [];
    const next = aProcess(async (run) => {
      starts.push(run.job.checkpoint);
      for (let n = (run.job.checkpoint as { next: number }).next; n <= 5; n += 1)
        await run.emit([{ n }], { next: n + 1 });
    });
    now += 60_000;
    next.start();

    expect(await followAll(next)).toEqual(upTo(5));
    expect(starts).toEqual([{ next: 2 }]);
  });

  test("a cancelled job can resume from its checkpoint; another account's or a finished one can't", async () => {
    const starts: unknown[] = [];
    const jobs = aProcess(async (run) => {
      starts.push(run.job.checkpoint);
      if (starts.length > 1) return run.emit([{ n: 2 }], { next: 3 });
      await run.emit([{ n: 1 }], { next: 2 });
      return untilAborted(run.signal);
    });
    jobs.start();
    await jobs.enqueue(anAsk);
    for await (const { seq } of jobs.follow("ada", anAsk._id, 0, AbortSignal.timeout(20_000))) if (seq === 1) break;
    await jobs.cancel("ada", anAsk._id);

    expect(await jobs.resume("grace", anAsk._id)).toBeUndefined();
    expect(await jobs.resume("ada", anAsk._id)).toMatchObject({ status: "waiting", endedAt: null });
    expect(await followAll(jobs)).toEqual(upTo(2));
    expect(starts).toEqual([null, { next: 2 }]);
    expect(await jobs.resume("ada", anAsk._id)).toMatchObject({ status: "done" });
  });

  test("cancelling stops a job in another process and keeps its events", async () => {
    let reason = "";
    const worker = aProcess(async (run) => {
      await run.emit([{ n: 1 }]);
      await untilAborted(run.signal);
      reason = String(run.signal.reason);
    });
    const other = aProcess(async () => {});
    worker.start();
    await other.enqueue(anAsk);
    for await (const _ of other.follow("ada", anAsk._id, 0, AbortSignal.timeout(20_000))) break;

    expect(await other.cancel("ada", anAsk._id)).toMatchObject({ status: "cancelled" });
    await expect.poll(() => reason).toContain("cancelled");
    expect(await followAll(other)).toEqual(upTo(1));
    expect(await other.get("ada", anAsk._id)).toMatchObject({ status: "cancelled", lastSeq: 1 });
  });

  test("a worker that throws fails its job", async () => {
    const jobs = aProcess(async (run) => {
      await run.emit([{ n: 1 }]);
      throw new Error("no model");
    });
    jobs.start();
    await jobs.enqueue(anAsk);
    expect(await followAll(jobs)).toEqual(upTo(1));
    expect(await jobs.get("ada", anAsk._id)).toMatchObject({ status: "failed" });
  });

  test("a shutdown returns the job at its checkpoint, and the next start continues there", async () => {
    const first = aProcess(async (run) => {
      await run.emit([{ n: 1 }]);
      await untilAborted(run.signal);
      await run.emit([{ n: 2 }], { next: 3 });
    });
    first.start();
    await first.enqueue(anAsk);
    for await (const _ of first.follow("ada", anAsk._id, 0, AbortSignal.timeout(20_000))) break;
    await first.stop();
    expect(await first.get("ada", anAsk._id)).toMatchObject({ status: "waiting", lastSeq: 2, checkpoint: { next: 3 } });

    const second = aProcess((run) => run.emit([{ n: (run.job.checkpoint as { next: number }).next }]));
    second.start();
    expect(await followAll(second)).toEqual(upTo(3));
  });

  test("a job that crashes its process each time is given up", async () => {
    let starts = 0;
    const killed = () => {
      starts += 1;
      return new Promise<void>(() => {});
    };
    const processes = [1, 2, 3, 4, 5, 6].map(() => aProcess(killed, KILLED));
    await processes[0]?.enqueue(anAsk);
    for (const jobs of processes) jobs.start();
    const statusLater = async () => {
      now += 60_000;
      return (await processes[0]?.get("ada", anAsk._id))?.status;
    };
    await expect.poll(statusLater, { interval: 20, timeout: 10_000 }).toBe("failed");
    expect(starts).toBe(4);
  });

  test("a job is deleted with its events and input a month after it ended", async () => {
    const jobs = aProcess((run) => run.emit([{ n: 1 }]));
    jobs.start();
    await jobs.enqueue(anAsk);
    expect(await followAll(jobs)).toEqual(upTo(1));
    now += 31 * DAY_MS;
    await expect.poll(() => jobs.get("ada", anAsk._id), { interval: 20 }).toBeUndefined();
    expect(await followAll(jobs)).toEqual([]);
  });
}
