/** Tests by file and title, or a sweep: a separate program that exits with 3 if it finds a fault. */
export type Check =
  | { tests: string; title?: string; config?: string; needsBrowser?: true }
  | { sweep: string; args?: string[]; env?: Record<string, string>; mustFail?: true; needsBrowser?: true };

export interface FaultRow {
  row: string;
  fault: string;
  checks: readonly Check[];
}

const LONG = "tests/long/vitest.config.ts";

export const faultRows: readonly FaultRow[] = [
  {
    row: "R1",
    fault: "kill -9 of the server while 16 clients write",
    checks: [
      { sweep: "tests/long/kill-nine.ts" },
      { sweep: "tests/long/kill-nine.ts", env: { ACK_BEFORE_COMMIT: "1" }, mustFail: true },
    ],
  },
  {
    row: "R2",
    fault: "the database does not answer",
    checks: [{ tests: "tests/store/faults/store-busy.test.ts" }, { tests: "tests/store/faults/mongo-stopped.test.ts" }],
  },
  {
    row: "R3",
    fault: "answers are lost after the commit, and requests come twice",
    checks: [
      { tests: "tests/sync/api.test.ts", title: "the same id twice|the same request from two tabs" },
      { tests: "tests/sync/property.test.ts" },
    ],
  },
  {
    row: "R4",
    fault: "answers and batches come late and in another order",
    checks: [{ tests: "tests/sync/property.test.ts" }, { tests: "tests/sync/mutations.test.ts" }],
  },
  {
    row: "R5",
    fault: "clocks that are hours or days apart",
    checks: [
      { tests: "tests/study/reviews/two-devices.test.ts" },
      { tests: "tests/auth/web.test.tsx", title: "clock" },
      { tests: "tests/study/rules.test.ts", title: "never dated before" },
    ],
  },
  {
    row: "R6",
    fault: "the tab is killed while typing",
    checks: [
      { tests: "tests/sync/queue.test.ts", title: "after the tab was killed" },
      { tests: "tests/long/journeys/killed-browser.test.ts", config: LONG, needsBrowser: true },
    ],
  },
  {
    row: "R7",
    fault: "two tabs write at the same time",
    checks: [
      { tests: "tests/sync/local-store.test.ts", title: "two tabs share one queue" },
      { sweep: "tests/long/ledger.ts", needsBrowser: true },
    ],
  },
  { row: "R8", fault: "the server is gone for minutes", checks: [{ tests: "tests/sync/outage.test.ts" }] },
  {
    row: "R9",
    fault: "twenty clients come online at once, each with 2,000 changes",
    checks: [
      { tests: "tests/sync/api.test.ts", title: "of a long offline queue are committed together" },
      { sweep: "tests/long/faults/offline-masses.ts" },
    ],
  },
  {
    row: "R10",
    fault: "one change of a batch can never be applied",
    checks: [{ tests: "tests/sync/api.test.ts", title: "an invalid line fails alone|fail alone" }],
  },
  {
    row: "R11",
    fault: "a model's stream stops, breaks off or is cut anywhere",
    checks: [
      { tests: "tests/ai/ai-reader.test.ts" },
      { tests: "tests/tutor/model.test.ts", title: "however the stream splits" },
      { tests: "tests/tutor/bad-input.test.ts", title: "is refunded" },
    ],
  },
  {
    row: "R12",
    fault: "a model's answer is malformed",
    checks: [
      { tests: "tests/flashcards/bad-answers.test.ts" },
      { tests: "tests/flashcards/api.test.ts", title: "malformed answer and cut stream" },
    ],
  },
  {
    row: "R13",
    fault: "speech fails, or the server stops, at each stage of an episode",
    checks: [{ tests: "tests/podcasts/faults.test.ts" }],
  },
  {
    row: "R14",
    fault: "a large upload is cut, the server killed, the disk full",
    checks: [
      { sweep: "tests/long/big-upload.ts" },
      { tests: "tests/uploads/sweeping.test.ts" },
      { tests: "tests/store/store-full.test.ts" },
    ],
  },
  {
    row: "R15",
    fault: "the extension is stopped before, while and after it sends a capture",
    checks: [{ tests: "tests/long/journeys/extension/extension-killed.test.ts", config: LONG, needsBrowser: true }],
  },
  {
    row: "R16",
    fault: "the website agent's socket breaks off, closes with each code and fails again and again",
    checks: [{ tests: "tests/website/chat.test.ts" }, { tests: "tests/website/socket.test.ts" }],
  },
  {
    row: "R17",
    fault: "payment events come twice, in another order, days late or not at all",
    checks: [{ tests: "tests/billing/events.test.ts" }],
  },
  {
    row: "R18",
    fault: "many uses at once at the limit, also through two processes",
    checks: [
      { tests: "tests/long/processes/two-processes.test.ts", config: LONG },
      { tests: "tests/user/api.test.ts", title: "a hundred concurrent uses" },
      { tests: "tests/tutor/answers.test.ts", title: "of sixty concurrent questions" },
    ],
  },
  {
    row: "R19",
    fault: "half of the capacity for a long time",
    checks: [{ sweep: "tests/long/faults/soak.ts", args: ["3"] }],
  },
  {
    row: "R20",
    fault: "a backup under load, damaged backups and databases, an older data folder",
    checks: [
      { tests: "tests/store/store-backup.test.ts" },
      { tests: "tests/store/faults/damaged-data.test.ts" },
      { tests: "tests/store/data-folders/data-folder.test.ts" },
    ],
  },
];
