import { strFromU8, unzipSync } from "fflate";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { pdfCitation } from "#shared/citations.ts";
import { phrases as germanTable } from "#shared/messages/de/study/phrases.ts";
import { phrases } from "#shared/messages/en/study/phrases.ts";
import * as german from "#shared/messages/german.ts";
import { setLanguage } from "#shared/messages/translate.ts";
import { applyTextEvent, sliceParts, textOfParts } from "#shared/tutor/message-parts.ts";
import { phrase, plainPhrase, translateAnswer, translatePlainPart } from "#shared/tutor/phrases.ts";
import type { AnswerEvent, Message, MessagePart } from "#shared/tutor/schema.ts";
import { applyEvent } from "#extension/tutor/ask.ts";
import { answerToBlocks } from "#webapp/tutor/answer-blocks.ts";
import { AnswerText } from "#webapp/tutor/parts/answer-text.tsx";
import { startApi } from "#tests/kit/api.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";

const page = { documentElement: { lang: "en" } };
vi.stubGlobal("document", page);

const readGerman = async () => {
  page.documentElement.lang = "de";
  await setLanguage("de", german);
};

afterEach(async () => {
  page.documentElement.lang = "en";
  await setLanguage("en", { table: {}, titles: {} });
});

const namesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
const text = (words: string): MessagePart => ({ type: "text", text: words });
const asAnswer = (...parts: MessagePart[]) => ({ text: textOfParts(parts), parts });

test("every phrase has an English and a German text with the same placeholders", () => {
  expect(Object.keys(germanTable)).toEqual(Object.keys(phrases));
  for (const [key, english] of Object.entries(phrases)) {
    const translated = germanTable[key as keyof typeof phrases];
    expect(namesIn(translated), key).toEqual(namesIn(english));
    if (key !== "quiz_question") expect(translated).not.toBe(english);
  }
});

test("days and numbers in a phrase are formatted in the reader's language", async () => {
  const plan = asAnswer(
    phrase("plan_day", { day: { date: "2026-09-01" }, count: 12_345 }),
    text(" (Genes)\n\n"),
    phrase("unread_more", { titles: { list: ["One", "*Two*"] }, more: 4 }),
  );
  expect(translateAnswer(plan)).toBe(plan.text);
  expect(plan.text).toMatch(/^\*\*Tuesday,? 1 September\*\*: 12,345 cards/);
  await readGerman();
  expect(translateAnswer(plan)).toBe(
    "**Dienstag, 1. September**: 12.345 Karten (Genes)\n\n" +
      String.raw`Nicht einbezogen, weil es noch verarbeitet wird: One, \*Two\* und 4 weitere.`,
  );
});

test("text of a source, a card or a model stays unchanged next to German phrases", async () => {
  await readGerman();
  const quoted = "Your sources do not say. Nothing in them is about this. ";
  const answer = asAnswer(phrase("builtin_lead"), text(`\n\n${quoted}`), { type: "citation", n: 1 });
  expect(translateAnswer(answer)).toBe(`Aus deinen Quellen, Wort für Wort:\n\n${quoted}[^1]`);
  expect(translateAnswer(asAnswer(phrase("right", { answer: "{{answer}} $t(x) **no**" })))).toBe(
    String.raw`Das stimmt. Die Antwort: **\{\{answer\}\} \$t(x) \*\*no\*\***`,
  );
  expect(translatePlainPart(plainPhrase("follow_up", { heading: "A*B" }))).toBe("Was sagen meine Quellen über „A*B“?");
});

test("an unknown phrase is shown with its English text", async () => {
  await readGerman();
  const part: MessagePart = { type: "phrase", key: "from_tomorrow", params: {}, text: "Something new." };
  expect(translateAnswer(asAnswer(part))).toBe("Something new.");
});

test("an answer stored before message parts is shown as stored", async () => {
  await readGerman();
  const stored = "From your sources, word for word:\n\nA codon has three nucleotides. [^1]";
  expect(translateAnswer({ text: stored })).toBe(stored);
  expect(applyTextEvent({ text: stored }, { type: "text", at: 4, text: " here" }).text).toBe("From here");
});

async function aStudent() {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Genes");
  await aText(ada, pageId, "A codon is a sequence of three nucleotides that names one amino acid.");
  return { ada, pageId };
}

const follow = (events: readonly AnswerEvent[]) =>
  events.reduce<Pick<Message, "text" | "parts">>(
    (message, event) => (event.type === "text" ? { ...message, ...applyTextEvent(message, event) } : message),
    { text: "" },
  );

