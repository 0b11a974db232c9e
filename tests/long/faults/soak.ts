// `npm run soak [MINUTES] [CALLS_PER_SECOND]`: students use the server at half of its capacity, or at the given rate. Prints
// what grows meanwhile.
// Exits with 3 if a call failed, or if memory grew too much after the warm-up: by 1 MB a minute in a run of 20 minutes or
// more, or by 120 MB in total in a shorter run.
import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { aCard, aChange, aDeck, aPage, aText, send, textContent } from "#tests/store/changes.ts";
import { CURVE_HEAD, curveLine, printSlopes, type Sample, takeSample } from "./soak-memory.ts";

const MINUTES = Number(process.argv[2] ?? 120);
const GIVEN_RATE = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
const STUDENTS = 20;
const CALIBRATION_MS = 10_000;
const SAMPLE_MS = 5_000;
/** Lines that are printed during a run, so that a run that is stopped early still shows results. */
const CURVE_LINES = 12;
const MAX_SLOPE_MB_PER_MIN = 1;
const WARM_UP_SHARE = 0.4;
/** V8 lets its heap grow by about 100 MB before a collection, so the slope of a shorter run shows only when V8 collected. */
const MIN_MINUTES_FOR_SLOPE = 20;
/**
 * The limit for a shorter run. It is above the normal growth of the heap, and below the 180 MB that a leak of 100 MB a
 * minute adds after the warm-up of the shortest run, which takes 3 minutes.
 */
const MAX_GROWTH_MB = 120;
const FOUND_FAULTS = 3;

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Student {
  client: V1Client;
  pageId: string;
  textId: string;
  deckId: string;
  edits: number;
}

/** What a student does; `weight` is the number in 100 calls. */
const calls: readonly { name: string; weight: number; run(student: Student): Promise<unknown> }[] = [
  { name: "read page", weight: 25, run: ({ client, pageId }) => client.pages.getPage({ id: pageId }) },
  { name: "list content", weight: 9, run: ({ client }) => client.pages.getContent({}) },
  { name: "due cards", weight: 8, run: ({ client }) => client.study.getDue({}) },
  { name: "statistics", weight: 4, run: ({ client }) => client.study.getStatistics({}) },
  { name: "search", weight: 7, run: ({ client }) => client.library.search({ q: "codon" }) },
  { name: "edit", weight: 27, run: edit },
  { name: "review", weight: 15, run: review },
  { name: "question", weight: 3, run: ({ client }) => ask(client, aQuestion({ text: "What does a codon name?" })) },
  { name: "upload", weight: 2, run: upload },
];

async function edit(student: Student): Promise<void> {
  student.edits += 1;
  const newContent = textContent(`A codon names an amino acid, edit ${student.edits}.`);
  await send(
    student,
    aChange("component_content_update", student.textId, { newContent }, { baseVersion: student.edits }),
  );
}

async function review({ client, deckId }: Student): Promise<void> {
  const given = { grade: 3, reviewedAt: Date.now(), durationMs: 900, mode: "study" } as const;
  const data = { _id: ulid(), componentId: deckId, cardId: "codon", ...given };
  await send({ client }, aChange("review_add", deckId, data));
}

async function upload({ client }: Student): Promise<void> {
  const pageId = await aPage({ client }, "A document");
  const file = tinyPdf([[`A codon names one amino acid. ${ulid()}`]]);
  await client.uploads.uploadImageComponent({ pageId }, [{ field: "file", file, name: "genes.pdf" }]);
}

function pickCall() {
  let remaining = Math.random() * calls.reduce((sum, { weight }) => sum + weight, 0);
  for (const call of calls) {
    remaining -= call.weight;
    if (remaining < 0) return call;
  }
  return calls[0];
}

async function newStudent(origin: string, n: number): Promise<Student> {
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin, token: () => token }));
  const account = { name: "Ada", email: `student${n}@example.org`, password: PASSWORD };
  const { token } = await clientFor().auth.register(account);
  const client = clientFor(token);
  const pageId = await aPage({ client }, "Genes");
  const textId = await aText({ client }, pageId, "A codon names an amino acid.");
  const deckId = await aDeck({ client }, pageId, [aCard("codon"), aCard("site")]);
  return { client, pageId, textId, deckId, edits: 0 };
}

