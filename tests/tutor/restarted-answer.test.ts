import { expect, test } from "vitest";
import { followAnswer } from "#api/tutor/answer-stream.ts";
import { type LiveEvent, liveAnswers, restart } from "#api/tutor/live-answers.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { startApi } from "#tests/kit/api.ts";
import { ask, aQuestion, joinEvents } from "#tests/kit/tutor.ts";
import { failEnqueueing } from "#tests/jobs/fail-enqueueing.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const text = (at: number, words: string): LiveEvent => ({ type: "text", at, text: words });

/** A caller for whom the answer's log contains these events. */
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

async function anInterruptedQuestion() {
  const api = await startApi();
  const { client } = await api.newUser();
  await aText({ client }, await aPage({ client }), "A ribosome makes proteins.");
  failEnqueueing(api.deps.jobs);
  const question = aQuestion();
  await expect(ask(client, question)).rejects.toThrow();
  return { api, client, question };
}

test("an answer that ends before its job exists fails and is refunded", async () => {
  const { api, client, question } = await anInterruptedQuestion();
  expect(await client.user.getUsage({})).toMatchObject({ assistantMessages: 1 });
  api.clock.advance(61_000);
  const { messages } = await client.tutor.getThread({ threadId: question.threadId });
  expect(messages.find(({ _id }) => _id === question.answerId)).toMatchObject({ status: "failed" });
  expect(await client.user.getUsage({})).toMatchObject({ assistantMessages: 0 });
});

test("a question that is sent again after its start was interrupted is answered and counted once", async () => {
  const { client, question } = await anInterruptedQuestion();
  const { message } = await ask(client, question);
  expect(message).toMatchObject({ status: "done", text: expect.stringContaining("proteins") });
  expect(await client.user.getUsage({})).toMatchObject({ assistantMessages: 1 });
});

test.each(["the question's own id", "the id of an earlier question"])(
  "an answer under %s is refused, and the daily limit holds",
  async (which) => {
    const { client } = await (await startApi()).newUser();
    const earlier = aQuestion();
    await ask(client, earlier);
    const { assistantMessages } = await client.user.getUsage({});
    const next = aQuestion({ threadId: earlier.threadId, parent: earlier.answerId });
    const answerId = which === "the question's own id" ? next.messageId : earlier.messageId;
    await expect(ask(client, { ...next, answerId })).rejects.toMatchObject({ code: "already_exists" });
    expect(await client.user.getUsage({})).toMatchObject({ assistantMessages });
    // No slot is left occupied.
    await ask(client, aQuestion({ threadId: earlier.threadId, parent: earlier.answerId }));
  },
);

test("an answer that found nothing is refunded, also if its worker broke before it could end it", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  let isBroken = true;
  beforeStoreCall(api.deps.store, (call) => {
    if (isBroken && call === "messages.patch") throw new Error("the store is broken");
  });
  const question = aQuestion({ text: "What is entropy?" });
  await ask(client, question).catch(() => undefined);
  isBroken = false;
  const { messages } = await client.tutor.getThread({ threadId: question.threadId });
  expect(messages.find(({ _id }) => _id === question.answerId)).toMatchObject({
    status: "failed",
    parts: expect.arrayContaining([expect.objectContaining({ type: "phrase" })]),
  });
  expect(await client.user.getUsage({})).toMatchObject({ assistantMessages: 0 });
});
