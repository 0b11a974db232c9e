import { expect, onTestFinished, test, vi } from "vitest";
import { completeFromTexts } from "#shared/pages/text-completion.ts";
import { takeFirstWord, joinCompletion, trimCompletion } from "#shared/pages/completion.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";
import { WordCounter } from "#webapp/pages/completed-words-queue.ts";

const OSMOSIS = "Osmosis is the movement of water across a membrane. It needs no energy.";

async function complete({ client }: TestUser, before: string, more: { pageId?: string; componentId?: string } = {}) {
  let text = "";
  let engine = "";
  const asked = { pageId: "none", componentId: "none", before, ...more };
  for await (const event of client.pages.completeText(asked))
    if (event.type === "text") text += event.text;
    else engine = event.engine;
  return { text, engine };
}

/** New text is found only after it is indexed, which can take long on a busy machine. */
const INDEX_POLL = { timeout: 15_000, interval: 100 };

test("the built-in engine completes a line from the student's other texts, up to the end of the sentence", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), OSMOSIS);
  await vi.waitFor(async () => {
    expect((await complete(ada, "Remember: osmosis is the mov")).text).toBe("ement of water across a membrane.");
  }, INDEX_POLL);
  expect((await complete(ada, "Notes\nosmosis is the movement")).text).toBe(" of water across a membrane.");
  expect((await complete(ada, "Osmosis is the movement ")).text).toBe("of water across a membrane.");
  expect((await complete(ada, "Osmosis is the movement")).engine).toBe("Built-in engine");
});

test("suggests nothing without a similar text, from the line itself, or from another account's texts", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser({ name: "Eve" })];
  const pageId = await aPage(ada);
  const componentId = await aText(ada, pageId, OSMOSIS);
  await vi.waitFor(async () => {
    expect((await complete(ada, "Osmosis is the movement")).text).not.toBe("");
  }, INDEX_POLL);
  expect((await complete(ada, "The treaty was signed by")).text).toBe("");
  expect((await complete(ada, "It is")).text).toBe("");
  expect((await complete(ada, "Osmosis is the movement", { pageId, componentId })).text).toBe("");
  expect((await complete(eve, "Osmosis is the movement", { pageId, componentId })).text).toBe("");
});

async function withModel(say: (prompt: string) => string, script: Turn[] = []) {
  const server = await startModelServer({ say, script });
  onTestFinished(() => server.close());
  const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" } });
  return { server, api, ada: await api.newUser() };
}

test("a model continues the line with the student's instructions, without repeating its beginning, for one line only", async () => {
  const { server, ada } = await withModel(() => "The mitochondrion makes most of the cell's energy.\nAnd more.");
  await ada.client.user.savePreferences({ features: { text_completion_custom_instructions: "British spelling" } });
  const pageId = await aPage(ada, "Organelles");
  const { text, engine } = await complete(ada, "The mitochondrion makes", { pageId });
  expect(text).toBe(" most of the cell's energy.");
  expect(engine).toBe("test-model");
  expect(server.requests[0]?.prompt).toContain("British spelling");
  expect(server.requests[0]?.prompt).toContain("Organelles");
});

test("a completion has at most thirty words", async () => {
  const { ada } = await withModel(() => ` ${"word ".repeat(200)}`);
  expect((await complete(ada, "There was once a")).text.trim().split(" ")).toHaveLength(30);
});

test("with completions switched off, the model isn't asked", async () => {
  const { server, ada } = await withModel(() => " anything");
  await ada.client.user.savePreferences({ features: { text_completion_enabled: false } });
  expect((await complete(ada, "The mitochondrion makes")).text).toBe("");
  expect(server.requests).toEqual([]);
});

test("an unreachable model is reported as unavailable, and nothing is counted", async () => {
  const { ada } = await withModel(() => " anything", ["bad_key", "bad_key", "bad_key", "bad_key"]);
  await expect(complete(ada, "The mitochondrion makes")).rejects.toMatchObject({ code: "model_unavailable" });
  expect((await ada.client.user.getUsage({})).autocompleteWords).toBe(0);
});

test("accepted words are counted for the day; beyond the plan's five hundred, requests are refused until the next", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  await ada.client.pages.countCompletedWords({ wordCount: 499 });
  await expect(complete(ada, "Osmosis is the movement")).resolves.toMatchObject({ text: "" });
  const { usage } = await ada.client.pages.countCompletedWords({ wordCount: 4 });
  expect(usage.autocompleteWords).toBe(503);
  await expect(complete(ada, "Osmosis is the movement")).rejects.toMatchObject({
    code: "limit_reached",
    status: 402,
    message: "You've reached your usage limit. Upgrade to continue!",
    data: { limit: "autocompleteWords", most: 500 },
  });
  api.clock.advance(86_400_000);
  await expect(complete(ada, "Osmosis is the movement")).resolves.toMatchObject({ text: "" });
  const plus = await api.newUser({ plan: "PLUS" });
  await plus.client.pages.countCompletedWords({ wordCount: 9000 });
  await expect(complete(plus, "Osmosis is the movement")).resolves.toMatchObject({ text: "" });
});

test("counts are added at once, sent in batches, and reverted if the server refuses them", async () => {
  let local = 0;
  const sent: number[] = [];
  const answers: (() => void)[] = [];
  const troubles: unknown[] = [];
  const counter = new WordCounter({
    send: (words) => {
      sent.push(words);
      return new Promise((resolve, reject) =>
        answers.push(() => (sent.length === 2 ? reject(new Error("no network")) : resolve(undefined))),
      );
    },
    addToLocalUsage: (words) => (local += words),
    onError: (error) => troubles.push(error),
  });
  counter.count(2);
  counter.count(3);
  counter.count(4);
  expect(local).toBe(9);
  expect(sent).toEqual([2]);
  answers[0]?.();
  await vi.waitFor(() => expect(sent).toEqual([2, 7]), INDEX_POLL);
  answers[1]?.();
  await vi.waitFor(() => expect(local).toBe(2), INDEX_POLL);
  expect(troubles).toHaveLength(1);
});

test("the longest match wins, an unfinished word is completed, and accents and case are ignored", () => {
  const texts = ["The café was full of students.", "the cafe was closed on Sunday. The rest.", "CAFE WAS open"];
  expect(completeFromTexts("I know that the cafe was cl", texts)).toBe("osed on Sunday.");
  expect(completeFromTexts("the Café was fu", texts)).toBe("ll of students.");
  expect(completeFromTexts("was", texts)).toBeUndefined();
  expect(completeFromTexts("the rest of the", texts)).toBeUndefined();
});

test("completions are cut between words, joined without duplication, and accepted word by word", () => {
  expect(trimCompletion(" one two three\nfour", 2)).toBe(" one two");
  expect(joinCompletion("It was a dark", "It was a dark and stormy night")).toBe(" and stormy night");
  expect(joinCompletion("It was a ", " dark night")).toBe("dark night");
  expect(takeFirstWord(" and stormy night")).toBe(" and");
});
