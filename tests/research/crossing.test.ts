import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
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
