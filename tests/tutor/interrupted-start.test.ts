import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { failEnqueueing } from "#tests/jobs/fail-enqueueing.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aPage, aText } from "#tests/store/changes.ts";

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
