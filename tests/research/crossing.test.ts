import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { failEnqueueing } from "#tests/jobs/fail-enqueueing.ts";
import { aResearchQuestion, runResearch } from "#tests/kit/research.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aPage, aText } from "#tests/store/changes.ts";

test("a re-check keeps the sources of a run that ends meanwhile", async () => {
  const api = await startApi();
  const { client } = await api.newUser({ plan: "ULTIMATE" });
  await aText({ client }, await aPage({ client }), "The ribosome reads messenger RNA one codon at a time.");
  const { session } = await runResearch(client);
  await aText({ client }, await aPage({ client }), "Osmosis moves water across a membrane.");
  let isFirst = true;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "research_snapshots.find" || !isFirst) return;
    isFirst = false;
    await runResearch(client, { conversationId: session._id, userMessage: "What does osmosis move?" });
  });
  const { sources } = await client.research.recheckSources({ id: session._id });
  const { conversation } = await client.research.getConversation({ id: session._id });
  expect(sources.map(({ n, recheck }) => [n, recheck?.state])).toEqual([
    [1, "same"],
    [2, undefined],
  ]);
  expect(conversation.sources).toEqual(sources);
});

test("a research that ends before its job exists is refunded", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  failEnqueueing(api.deps.jobs);
  const messageId = ulid();
  await expect(runResearch(client, { messageId })).rejects.toThrow();
  expect(await client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
  api.clock.advance(61_000);
  const { conversation } = await client.research.getConversation({ id: messageId });
  expect(conversation.run.status).toBe("failed");
  expect(await client.user.getUsage({})).toMatchObject({ researchMessages: 0 });
});

test("a question whose start was interrupted is in the history after a retry, separate from the earlier one", async () => {
  const api = await startApi();
  const { client } = await api.newUser({ plan: "ULTIMATE" });
  await aText({ client }, await aPage({ client }), "The ribosome reads messenger RNA one codon at a time.");
  const { session } = await runResearch(client);
  const question = { conversationId: session._id, messageId: ulid(), userMessage: "Does the ribosome read codons?" };
  let isFirst = true;
  beforeStoreCall(api.deps.store, (call) => {
    if (call !== "research_contents.patch" || !isFirst) return;
    isFirst = false;
    throw new Error("the process ended");
  });
  await expect(runResearch(client, question)).rejects.toThrow();
  const { session: after } = await runResearch(client, question);
  const asked = after.history.filter(({ creator }) => creator === "user").map(({ content }) => content);
  expect(asked).toEqual([aResearchQuestion().userMessage, question.userMessage]);
  expect(new Set(after.sections.map(({ id }) => id)).size).toBe(after.sections.length);
  expect(await client.user.getUsage({})).toMatchObject({ researchMessages: 2 });
});

test("of two equal requests, of which the second enqueues the job first, one is counted", async () => {
  const api = await startApi();
  const { client } = await api.newUser({ plan: "ULTIMATE" });
  await aText({ client }, await aPage({ client }), "The ribosome reads messenger RNA one codon at a time.");
  const question = { messageId: ulid() };
  let isFirst = true;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "research_contents.patch" || !isFirst) return;
    isFirst = false;
    await runResearch(client, question);
  });
  await runResearch(client, question);
  expect(await client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
});
