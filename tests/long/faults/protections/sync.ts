import type { Protection } from "./protection.ts";

const SYNC = "tests/sync/api.test.ts";
const WAKING = "tests/sync/waking.test.ts";

/** Protections of writing offline and with wrong clocks. */
export const sync: readonly Protection[] = [
  {
    id: "R-F1",
    what: "storage that does not answer fails after two seconds",
    edits: [
      {
        file: "shared/sync/storage/storage-timeout.ts",
        from: "else reject(new StorageTimeoutError());",
        to: "else wait(1);",
      },
    ],
    tests: "tests/sync/silent-disk.test.ts",
    title: "within two seconds",
  },
  {
    id: "R-F4",
    what: "parked changes are tried at least every 7 s",
    edits: [
      {
        file: "shared/sync/retry-timer.ts",
        from: "const MAX_BACKOFF_MS = 7_000;",
        to: "const MAX_BACKOFF_MS = 300_000;",
      },
    ],
    tests: "tests/sync/outage.test.ts",
    title: "within 10 s",
  },
  {
    id: "R-F4b",
    what: "focus wakes the queue",
    edits: [
      { file: "webapp/offline/window-events.ts", from: '  window.addEventListener("focus", queue.wake);\n', to: "" },
    ],
    tests: WAKING,
    title: "gets the focus",
  },
  {
    id: "R-F4c",
    what: "the live stream's return wakes the queue",
    edits: [{ file: "webapp/offline/live-updates.ts", from: "    if (isReturn) queue().wake();\n", to: "" }],
    tests: WAKING,
    title: "live stream is back",
  },
  {
    id: "R-F4d",
    what: "typing wakes the queue",
    edits: [
      {
        file: "shared/sync/queue.ts",
        from: "    this.#planTick();\n    this.wake();\n",
        to: "    this.#planTick();\n",
      },
    ],
    tests: "tests/sync/outage.test.ts",
  },
  {
    id: "R-F5",
    what: "what is typed is stored before it is in the queue",
    edits: [
      {
        file: "webapp/pages/session/draft-writer.ts",
        from: "    this.#isDue = true;\n",
        to: "    this.#isDue = true;\n    if (this.#isDue) return;\n",
      },
    ],
    tests: "tests/pages/drafts.test.tsx",
    title: "typed text is stored",
  },
  {
    id: "R-F6",
    what: "a review is dated no later than the server's time",
    edits: [
      {
        file: "shared/study/rules.ts",
        from: "  return review.reviewedAt <= latest ? review : { ...review, reviewedAt: latest };",
        to: "  return latest > 0 ? review : { ...review, reviewedAt: latest };",
      },
    ],
    tests: "tests/study/reviews/reviews.test.ts",
    title: "forty days ahead",
  },
  {
    id: "R-F6b",
    what: "reviews that a wrong clock dated are repaired",
    edits: [
      {
        file: "api/study/service.ts",
        from: "await listReviewsAfter(own, now + MAX_CLOCK_AHEAD_MS);",
        to: "await listReviewsAfter(own, Number.MAX_SAFE_INTEGER);",
      },
    ],
    tests: "tests/study/reviews/reviews.test.ts",
    title: "are repaired",
  },
  {
    id: "R-F10",
    what: "independent changes are committed together",
    edits: [
      {
        file: "api/sync/apply.ts",
        from: '  if (row.isIndependent?.(request) === true) return "independent";\n',
        to: "",
      },
    ],
    tests: SYNC,
    title: "are committed together",
  },
  {
    id: "R3",
    what: "applied requests are remembered, beside and in the document",
    edits: [
      {
        file: "api/store/change-once.ts",
        from: "    if (previous) return",
        to: "    if (previous && !previous) return",
      },
      {
        file: "api/sync/store.ts",
        from: "own.in(appliedRequests).get(requestKey(own, requestId));",
        to: "own.in(appliedRequests).get(`never:${requestId}`);",
      },
    ],
    tests: SYNC,
    title: "remembered for 400 days|late doesn't replace|the same id twice|same request from two tabs",
  },
  {
    id: "R7",
    what: "one tab at a time sends, in the order of a shared sequence",
    edits: [
      {
        file: "shared/sync/flusher.ts",
        from: "return this.#deps.lock(`lamplight-sync:${this.#deps.accountId}`, async () => {",
        to: "return ((_name: string, work: () => Promise<boolean>) => work())(``, async () => {",
      },
    ],
    tests: "tests/sync/local-store.test.ts",
    title: "two tabs share one queue",
  },
  {
    id: "R8",
    what: "an outage is announced once",
    edits: [
      {
        file: "shared/sync/queue.ts",
        from: "!isNotified || parked?.kind",
        to: "isNotified || !isNotified || parked?.kind",
      },
    ],
    tests: "tests/sync/outage.test.ts",
    title: "notified once",
  },
  {
    id: "R10",
    what: "a call that is refused as a whole is split into smaller calls",
    edits: [
      {
        file: "shared/sync/flusher.ts",
        from: 'if (failure.kind === "refusal" && call.length > 1)',
        to: "if (false)",
      },
    ],
    tests: "tests/sync/queue.test.ts",
    title: "is isolated",
  },
  {
    id: "R10b",
    what: "changes that fail together are applied one by one",
    edits: [
      {
        file: "api/sync/apply.ts",
        from: "  } catch {\n    // Apply the requests one by one, to find out which of them fails.\n",
        to: "  } catch (cause) {\n    if (run.length > 1) throw cause;\n",
      },
    ],
    tests: SYNC,
    title: "components for a missing page are refused",
  },
  {
    id: "R5",
    what: "a review is dated no earlier than the card's last one",
    edits: [
      {
        file: "shared/study/rules.ts",
        from: "return Math.max(now, schedule?.lastReviewedAt ?? 0);",
        to: "return now;",
      },
    ],
    tests: "tests/study/rules.test.ts",
    title: "never dated before",
  },
];
