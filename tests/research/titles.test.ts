import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { planResearch } from "#shared/research/plan/clarify.ts";
import { titleOf } from "#shared/research/plan/title.ts";
import { startApi } from "#tests/kit/api.ts";
import { aResearchQuestion, runResearch } from "#tests/kit/research.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";

test.each([
  ["ribosomes: How do ribosomes make proteins", "How do ribosomes make proteins?"],
  ["  how do ribosomes   make proteins ", "How do ribosomes make proteins?"],
  ["What does the ribosome read?", "What does the ribosome read?"],
  ["photosynthesis: how it makes sugar", "Photosynthesis: how it makes sugar"],
  ["Mitosis versus meiosis.", "Mitosis versus meiosis"],
  ["war of 1812", "War of 1812"],
  ["mRNA vaccines", "mRNA vaccines"],
  ["pH of blood", "pH of blood"],
  ["Compare glaciers and rivers", "Compare glaciers and rivers"],
  ["Explain osmosis: the movement of water", "Explain osmosis: the movement of water"],
  ["wie entstehen Gezeiten", "Wie entstehen Gezeiten?"],
  ["Ribosomen: Wie bauen Ribosomen Proteine?", "Wie bauen Ribosomen Proteine?"],
  ["Enzymes speed up reactions. How do they work?", "Enzymes speed up reactions. How do they work?"],
  [
    "Why do the tides of the sea come twice a day on most coasts of the world, and once on others",
    "Why do the tides of the sea come twice a day on most coasts of the world, and…",
  ],
])("a session about “%s” is titled “%s”", (question, title) => {
  expect(titleOf(question)).toBe(title);
});

const clarified = (question: string, answer: string) =>
  planResearch(
    [
      { role: "user", text: question },
      { role: "assistant", text: "?" },
      { role: "user", text: answer },
    ],
    { earlier: undefined, language: "en" },
  ).message;

test.each([
  [
    "ribosomes",
    "How do ribosomes make proteins?",
    "How do ribosomes make proteins?",
    "How do ribosomes make proteins?",
  ],
  [
    "photosynthesis",
    "the light reactions",
    "photosynthesis: the light reactions",
    "Photosynthesis: the light reactions",
  ],
  ["How does it work?", "ribosomes", "ribosomes: how does it work?", "Ribosomes: how does it work?"],
  ["Wie funktioniert das hier?", "Osmose.", "Osmose: wie funktioniert das hier?", "Osmose: wie funktioniert das hier?"],
])("“%s”, clarified by “%s”, is researched as “%s” and titled “%s”", (question, answer, message, title) => {
  expect(clarified(question, answer)).toBe(message);
  expect(titleOf(message)).toBe(title);
});

test.each([
  ["Why does it matter?", "How do glaciers move?", "glaciers: why does it matter?"],
  ["And in winter?", "How do glaciers move?", "glaciers: and in winter?"],
  ["Why?", "How does the Orun glacier move, and what limits it?", "Orun glacier: why?"],
  ["What are they made of?", "Orun glacier: why does it matter?", "Orun glacier: what are they made of?"],
  ["Warum ist das wichtig?", "Wie bewegen sich Gletscher?", "Gletscher: warum ist das wichtig?"],
  // These are complete without an earlier question.
  ["What is osmosis and how does it work?", "How do glaciers move?", "What is osmosis and how does it work?"],
  ["Why is it dark at night?", "How do glaciers move?", "Why is it dark at night?"],
  ["How do volcanoes erupt?", "How do glaciers move?", "How do volcanoes erupt?"],
])("“%s” after “%s” is researched as “%s”", (question, earlier, message) => {
  const plan = planResearch([{ role: "user", text: question }], { earlier, language: "en" });
  expect(plan).toMatchObject({ result: "done", message });
});

test("a follow-up is asked back once where the question before it does not show what it is about", () => {
  const context = { earlier: "Why?", language: "en" as const };
  const asked = planResearch([{ role: "user", text: "Why does it matter?" }], context);
  expect(asked).toMatchObject({ result: "clarification", message: expect.stringContaining("refer to") });
  const messages = [
    { role: "user" as const, text: "Why does it matter?" },
    { role: "assistant" as const, text: asked.message },
    { role: "user" as const, text: "glaciers" },
  ];
  expect(planResearch(messages, context)).toMatchObject({ result: "done", message: "glaciers: why does it matter?" });
});

test("a follow-up is planned with the subject of the last question of its session", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { session } = await runResearch(ada.client, { userMessage: "How do glaciers move?" });
  const messages = [{ role: "user" as const, content: "Why does it matter?" }];
  const plan = await ada.client.research.plan({ conversationId: session._id, messages });
  expect(plan).toMatchObject({ result: "done", message: "glaciers: why does it matter?" });
});

test("a title that the student gives during a run stays", async () => {
  const delayed: ServerResponse[] = [];
  const page = { title: "Slow tides", text: "", send: (response: ServerResponse) => void delayed.push(response) };
  const servers = await startSearchServers({ web: { "/delayed.html": page } });
  const api = await startApi({ env: servers.env });
  const ada = await api.newUser();
  let id = "";
  const question = aResearchQuestion({ userMessage: "What causes the tides of the sea?", lookIn: ["library", "web"] });
  const asked = (async () => {
    for await (const event of ada.client.research.sendResearch(question))
      if (event.type === "conversation_id") id = event.conversationId;
  })();
  await expect.poll(() => delayed.length).toBe(1);
  const titleNow = async () => (await ada.client.research.getConversation({ id })).conversation.conversation_title;
  expect(await titleNow()).toBe("What causes the tides of the sea?");
  await ada.client.research.changeConversation({ id, conversation_title: "Homework" });
  for (const response of delayed) response.destroy();
  await asked;
  expect(await titleNow()).toBe("Homework");
});
