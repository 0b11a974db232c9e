import { expect, onTestFinished, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aQuestion, joinEvents } from "#tests/kit/tutor.ts";
import type { AnswerEvent } from "#shared/tutor/schema.ts";

const ANSWER = "One word after another. ".repeat(75);
/** By then some text is on disk, because the answer is stored once a second. */
const ENOUGH_CHARS = 1200;

async function aServer(script: Turn[]) {
  const model = await startModelServer({ script, say: () => ANSWER });
  const env = { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model", DEFAULT_PLAN: "FREE" };
  const server = await startServerProcess(env);
  onTestFinished(async () => {
    await server.dispose();
    await model.close();
  });
  const { client } = await registerAccount(server.origin);
  await aText({ client }, await aPage({ client }), "The ribosome reads messenger RNA one codon at a time.");
  return { model, server, client };
}

/** Asks a question, and kills the server once this much of the answer has arrived. */
async function askAndKill(client: V1Client, server: ServerProcess, atChars: number) {
  const question = aQuestion({ text: "What does the ribosome read?" });
  try {
    for await (const event of client.tutor.ask(question))
      if (event.type === "text" && event.at + event.text.length >= atChars) void server.kill();
  } catch {
    // The connection ended with the server.
  }
  await server.kill();
  return question;
}

async function follow(client: V1Client, answerId: string): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  for await (const event of client.tutor.followAnswer({ answerId })) events.push(event);
  return events;
}

test("after kill -9 during an answer, the answer is written again, returned completely, and counted once", async () => {
  const { server, client } = await aServer(["slow", "slow"]);
  const question = await askAndKill(client, server, ENOUGH_CHARS);
  await server.start();
  const events = await follow(client, question.answerId);
  expect(events.at(-1)).toMatchObject({ type: "done", message: { status: "done", text: ANSWER } });
  expect(joinEvents(events)).toBe(ANSWER);
  const { messages } = await client.tutor.getThread({ threadId: question.threadId });
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ["user", question.text],
    ["assistant", ANSWER],
  ]);
  expect((await client.user.getUsage({})).assistantMessages).toBe(1);
});

test("if the model is gone after a crash, the text written so far stays and is marked as incomplete", async () => {
  const { model, server, client } = await aServer(["slow"]);
  const question = await askAndKill(client, server, ENOUGH_CHARS);
  model.play(...Array<Turn>(8).fill("bad_key"));
  await server.start();
  const events = await follow(client, question.answerId);
  expect(events.at(-1)).toMatchObject({ type: "error", code: "model_unavailable" });
  const { messages } = await client.tutor.getThread({ threadId: question.threadId });
  const answer = messages.at(-1);
  expect(answer).toMatchObject({ role: "assistant", status: "failed" });
  expect(answer?.error).toBeTruthy();
  expect(answer?.text.length).toBeGreaterThan(20);
  expect(ANSWER.startsWith(answer?.text ?? "?")).toBe(true);
  expect((await client.user.getUsage({})).assistantMessages).toBe(1);
});

test("an answer without text before and after a crash is refunded", async () => {
  const { model, server, client } = await aServer(["silent"]);
  const question = aQuestion({ text: "What does the ribosome read?" });
  const asking = (async () => {
    for await (const event of client.tutor.ask(question)) if (event.type === "text") break;
  })().catch(() => undefined);
  await expect.poll(() => model.requests.length).toBe(1);
  await server.kill();
  await asking;
  model.play(...Array<Turn>(8).fill("bad_key"));
  await server.start();
  const events = await follow(client, question.answerId);
  expect(events.at(-1)).toMatchObject({ type: "error" });
  expect((await client.user.getUsage({})).assistantMessages).toBe(0);
});