test("an answer requested in English is shown in German, both streamed and reopened", async () => {
  const { ada } = await aStudent();
  const question = aQuestion({ text: "What is a codon?" });
  const { events, message } = await ask(ada.client, question);
  const streamed = follow(events);
  const thread = await ada.client.tutor.getThread({ threadId: question.threadId });
  const stored = thread.messages.find(({ _id }) => _id === question.answerId);
  expect(message.text).toMatch(/^From your sources, word for word:/);
  expect([streamed, stored]).toMatchObject([{ parts: message.parts }, { parts: message.parts }]);
  expect(textOfParts(message.parts ?? [])).toBe(message.text);
  const written = events.filter(({ type }) => type === "text");
  expect(written.reduce(applyEvent, { ...message, text: "", parts: [] }).parts).toEqual(message.parts);
  // A client that follows the answer from the middle of its log.
  const replay: AnswerEvent[] = [];
  for await (const event of ada.client.tutor.followAnswer({ answerId: question.answerId })) replay.push(event);
  expect(follow(replay).parts).toEqual(message.parts);
  await readGerman();
  for (const answer of [streamed, message, ...(stored ? [stored] : [])]) {
    expect(translateAnswer(answer)).toMatch(/^Aus deinen Quellen, Wort für Wort:\n\nA codon is .* \[\^1\]$/);
    const shown = { ...answer, citations: [], pageOf: () => undefined, flagsUnsupported: false };
    expect(renderToStaticMarkup(<AnswerText {...shown} />)).toContain("Aus deinen Quellen");
  }
  expect(JSON.stringify(answerToBlocks(message))).toContain("Aus deinen Quellen, Wort für Wort:");
});

test("suggested questions and a week's plan are sent as phrases", async () => {
  const { ada, pageId } = await aStudent();
  await aDeck(ada, pageId, [aCard("one"), aCard("two")]);
  const { message } = await ask(ada.client, aQuestion({ text: "Plan my week", mode: "plan" }));
  expect(message.parts).toMatchObject([
    { type: "phrase", key: "plan_empty" },
    { type: "text" },
    { type: "phrase", key: "plan_new", params: { count: 2 } },
  ]);
  expect(message.followUpParts).toEqual([]);
  await readGerman();
  expect(translateAnswer(message)).toBe(
    "In den nächsten sieben Tagen werden keine Karten fällig.\n\n2 Karten sind neu und können an jedem Tag begonnen werden.",
  );
});

test("an account export contains an answer's plain text and its parts", async () => {
  const { ada } = await aStudent();
  const { message } = await ask(ada.client, aQuestion({ text: "What is a codon?" }));
  const files = unzipSync(new Uint8Array(await (await ada.client.user.exportAccount({})).arrayBuffer()));
  const all = Object.values(files)
    .map((file) => strFromU8(file))
    .join("\n");
  expect(all).toContain(JSON.stringify(message.text));
  expect(all).toContain('"builtin_lead"');
});

test("the extension's side panel shows answers in the language of the browser", async () => {
  vi.stubGlobal("navigator", { language: "de-DE", languages: ["de-DE"], onLine: true });
  vi.resetModules();
  const { applyUiLanguage } = await import("#extension/words/apply-ui-language.ts");
  const { Answer } = await import("#extension/tutor/answer.tsx");
  applyUiLanguage();
  const base = { threadId: "t", parent: null, citations: [], followUps: [], error: null, selection: null };
  const ground = { kind: "everything" } as const;
  const settings = { status: "done", mode: "explain", ground, model: null, createdAt: 1 } as const;
  const show = (answer: Partial<Message> & { text: string }) =>
    renderToStaticMarkup(
      <Answer message={{ _id: "a", role: "assistant", ...base, ...settings, ...answer }} onShow={() => undefined} />,
    );
  const answer = asAnswer(phrase("hint"), text(" "), { type: "citation", n: 1 });
  await expect.poll(() => show(answer)).toContain("Versuche es zuerst selbst. Sieh hier nach:");
  expect(show({ text: answer.text })).toContain("Try it yourself first.");
  const cited = {
    n: 1,
    citation: pdfCitation("file-1", 4),
    quote: "A codon.",
    passage: "A codon.",
    title: "Genes",
    place: "p. 4",
  };
  expect(show({ ...answer, citations: [cited] })).toContain("S. 4");
  vi.unstubAllGlobals();
  vi.stubGlobal("document", page);
});

test("cutting message parts preserves what is before and after the cut", () => {
  const parts = [phrase("hint"), text(" "), { type: "citation", n: 1 } as const, text("\n\nMore.")];
  const plain = textOfParts(parts);
  expect(sliceParts(parts, 0, phrases.hint.length)).toEqual([phrase("hint")]);
  for (let at = 0; at <= plain.length; at += 1) {
    expect(textOfParts(sliceParts(parts, 0, at))).toBe(plain.slice(0, at));
    expect(textOfParts(sliceParts(parts, at))).toBe(plain.slice(at));
  }
});
