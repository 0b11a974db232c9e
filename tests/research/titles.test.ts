import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { planResearch } from "#shared/research/plan/clarify.ts";
import { titleOf } from "#shared/research/plan/title.ts";
import { startApi } from "#tests/kit/api.ts";
import { aResearchQuestion } from "#tests/kit/research.ts";
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
    { hasEarlier: false, language: "en" },
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

test("a title that the student gives during a run stays", async () => {
  const held: ServerResponse[] = [];
  const page = { title: "Slow tides", text: "", send: (response: ServerResponse) => void held.push(response) };
  const servers = await startSearchServers({ web: { "/held.html": page } });
  const api = await startApi({ env: servers.env });
  const ada = await api.newUser();
  let id = "";
  const question = aResearchQuestion({ userMessage: "What causes the tides of the sea?", lookIn: ["library", "web"] });
  const asked = (async () => {
    for await (const event of ada.client.research.sendResearch(question))
      if (event.type === "conversation_id") id = event.conversationId;
  })();
  await expect.poll(() => held.length).toBe(1);
  const titleNow = async () => (await ada.client.research.getConversation({ id })).conversation.conversation_title;
  expect(await titleNow()).toBe("What causes the tides of the sea?");
  await ada.client.research.changeConversation({ id, conversation_title: "Homework" });
  for (const response of held) response.destroy();
  await asked;
  expect(await titleNow()).toBe("Homework");
});
