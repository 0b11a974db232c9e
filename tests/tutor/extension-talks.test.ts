import { expect, test, vi } from "vitest";
import { interpolate } from "#shared/messages/interpolate.ts";
import { words } from "#extension/words/words.ts";
import type { Question } from "#extension/tutor/conversations.ts";
import type { TutorMode } from "#shared/tutor/schema.ts";
import { notify } from "#extension/app/channel.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";

const FACTS = [
  "The ribosome reads messenger RNA one codon at a time.",
  "A codon is a sequence of three nucleotides that names one amino acid.",
];
const CELLS = "https://lectures.example.org/cells";
const LEAVES = "https://lectures.example.org/leaves";

let made = 0;

const question = (text: string, mode: TutorMode = "explain"): Question => ({ text, mode, selection: null });

/** A student with the side panel and two captured pages. */
async function aReader(env: Record<string, string> = {}) {
  const world = anExtensionWorld();
  const api = await startApi({ realClock: true, env });
  const ada = await api.newUser();
  const conversations = await import("#extension/tutor/conversations.ts");
  made += 1;
  const capturePage = async (address: string, facts: readonly string[]) => {
    const pageId = await aPage(ada, address);
    for (const fact of facts) await aText(ada, pageId, fact);
    return { pageId, componentId: null, address: `${address}?${made}` };
  };
  const cells = await capturePage(CELLS, FACTS);
  const leaves = await capturePage(LEAVES, [
    "Chlorophyll is the green pigment that absorbs light in the leaves of plants.",
  ]);
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  return { ...world, api, ada, conversations, cells, leaves };
}

test("an account that is connected while the panel is open sees no conversation of the one before", async () => {
  const { api, ada, conversations, cells } = await aReader();
  expect(await conversations.ask(cells.address, question("What is a codon?"), async () => cells)).toBe(true);
  conversations.writeDraft("https://lectures.example.org/leaves", "Why is it");
  notify("account");
  const eve = await api.newUser({ name: "Eve" });
  expect(conversations.getConversation(cells.address).messages).toHaveLength(2);
  await connectAs(api.origin, { accountId: eve.userId, token: eve.token });
  notify("account");
  await expect.poll(() => conversations.getConversation(cells.address).messages).toEqual([]);
  expect(conversations.getConversation("https://lectures.example.org/leaves").draft).toBe("");
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  notify("account");
  await conversations.openConversation(cells.address);
  expect(conversations.getConversation(cells.address).messages).toHaveLength(2);
});

