import { expect, test } from "vitest";
import { pageCitation } from "#shared/citations.ts";
import type { GenerationEvent } from "#shared/flashcards/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";

const quote = "A mitochondrion is an organelle that releases energy from glucose.";
const cards = [
  { question: "What is a mitochondrion?", answer: "An organelle that releases energy from glucose", citation: null },
  { question: "The ____ holds the chromosomes of the cell.", answer: "nucleus", citation: null },
  { question: "What do ribosomes assemble?", answer: "Proteins", citation: null },
];

async function aDeckLocation(user: TestUser) {
  const pageId = await aPage(user);
  return { pageId, flashcardsId: await aDeck(user, pageId, []) };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

test("highlights arrive as plain text and are stored with the deck", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const place = await aDeckLocation(ada);
  expect(await ada.client.flashcards.getHighlightsStatus(place)).toEqual({ exists: false, highlights: null });

  const response = await fetch(
    `${api.origin}/v1/flashcards/${place.pageId}/${place.flashcardsId}/highlights?language=English`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
      body: JSON.stringify({ cards }),
    },
  );
  expect(response.headers.get("content-type")).toContain("text/plain");
  const text = await response.text();
  expect(text).toContain("**Mitochondrion**: An organelle that releases energy from glucose");
  expect(text).toContain("The **nucleus** holds the chromosomes of the cell.");
  // Unlike other streams, this one has plain text instead of framed events.
  expect(text).not.toContain("\u0002");
  expect(await ada.client.flashcards.getHighlightsStatus(place)).toEqual({ exists: true, highlights: text });
});

test("new highlights replace the earlier ones", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const place = await aDeckLocation(ada);
  await textOf(ada.client.flashcards.streamHighlights({ ...place, cards }));
  const second = await textOf(ada.client.flashcards.streamHighlights({ ...place, cards: cards.slice(2) }));
  expect((await ada.client.flashcards.getHighlightsStatus(place)).highlights).toBe(second);
});

test("highlights follow the student's instructions, and an unavailable language is reported", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const place = await aDeckLocation(ada);
  const many = Array.from({ length: 40 }, (_, i) => ({
    question: `What does organ ${"abcdefghij"[i % 10]}${i} carry to the heart?`,
    answer: `Substance ${i}`,
    citation: null,
  }));
  const options = { custom_instructions: "ribosomes please", language: "French" };
  const text = await textOf(
    ada.client.flashcards.streamHighlights({ ...place, ...options, cards: [...many, ...cards.slice(2)] }),
  );
  expect(text).toContain("ribosomes assemble");
  expect(text).toContain("The highlights stay in the language of the cards.");
});

test("another account's deck returns no highlights or coverage and accepts none", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const place = await aDeckLocation(ada);
  const missing = { code: "not_found", message: "This deck does not exist or is not shared with you." };
  await expect(eve.client.flashcards.getHighlightsStatus(place)).rejects.toMatchObject(missing);
  await expect(eve.client.flashcards.getCoverage(place)).rejects.toMatchObject(missing);
  await expect(textOf(eve.client.flashcards.streamHighlights({ ...place, cards }))).rejects.toMatchObject(missing);
});

test("empty cards have neither highlights, title nor hint", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const place = await aDeckLocation(ada);
  const empty = [{ question: " ", answer: "", citation: null }];
  const refused = { code: "bad_input" };
  await expect(textOf(ada.client.flashcards.streamHighlights({ ...place, cards: empty }))).rejects.toMatchObject(
    refused,
  );
  await expect(ada.client.flashcards.nameDeck({ cards: empty })).rejects.toMatchObject(refused);
  await expect(
    ada.client.flashcards.hintAt({ card: { question: "", answer: "", citation: null } }),
  ).rejects.toMatchObject(refused);
});

test("a deck is named with words of its cards", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { title } = await ada.client.flashcards.nameDeck({
    cards: [
      { question: "What is a volcano?", answer: "An opening through which magma escapes" },
      { question: "What is magma?", answer: "Molten rock below a volcano" },
      { question: "Where does a volcano stand?", answer: "Above a chamber of magma" },
    ],
  });
  expect(title).toBe("Magma and Volcano");
});

test("a hint gives the first letter, the length and the category, but not the answer", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const citation = pageCitation("p", "c", quote);
  const hint = async (question: string, answer: string) =>
    (await ada.client.flashcards.hintAt({ card: { question, answer, citation } })).hint;
  expect(await hint("What releases energy from glucose?", "Mitochondrion")).toBe(
    "It is an organelle. It begins with “M” and has 13 letters.",
  );
  expect(await hint("What is a mitochondrion?", "An organelle that releases energy from glucose")).toBe(
    "The answer has 7 words and begins “An organelle …”.",
  );
});

test("hints, titles and notices are in the language of the student's interface", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await ada.client.user.savePreferences({ appearance: { language: "de" } });
  const hintFor = async (answer: string, citation: string | null = null) =>
    (await ada.client.flashcards.hintAt({ card: { question: "What is it?", answer, citation } })).hint;
  expect(await hintFor("Mitochondrion", pageCitation("p", "c", quote))).toBe(
    "Es geht um: an organelle. Die Antwort beginnt mit „M“ und hat 13 Buchstaben.",
  );
  expect(await hintFor("The cell wall")).toBe("Die Antwort beginnt mit „T“ und hat 3 Wörter.");
  expect(await hintFor("An organelle that releases energy from glucose")).toBe(
    "Die Antwort hat 7 Wörter und beginnt mit „An organelle …“.",
  );
  expect(await hintFor("=")).toBe("Die Antwort ist ein Zeichen oder eine Formel.");

  const place = await aDeckLocation(ada);
  const text = await textOf(ada.client.flashcards.streamHighlights({ ...place, cards, language: "French" }));
  expect(text).toContain("Die Zusammenfassung bleibt in der Sprache der Karten.");
  const twice = { question: "What is magma in a volcano?", answer: "Molten rock of a volcano", citation: null };
  const { title } = await ada.client.flashcards.nameDeck({ cards: [twice, { ...twice, question: "Is magma hot?" }] });
  expect(title).toMatch(/ und /);
});

