import { expect, test } from "vitest";
import { followAnswer } from "#api/tutor/answer-stream.ts";
import { type LiveEvent, liveAnswers, restart } from "#api/tutor/live-answers.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { joinEvents } from "#tests/kit/tutor.ts";

const text = (at: number, words: string): LiveEvent => ({ type: "text", at, text: words });

/** A caller for whom the log of the answer holds these events. */
const aCaller = (logged: readonly object[]) =>
  ({
    caller: { userId: "u" },
    signal: new AbortController().signal,
    jobs: {
      async *follow() {
        for (const [index, event] of logged.entries()) yield await Promise.resolve({ seq: index + 1, event });
      },
    },
  }) as unknown as UserCtx;

const done = { type: "done", message: {}, title: "" };

test.each([
  {
    when: "before the log has any of it",
    live: [text(0, "wrong and long"), restart, text(0, "right")],
    logged: [text(0, "wrong and long"), restart, text(0, "right")],
  },
  {
    when: "while the log lacks the end",
    live: [text(0, "wrong and long"), restart, text(0, "right"), text(5, ", too")],
    logged: [text(0, "wrong"), text(5, " and long"), restart, text(0, "right")],
  },
  {
    when: "twice",
    live: [text(0, "wrong and long"), restart, text(0, "bad and longer"), restart, text(0, "right")],
    logged: [text(0, "wrong and long"), restart, text(0, "bad and longer"), restart, text(0, "right")],
  },
])("a client that joins after an answer was restarted $when reads the last text only", async ({ live, logged }) => {
  const key = `restarted-${live.length}-${logged.length}`;
  for (const event of live) liveAnswers.publish(key, event);
  const received = [];
  for await (const event of followAnswer(aCaller([...logged, done]), key, "answer", 0)) {
    received.push(event);
    expect("right, too").toContain(joinEvents(received));
  }
  liveAnswers.end(key);
  expect(received.at(-1)?.type).toBe("done");
  expect(joinEvents(received)).toMatch(/^right/);
});
