import { expect, onTestFinished, test } from "vitest";
import { findRequest } from "#shared/tutor/requests.ts";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";

const GENES = [
  "An intron is a part of the primary transcript that is cut out before translation.",
  "An exon is a part of the primary transcript that remains in the mature message.",
  "The spliceosome is a complex of proteins and RNA that removes the introns.",
  "Introns are removed by a process that is called splicing.",
  "Chlorophyll is the green pigment that absorbs light in the leaves of plants.",
];

async function aStudent(env: Record<string, string> = {}) {
  const api = await startApi({ env });
  const ada = await api.newUser({ plan: "FREE" });
  const pageId = await aPage(ada, "Genes");
  for (const text of GENES) await aText(ada, pageId, text);
  return ada;
}

test.each([
  ["Make me 3 flashcards about introns", { kind: "cards", count: 3, topic: "introns" }],
  ["please create two cards on splicing", { kind: "cards", count: 2, topic: "splicing" }],
  ["make flashcards", { kind: "cards", count: 5, topic: "" }],
  ["Can you make me some flashcards of this page?", { kind: "cards", count: 5, topic: "" }],
  ["Erstelle mir drei Karteikarten zu Introns", { kind: "cards", count: 3, topic: "Introns" }],
  ["quiz me", { kind: "quiz", topic: "" }],
  ["Quiz me on introns!", { kind: "quiz", topic: "introns" }],
  ["Frag mich zu Exons ab", { kind: "quiz", topic: "Exons" }],
  ["Summarise this", { kind: "summary", topic: "" }],
  ["summarise the chapter", { kind: "summary", topic: "" }],
  ["give me a summary of my notes", { kind: "summary", topic: "" }],
  ["Fasse den Text zusammen", { kind: "summary", topic: "" }],
  ["summarize the spliceosome", { kind: "summary", topic: "the spliceosome" }],
  ["Fasse das zusammen", { kind: "summary", topic: "" }],
  ["Sum it up", { kind: "summary", topic: "" }],
  ["Please sum this all up", { kind: "summary", topic: "" }],
  ["What is a flashcard?", undefined],
  ["Which cards are due?", undefined],
  ["How do I test a hypothesis?", undefined],
])("“%s” is understood", (text, request) => {
  expect(findRequest(text)).toEqual(request);
});

test("a request for three flashcards about a topic proposes three cards about it, each with its passage", async () => {
  const ada = await aStudent();
  const { message } = await ask(ada.client, aQuestion({ text: "Make me 2 flashcards about introns" }));
  expect(message.cards).toHaveLength(2);
  for (const card of message.cards ?? []) {
    expect(`${card.question} ${card.answer} ${decodeURIComponent(card.citation)}`).toMatch(/intron/i);
    expect(card.citation).toContain("page_citation:");
  }
  expect(message.text).toContain("Here are 2 cards.");
  expect(message.citations.length).toBeGreaterThan(0);
});