class Soak {
  readonly durations = new Map<string, number[]>();
  readonly errors = new Map<string, number>();
  readonly #busy = new Set<Student>();

  /** Makes one call as a student who is not waiting for an answer; false if all students wait. */
  async call(students: readonly Student[]): Promise<boolean> {
    const free = students.filter((student) => !this.#busy.has(student));
    const student = free[Math.floor(Math.random() * free.length)];
    const chosen = pickCall();
    if (!student || !chosen) return false;
    this.#busy.add(student);
    const startedAt = performance.now();
    try {
      await chosen.run(student);
    } catch (cause) {
      const what = `${chosen.name}: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
    } finally {
      this.#busy.delete(student);
    }
    const times = this.durations.get(chosen.name) ?? [];
    times.push(performance.now() - startedAt);
    this.durations.set(chosen.name, times);
    return true;
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Measures the capacity in calls per second: each student makes one call after another, without a pause. */
async function calibrate(students: readonly Student[]): Promise<number> {
  const soak = new Soak();
  const until = performance.now() + CALIBRATION_MS;
  const runStudent = async () => {
    while (performance.now() < until) await soak.call(students);
  };
  await Promise.all(students.map(runStudent));
  const count = [...soak.durations.values()].reduce((sum, times) => sum + times.length, 0);
  return (count * 1000) / CALIBRATION_MS;
}

function printCalls({ durations }: Soak): void {
  print("| call | number | p50 ms | p95 ms | p99 ms |");
  print("| --- | --- | --- | --- | --- |");
  for (const [name, times] of durations)
    print(
      `| ${name} | ${times.length} | ${[0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(0)).join(" | ")} |`,
    );
}

const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000000" });
try {
  const students: Student[] = [];
  for (let n = 0; n < STUDENTS; n += 1) students.push(await newStudent(server.origin, n));
  const rate = GIVEN_RATE ?? (await calibrate(students)) / 2;
  const origin = GIVEN_RATE === undefined ? "half of the capacity" : "as given";
  print(`${STUDENTS} students, ${rate.toFixed(0)} calls a second (${origin}) for ${MINUTES} minutes`);
  const soak = new Soak();
  const startedAt = performance.now();
  let printed = await takeSample(server, startedAt);
  const samples: Sample[] = [printed];
  print(CURVE_HEAD);
  const pending = new Set<Promise<unknown>>();
  let [sent, skipped] = [0, 0];
  const sendCall = async () => {
    if (!(await soak.call(students))) skipped += 1;
  };
  for (let nextSample = SAMPLE_MS; performance.now() - startedAt < MINUTES * 60_000;) {
    const elapsedMs = performance.now() - startedAt;
    for (; sent < (elapsedMs / 1000) * rate; sent += 1) {
      const call = sendCall();
      pending.add(call);
      void call.finally(() => pending.delete(call));
    }
    if (elapsedMs >= nextSample) {
      nextSample += SAMPLE_MS;
      const sample = await takeSample(server, startedAt);
      samples.push(sample);
      if (sample.minute - printed.minute >= MINUTES / CURVE_LINES) {
        print(curveLine(sample, printed));
        printed = sample;
      }
    }
    await pause(10);
  }
  await Promise.all(pending);
  printCalls(soak);
  const growth = printSlopes(samples, WARM_UP_SHARE, print);
  print(`${skipped} calls skipped because every student was waiting`);
  for (const [what, count] of soak.errors) print(`${count} × ${what}`);
  print(`after the warm-up the memory without cached databases grew by ${growth.totalMb.toFixed(0)} MB`);
  const isGrowing =
    MINUTES >= MIN_MINUTES_FOR_SLOPE ? growth.mbPerMinute >= MAX_SLOPE_MB_PER_MIN : growth.totalMb >= MAX_GROWTH_MB;
  process.exitCode = soak.errors.size > 0 || isGrowing ? FOUND_FAULTS : 0;
} finally {
  await server.dispose();
}