test("each document has its own conversation across tabs, and each question sends the document's text", async () => {
  const { conversations, cells, leaves } = await aReader();
  expect(await conversations.ask(cells.address, question("What is a codon?"), async () => cells)).toBe(true);
  expect(await conversations.ask("tab:7", question("What is chlorophyll?"), async () => leaves)).toBe(true);
  const [about, other] = [conversations.getConversation(cells.address), conversations.getConversation("tab:7")];
  expect(about.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(
    about.messages
      .at(-1)
      ?.citations.map(({ quote }) => quote)
      .join(" "),
  ).toContain("three nucleotides");
  expect(other.messages.at(-1)?.text).toContain("green pigment");
  expect(conversations.getConversation(leaves.address)).toBe(other);
  conversations.forgetTab("tab:7");
  expect(conversations.getConversation("tab:7").messages).toEqual([]);
  expect(conversations.getConversation(leaves.address).messages).toHaveLength(2);
});

const ABOUT_ALL = [
  words.ask_summary_text,
  interpolate(words.ask_translate_page, { language: "German" }),
  "Fasse diese Seite zusammen.",
  "Erkläre, worum es auf dieser Seite geht.",
  "Übersetze diese Seite: Englisch.",
];

test("quick actions on a page cover all of it, whatever was asked before", async () => {
  const { conversations, cells } = await aReader();
  const ask = (asked: Question) => conversations.ask(cells.address, asked, async () => cells);
  await ask(question("What names one amino acid?"));
  for (const text of ABOUT_ALL) {
    await ask(question(text));
    const quotes = conversations
      .getConversation(cells.address)
      .messages.at(-1)
      ?.citations.map(({ quote }) => quote);
    expect([text, quotes]).toEqual([text, FACTS]);
    await ask({ ...question(words.ask_explain_selection), selection: FACTS[1] ?? "" });
  }
});

test("the selection is explained, in English or German, and not the words of the request", async () => {
  const { conversations, cells } = await aReader();
  for (const text of [words.ask_explain_selection, "Erkläre den ausgewählten Text."]) {
    await conversations.ask(cells.address, { ...question(text), selection: FACTS[1] ?? "" }, async () => cells);
    const [citation] = conversations.getConversation(cells.address).messages.at(-1)?.citations ?? [];
    expect([text, citation?.quote]).toEqual([text, FACTS[1]]);
  }
});

test("a quiz on a page works with the built-in engine alone", async () => {
  const { conversations, cells } = await aReader();
  await conversations.ask(cells.address, question(words.ask_quiz_text, "quiz"), async () => cells);
  expect(conversations.getConversation(cells.address).messages.at(-1)?.text).toContain("?");
  await conversations.ask(cells.address, question("I do not know", "quiz"), async () => cells);
  expect(conversations.getConversation(cells.address).messages.at(-1)?.text).toContain("The answer:");
});

test("a question that can't be sent shows the reason and leaves earlier messages unchanged", async () => {
  const { conversations, cells, answerWith } = await aReader();
  expect(await conversations.ask("tab:9", question("Anything?"), async () => undefined)).toBe(false);
  expect(conversations.getConversation("tab:9").problem).toContain("could not be sent to the server");
  answerWith(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await conversations.ask(cells.address, question("What is a codon?"), async () => cells)).toBe(false);
  expect(conversations.getConversation(cells.address)).toMatchObject({
    stage: "idle",
    problem: expect.any(String) as string,
  });
});

test("a tab with an unknown address accepts questions about its next page too", async () => {
  const { conversations, cells, leaves } = await aReader();
  expect(await conversations.ask("tab:8", question("What is a codon?"), async () => cells)).toBe(true);
  conversations.forgetTab("tab:8");
  expect(conversations.getConversation("tab:8").stage).toBe("idle");
  expect(await conversations.ask("tab:8", question("What is chlorophyll?"), async () => leaves)).toBe(true);
  expect(conversations.getConversation("tab:8").messages.at(-1)?.text).toContain("green pigment");
});

test("a question asked while the earlier conversation loads is shown as unanswered until its answer", async () => {
  const { conversations, cells, answerWith } = await aReader();
  await conversations.ask(cells.address, question("What is a codon?"), async () => cells);
  vi.resetModules();
  const reopened = await import("#extension/tutor/conversations.ts");
  const [loaded, captured] = [createDeferred<undefined>(), createDeferred<typeof cells>()];
  const isLoading = createDeferred<undefined>();
  answerWith(async ({ path }) => {
    if (!path.includes("/threads/")) return undefined;
    isLoading.resolve(undefined);
    return loaded.promise;
  });
  const opening = reopened.openConversation(cells.address);
  await isLoading.promise;
  const asking = reopened.ask(cells.address, question("What is a ribosome?"), () => captured.promise);
  loaded.resolve(undefined);
  await opening;
  expect(reopened.getConversation(cells.address).stage).toBe("capturing");
  captured.resolve(cells);
  expect(await asking).toBe(true);
  expect(reopened.getConversation(cells.address)).toMatchObject({ stage: "idle", messages: { length: 4 } });
});

test("an interrupted answer is resumed by its id until it ends", async () => {
  const reply = `It names one amino acid. ${"It is said slowly, so that something can happen meanwhile. ".repeat(20)}`;
  const model = await startModelServer({ say: () => reply, script: ["slow"] });
  const { conversations, cells, loseStreams } = await aReader({ AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" });
  loseStreams(2);
  expect(await conversations.ask(cells.address, question("What is a codon?"), async () => cells)).toBe(true);
  const last = conversations.getConversation(cells.address).messages.at(-1);
  expect(last?.status).toBe("done");
  expect(last?.text.split("said slowly")).toHaveLength(21);
  await model.close();
});

test("reopening the panel during an answer restores the conversation and continues the answer", async () => {
  const reply = `It names one amino acid. ${"It is said slowly, so that something can happen meanwhile. ".repeat(20)}`;
  const model = await startModelServer({ say: () => reply, script: ["slow"] });
  const { conversations, cells } = await aReader({ AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" });
  const asking = conversations.ask(cells.address, question("What is a codon?"), async () => cells);
  const written = () => conversations.getConversation(cells.address).messages.at(-1)?.text;
  await expect.poll(written, { timeout: 20_000 }).toContain("said slowly");
  // New module instances, as in a panel that was closed and opened again.
  vi.resetModules();
  const reopened = await import("#extension/tutor/conversations.ts");
  expect(reopened.getConversation(cells.address).messages).toEqual([]);
  await reopened.openConversation(cells.address);
  const last = reopened.getConversation(cells.address).messages.at(-1);
  expect(last?.status).toBe("done");
  expect(last?.text.split("said slowly")).toHaveLength(21);
  await asking;
  await model.close();
});