const notes = `# The cell

The **nucleus** is the organelle that holds the chromosomes of the cell. A **mitochondrion** is an organelle that releases energy from glucose.

# Greetings

Hello there and welcome!

# References

Smith, J. (2001). The cell. Oxford.
`;

async function generate(user: TestUser, text: string, place: { pageId: string; flashcardsId: string }) {
  const target = { pageId: place.pageId, componentId: place.flashcardsId };
  const events: GenerationEvent[] = [];
  const asked = { texts: [text], options: { density: "HIGH" as const, target } };
  for await (const event of user.client.flashcards.generateCards.stream(asked, [])) events.push(event);
  return events;
}

test("coverage lists which sections and terms have cards, and why others were skipped", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const place = await aDeckLocation(ada);
  await generate(ada, notes, place);
  const { generations } = await ada.client.flashcards.getCoverage(place);
  const entries = generations[0]?.entries ?? [];
  const entryOf = (label: string) => entries.find((entry) => entry.label === label);
  expect(entryOf("The cell")).toMatchObject({ kind: "section", skipped: null });
  expect(entryOf("The cell")?.cardIds.length).toBeGreaterThan(1);
  expect(entryOf("Greetings")).toMatchObject({ kind: "section", cardIds: [], skipped: "no_fact" });
  expect(entryOf("References")).toMatchObject({ kind: "section", cardIds: [], skipped: "not_matter" });
  expect(entryOf("nucleus")).toMatchObject({ kind: "term", skipped: null });
  expect(generations[0]?.sources).toMatchObject([{ kind: "text", componentId: null }]);
});

test("generating for one section or term yields cards about it only, without duplicates", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const place = await aDeckLocation(ada);
  const target = { pageId: place.pageId, componentId: place.flashcardsId };
  const options = { density: "AUTO" as const, target, focus: { kind: "term" as const, label: "mitochondrion" } };
  const result = await ada.client.flashcards.generateCards({ texts: [notes], options }, []);
  expect(result.cards.length).toBeGreaterThan(0);
  for (const card of result.cards) expect(`${card.question} ${card.answer}`.toLowerCase()).toContain("energy");
});

test("a card in another deck isn't made again until it is removed there", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [one, two] = [await aDeckLocation(ada), await aDeckLocation(ada)];
  const first = await generate(ada, notes, one);
  expect(first.at(-1)).toMatchObject({ type: "result" });
  const second = await generate(ada, notes, two);
  expect(second.at(-1)).toMatchObject({
    type: "error",
    message: "All cards from this source are already in your decks.",
  });
  const more = `${notes}\n# More\n\nA **vacuole** is a bag of water inside a plant cell.\n`;
  const third = await generate(ada, more, two);
  const result = third.at(-1);
  expect(result).toMatchObject({ type: "result", result: { notices: expect.arrayContaining(["already_in_library"]) } });
  if (result?.type === "result")
    for (const card of result.result.cards) expect(JSON.stringify(card)).toContain("vacuole");
});

const cardsOf = (events: readonly GenerationEvent[]) =>
  events.flatMap((event) => (event.type === "card" ? [event.card] : []));

test("a card written by hand in another deck isn't made again", async () => {
  const api = await startApi();
  const [ada, ben] = [await api.newUser(), await api.newUser()];
  const made = cardsOf(await generate(ben, notes, await aDeckLocation(ben)));
  const [known, ...others] = made.map(({ question, answer }, n) => ({ ...aCard(`mine-${n}`, question), answer }));
  if (!known) throw new Error("no card was made");
  const pageId = await aPage(ada);
  await aDeck(ada, pageId, [known]);
  const asked = cardsOf(await generate(ada, notes, await aDeckLocation(ada))).map(({ question }) => question);
  expect(asked).not.toContain(known.question);
  expect(asked).toEqual(expect.arrayContaining(others.slice(0, 2).map(({ question }) => question)));
});

test("another account's decks don't count as the library", async () => {
  const api = await startApi();
  const [ada, ben] = [await api.newUser(), await api.newUser()];
  await generate(ada, notes, await aDeckLocation(ada));
  expect((await generate(ben, notes, await aDeckLocation(ben))).at(-1)).toMatchObject({ type: "result" });
});

test("a generated cloze card has its kind", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const events = await generate(ada, notes, await aDeckLocation(ada));
  const made = events.flatMap((e) => (e.type === "card" ? [e.card] : []));
  for (const card of made) expect(card.kind).toBe(card.question.includes("____") ? "cloze" : undefined);
  expect(aCard("q", "a").kind).toBeUndefined();
});

test("a selected sentence becomes a card, and text without a fact becomes an answer without a question", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const draft = (text: string) => ada.client.flashcards.draftCard({ text });
  const card = await draft(quote);
  expect(card.question).toMatch(/mitochondrion|____|What/);
  expect(card.answer).not.toBe("");
  expect(await draft("Well, see you there!")).toEqual({ question: "", answer: "Well, see you there!" });
  await expect(draft("   ")).rejects.toMatchObject({ code: "bad_input" });
});