test("with a model, the model's cards are proposed in the same way", async () => {
  const card = {
    question: "What is an intron?",
    answer: "A part of the transcript that is cut out",
    quote: "An intron is a part of the primary transcript that is cut out before translation.",
  };
  const server = await startModelServer({ say: () => `${JSON.stringify({ ...card, passageId: "0" })}\n` });
  onTestFinished(() => server.close());
  const ada = await aStudent({ AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" });
  const { message } = await ask(ada.client, aQuestion({ text: "make me a flashcard about introns" }));
  expect(server.requests.length).toBeGreaterThan(0);
  expect(message.cards).toMatchObject([{ question: card.question }]);
});

test("“quiz me” starts a quiz in any mode, and the conversation stays in quiz mode", async () => {
  const ada = await aStudent();
  const question = aQuestion({ text: "Quiz me on introns" });
  const { message } = await ask(ada.client, question);
  expect(message.text).toMatch(/^\*\*.+\*\*$/);
  expect(message.mode).toBe("quiz");
  expect((await ada.client.tutor.getThread({ threadId: question.threadId })).thread.mode).toBe("quiz");
});

test("a summary is about the source, not about the question before it", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Genes");
  for (const text of GENES) await aText(ada, pageId, text);
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
  const alone = await ask(ada.client, aQuestion({ text: "summarise the chapter", ground }));
  const first = aQuestion({ text: "What is chlorophyll?", ground });
  const { message } = await ask(ada.client, first);
  const later = aQuestion({ text: "summarise the chapter", ground, threadId: first.threadId, parent: message._id });
  expect((await ask(ada.client, later)).message.text).toBe(alone.message.text);
  expect(alone.message.text).toContain("ntron");
});

test.each(["Sum it up", "Summarise that, please", "Fasse das zusammen"])(
  "after an answer, “%s” is about that answer and not about the whole source",
  async (text) => {
    const api = await startApi();
    const ada = await api.newUser();
    const pageId = await aPage(ada, "Genes");
    for (const gene of GENES) await aText(ada, pageId, gene);
    const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
    const first = aQuestion({ text: "What is chlorophyll?", ground });
    const answer = await ask(ada.client, first);
    const later = aQuestion({ text, ground, threadId: first.threadId, parent: answer.message._id });
    const { message } = await ask(ada.client, later);
    expect(message.citations.map(({ quote }) => quote)).toEqual([GENES[4]]);
    // Without an answer before it, the source is meant.
    const alone = await ask(ada.client, aQuestion({ text, ground }));
    expect(alone.message.citations.length).toBeGreaterThan(1);
  },
);

test("a summary of an answer leaves out the sentences that are not about the question", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Memory");
  const about = "Automatic processing is usually done without any conscious awareness.";
  await aText(
    ada,
    pageId,
    `If someone asks you what you ate for lunch today, you could recall this quite easily. This is known as automatic processing, or the encoding of details like time and space. ${about}`,
  );
  const first = aQuestion({ text: "What is automatic processing?" });
  const answer = await ask(ada.client, first);
  const later = aQuestion({ text: "Sum it up", threadId: first.threadId, parent: answer.message._id });
  expect((await ask(ada.client, later)).message.citations.map(({ quote }) => quote)).toEqual([about]);
});

test("an answer cites the source and not the student's own card that says the same", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Genes");
  const memory =
    "Short-term memory keeps what we attend to for about twenty seconds. Its capacity is about seven items, plus or minus two.";
  const card = {
    ...aCard("card", "What is the capacity of short-term memory?"),
    answer: "About seven items, plus or minus two",
  };
  const known = {
    ...aCard("other", "Who discovered introns?"),
    answer: "Phillip Sharp and Richard Roberts discovered introns",
  };
  const deckId = await aDeck(ada, pageId, [card, known]);
  await aText(ada, pageId, memory);
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [deckId] };
  const { message } = await ask(ada.client, aQuestion({ text: "What is the capacity of short-term memory?", ground }));
  expect(message.citations.map(({ citation }) => citation.split(":")[0])).toEqual(["page_citation"]);
  expect(message.citations[0]?.quote).toContain("about seven items");
  // What only a card says is still answered from the card.
  const own = await ask(ada.client, aQuestion({ text: "Who discovered introns?", ground }));
  expect(own.message.citations[0]?.citation).toContain(`flashcard_citation:${deckId}`);
});

test("an answer that found nothing does not count towards the quota", async () => {
  const ada = await aStudent();
  await ask(ada.client, aQuestion({ text: "When was the treaty of Westphalia signed?" }));
  await ask(ada.client, aQuestion({ text: "Make me 3 flashcards about the treaty of Westphalia" }));
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(0);
  await ask(ada.client, aQuestion({ text: "What is an intron?" }));
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(1);
});

test("a question with its own content words ignores the question before it; a question that refers back uses it", async () => {
  const ada = await aStudent();
  const first = aQuestion({ text: "Make me 3 flashcards about introns" });
  const { message } = await ask(ada.client, first);
  const { threadId } = first;
  const own = await ask(ada.client, aQuestion({ threadId, parent: message._id, text: "What is chlorophyll?" }));
  expect(own.message.citations[0]?.quote).toContain("Chlorophyll is the green pigment");
  expect(own.message.text).not.toContain("ntron");
  const reference = aQuestion({ threadId, parent: own.message._id, text: "Where does it absorb light?" });
  expect((await ask(ada.client, reference)).message.citations[0]?.quote).toContain("Chlorophyll");
});
