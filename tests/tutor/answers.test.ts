import { marked } from "marked";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import type { Failure } from "#shared/contract/failure.ts";
import { advance } from "#shared/study/rules.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import type { RetrievedPassage } from "#api/tutor/answering/answer-builder.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { readContextText } from "#api/tutor/answering/context-windows.ts";
import { retrievePassages } from "#api/tutor/answering/retrieve.ts";
import { describeDays, planWeek } from "#api/tutor/due-week.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, aText, send, textComponent, textContent } from "#tests/store/changes.ts";
import { ask, aQuestion, joinEvents } from "#tests/kit/tutor.ts";

const RIBOSOME = "The ribosome reads messenger RNA one codon at a time. Each codon names one amino acid.";
const LEAF = "Chlorophyll absorbs light in the leaves of plants, and reflects green.";

test("without a model, the answer is a sentence of the student's own page with a citation", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const componentId = await aText(ada, pageId, RIBOSOME);
  await aText(ada, pageId, LEAF);
  const { events, message } = await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  expect(message).toMatchObject({ role: "assistant", status: "done", error: null });
  expect(message.text).toContain("The ribosome reads messenger RNA one codon at a time. [^1]");
  expect(message.text).not.toContain("Chlorophyll");
  expect(joinEvents(events)).toBe(message.text);
  const [citation] = message.citations;
  expect(parseCitation(citation?.citation ?? "")).toMatchObject({ type: "page_citation", pageId, componentId });
  const passage = { id: "1", text: RIBOSOME, kind: "paragraph" as const, bold: [], italic: [], locator: {} };
  expect(findExactQuote([passage], citation?.quote ?? "")).toBeDefined();
});

test("a citation shows the context of its quote under the same heading, and nothing of the next section", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, "Before everything else there was water.");
  await aText(ada, pageId, RIBOSOME);
  await aText(ada, pageId, "A second sentence goes on about transfer molecules.");
  const heading = textComponent(ulid(), pageId);
  const content = { ...textContent("Leaves"), subType: "heading_1" as const };
  const component = { ...heading.component, content };
  await send(ada, aChange("component_create", component._id, { ...heading, component }));
  await aText(ada, pageId, LEAF);
  const { message } = await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  const [first] = message.citations;
  expect(first?.quote).toBe("The ribosome reads messenger RNA one codon at a time.");
  expect(first?.passage.split("\n")).toEqual([
    "Before everything else there was water.",
    RIBOSOME,
    "A second sentence goes on about transfer molecules.",
  ]);
});

test("follow-up questions are about topics, not about a summary or the works that a text cites", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  for (const [title, text] of [
    ["Protein synthesis", RIBOSOME],
    ["Summary", "In sum, the ribosome reads each codon of the messenger RNA."],
    ["References", "The ribosome reads messenger RNA. Journal of Cells, 4, 12 to 19."],
    ["Transfer molecules", "The ribosome reads a codon when a transfer molecule brings the amino acid."],
  ] as const) {
    const heading = textComponent(ulid(), pageId);
    const content = { ...textContent(title), subType: "heading_1" as const };
    const component = { ...heading.component, content };
    await send(ada, aChange("component_create", component._id, { ...heading, component }));
    await aText(ada, pageId, text);
  }
  const { message } = await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  expect(message.followUps.join(" ")).toContain("Transfer molecules");
  expect(message.followUps.join(" ")).not.toMatch(/Summary|References/);
});

test("a question of several parts finds no more passages than a single one, and a part of stop words is not searched", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  for (const text of [RIBOSOME, LEAF, "A glacier is a river of ice.", "The ribosome is small."])
    await aText(ada, pageId, text);
  const searched: string[] = [];
  const { index } = api.deps;
  const search: typeof index.search = (ownerId, request) => {
    searched.push(request.text);
    return index.search(ownerId, request);
  };
  const deps = {
    ...api.deps,
    own: ownedBy(api.deps.store, ada.userId),
    index: new Proxy(index, { get: (target, key) => (key === "search" ? search : Reflect.get(target, key)) }),
  };
  const question = { selection: null, scope: { kind: "everything" as const }, previousQuestion: undefined };
  const find = async (text: string) => {
    searched.length = 0;
    const { passages } = await retrievePassages(deps, { ...question, text, mayReadAnything: false }, 2);
    return { passages: passages.length, searches: searched.length };
  };
  const several = "What is a ribosome, and what is a glacier, and what is chlorophyll, and what is a codon";
  expect(await find(`${several}?`)).toEqual({ passages: 2, searches: 4 });
  expect(await find(`What is a ribosome, and why?`)).toEqual({ passages: 2, searches: 1 });
  expect(await find(`${several}, `.repeat(150))).toEqual({ passages: 2, searches: 1 });
});

test("a question about a definition is answered with the defining sentence first", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, "One codon after another codon, codon by codon, the ribosome reads each codon.");
  await aText(ada, pageId, "A codon is a sequence of three nucleotides that names one amino acid.");
  const { message } = await ask(ada.client, aQuestion({ text: "What is a codon?" }));
  expect(message.citations[0]?.quote).toBe("A codon is a sequence of three nucleotides that names one amino acid.");
});

test("a sentence that only refers elsewhere ranks behind one that answers", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, "For a summary of prokaryotic cells and eukaryotic cells, see the figure.");
  await aText(ada, pageId, "Prokaryotic cells are much smaller than eukaryotic ones and lack a nucleus.");
  const question = "What is the difference between prokaryotic cells and eukaryotic cells?";
  const { message } = await ask(ada.client, aQuestion({ text: question }));
  expect(message.citations[0]?.quote).toContain("lack a nucleus");
});

test("a question that the sources barely cover gets the closest passages, labelled as such", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), RIBOSOME);
  const text = "How does the ribosome press quartz crystals into granite mountains under glaciers?";
  const { message } = await ask(ada.client, aQuestion({ text }));
  expect(message.text).toContain("Your sources may not say this. Closest passages:");
  expect(message.citations).toHaveLength(1);
  // A passage that shares only a common word with an unrelated question is not returned.
  const elsewhere = await ask(
    ada.client,
    aQuestion({ text: "Which ribosome stands on the coat of arms of Mongolia?" }),
  );
  expect(elsewhere.message.text).toBe("Your sources do not say. Nothing in them is about this.");
});

const aPassage = (id: string, heading: string) => ({
  id,
  text: `Said in ${id}.`,
  kind: "paragraph" as const,
  locator: { heading },
  componentId: "file",
});

test("the context of a citation ends with its section, even if headings aren't passages", async () => {
  const near = [aPassage("a", "One"), aPassage("b", "Two"), aPassage("c", "Two"), aPassage("d", "Three")];
  const api = await startApi();
  const index = { ...api.deps.index, read: () => Promise.resolve(near) };
  const source = { id: "file:file", kind: "file" as const };
  const ground = { source, passage: aPassage("b", "Two"), position: 1, score: 1 } as unknown as RetrievedPassage;
  expect(await readContextText(index, "ada", ground)).toBe("Said in b.\nSaid in c.");
});

test("reports that the sources don't contain an answer", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), RIBOSOME);
  const { message } = await ask(ada.client, aQuestion({ text: "When was the treaty of Westphalia signed?" }));
  expect(message.text).toContain("Your sources do not say");
  expect(message.citations).toEqual([]);
});

test("an answer uses the current text of an edited page and nothing deleted", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const componentId = await aText(ada, pageId, RIBOSOME);
  await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  const newContent = textContent("The ribosome is made of two subunits, a small one and a large one.");
  await send(ada, aChange("component_content_update", componentId, { newContent }, { baseVersion: 1 }));
  const second = await ask(ada.client, aQuestion({ text: "What is the ribosome made of?" }));
  expect(second.message.text).toContain("two subunits");
  await send(ada, aChange("component_delete", componentId, {}));
  const third = await ask(ada.client, aQuestion({ text: "What is the ribosome made of?" }));
  expect(third.message.citations).toEqual([]);
});

test("an answer uses the selected source only, and never another account's", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const mine = await aPage(ada, "Mine");
  await aText(ada, mine, LEAF);
  await aText(ada, await aPage(ada, "Other"), RIBOSOME);
  const theirs = await aPage(eve, "Theirs");
  await aText(eve, theirs, "The ribosome of Eve is a secret that she wrote down.");
  const chosen = { kind: "chosen" as const, pageIds: [mine, theirs], componentIds: [] };
  const { message } = await ask(ada.client, aQuestion({ text: "What does the ribosome read?", ground: chosen }));
  expect(message.citations).toEqual([]);
  expect(message.text).not.toContain("Eve");
});

test("a question about a whole source is answered with its own sentences", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, RIBOSOME);
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
  const { message } = await ask(ada.client, aQuestion({ text: "Summarise this page", ground }));
  expect(message.citations.length).toBeGreaterThan(0);
});

test.each(["Summarise this page", "Summarise this", "Fasse das zusammen"])(
  "“%s” is answered from the selected source instead of reported as missing",
  async (text) => {
    const api = await startApi();
    const ada = await api.newUser();
    const pageId = await aPage(ada);
    await aText(ada, pageId, RIBOSOME);
    const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
    const { message } = await ask(ada.client, aQuestion({ text, ground }));
    expect(message.text).toMatch(/^From your sources, word for word:/);
    expect(message.citations.length).toBeGreaterThan(0);
  },
);

test("the German interface's own questions work: a quiz, and what the sources say about a section", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, "Chlorophyll is the green pigment that absorbs light in the leaves of plants.");
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
  const quiz = await ask(ada.client, aQuestion({ text: "Frag mich dazu ab", mode: "quiz", ground }));
  expect(quiz.message.text).toMatch(/^\*\*.+\?\*\*$/);
  const text = "Was sagen meine Quellen über „Chlorophyll“?";
  const { message } = await ask(ada.client, aQuestion({ text, ground }));
  expect(message.text).toMatch(/^From your sources, word for word:/);
});

test.each([
  ["no text", ""],
  ["one word", "Ribosome"],
  ["a table of numbers", "12 13 14\n15 16 17\n18 19 20"],
  ["three megabytes in one line", "ribosome reads codon ".repeat(150_000)],
])(
  "a source with %s is answered without an error",
  async (_what, text) => {
    const api = await startApi();
    const ada = await api.newUser();
    const pageId = await aPage(ada);
    await aText(ada, pageId, text);
    const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
    const { message } = await ask(ada.client, aQuestion({ text: "What does the ribosome read?", ground }));
    expect(message.status).toBe("done");
    expect(message.text.length).toBeGreaterThan(10);
  },
  60_000,
);

test("a quiz asks a card of the student's deck, grades the answer and shows its source", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const cards = [
    { ...aCard("one", "What does chlorophyll absorb?"), answer: "red and blue light" },
    { ...aCard("two", "Where does photosynthesis happen?"), answer: "in the chloroplast" },
  ];
  const deckId = await aDeck(ada, pageId, cards);
  const ground = { kind: "chosen" as const, pageIds: [], componentIds: [deckId] };
  const first = aQuestion({ text: "Quiz me", mode: "quiz", ground });
  const { message } = await ask(ada.client, first);
  expect(message.text).toBe("**What does chlorophyll absorb?**");
  expect(JSON.stringify(message)).not.toContain("red and blue");
  const { threadId } = first;
  const reply = { threadId, mode: "quiz" as const, ground, parent: first.answerId };
  const right = await ask(ada.client, aQuestion({ ...reply, text: "It absorbs blue and red light" }));
  expect(right.message.text).toMatch(/^That is right\..*red and blue light/);
  expect(right.message.text).toContain("Where does photosynthesis happen?");
  expect(right.message.citations[0]?.citation).toContain(`flashcard_citation:${deckId}`);
  const next = { ...reply, parent: right.message._id };
  const wrong = await ask(ada.client, aQuestion({ ...next, text: "In the roots" }));
  expect(wrong.message.text).toMatch(/^Not yet\./);
  expect(wrong.message.text).toContain("I have no more questions");
});

test("asking for a question during a quiz is not graded as an answer", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const cards = [aCard("one", "What does chlorophyll absorb?"), aCard("two", "Where does photosynthesis happen?")];
  const deckId = await aDeck(ada, await aPage(ada), cards);
  const ground = { kind: "chosen" as const, pageIds: [], componentIds: [deckId] };
  const asked = { text: "Quiz me on this", mode: "quiz" as const, ground };
  const first = aQuestion(asked);
  const { message } = await ask(ada.client, first);
  expect(message.text).toBe("**What does chlorophyll absorb?**");
  const second = aQuestion({ ...asked, threadId: first.threadId, parent: message._id });
  expect((await ask(ada.client, second)).message.text).toBe("**Where does photosynthesis happen?**");
});

test("a quiz about a text asks questions that the engine generated from it", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, "Chlorophyll is the green pigment that absorbs light in the leaves of plants.");
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
  const { message } = await ask(ada.client, aQuestion({ text: "Quiz me on this", mode: "quiz", ground }));
  expect(message.text).toMatch(/^\*\*.+\?\*\*$/);
});

test("a quiz goes on with the later parts of a long text", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  for (let day = 1; day <= 35; day += 1) await aText(ada, pageId, `We met again on day ${day} and walked home.`);
  await aText(ada, pageId, "Chlorophyll is the green pigment that absorbs light in the leaves of plants.");
  const ground = { kind: "chosen" as const, pageIds: [pageId], componentIds: [] };
  const { message } = await ask(ada.client, aQuestion({ text: "Quiz me", mode: "quiz", ground }));
  expect(message.text).toMatch(/^\*\*.*hlorophyll.*\?\*\*$/);
});

test("a week's plan lists the cards that come due, and counts the new cards", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const deckId = await aDeck(ada, pageId, [aCard("one"), aCard("two")]);
  const empty = await ask(ada.client, aQuestion({ text: "Plan my week", mode: "plan" }));
  expect(empty.message.text).toContain("No cards are due in the next seven days. ".trim());
  expect(empty.message.text).toContain("2 cards are new");
  const review = { cardId: "one", componentId: deckId, grade: 3, reviewedAt: api.clock.now(), durationMs: 1 } as const;
  await send(ada, aChange("review_add", deckId, { ...review, _id: ulid(), mode: "study" }));
  const { message } = await ask(ada.client, aQuestion({ text: "Plan my week", mode: "plan" }));
  expect(message.text).toMatch(/- \*\*Tuesday,? 1 September\*\*: 1 card \(Genes 1\)/);
});

test("between midnight and 04:00 a week's plan begins with the day before, and titles are shown unchanged", () => {
  const now = Date.parse("2026-09-02T02:00:00+02:00");
  const dueAt = [now, now + 6 * 3_600_000];
  const reviewed = advance(undefined, {
    _id: "review",
    cardId: "card",
    componentId: "deck",
    grade: 3,
    reviewedAt: 1,
  });
  const schedules = dueAt.map((at, n) => ({ ...reviewed, cardId: `card-${n}`, dueAt: at }));
  const deck = { _id: "deck", title: "C# basics, 5! and *snake_case*", cardIds: ["card-0", "card-1"] };
  const timezone = "Europe/Berlin";
  const days = describeDays(planWeek([deck], schedules, { now, timezone }), timezone);
  const html = marked.parse(translateAnswer({ text: "", parts: days }), { async: false });
  expect(html).toContain("<strong>Tuesday 1 September</strong>: 1 card (C# basics, 5! and *snake_case* 1)");
  expect(html).toContain("<strong>Wednesday 2 September</strong>: 1 card (C# basics, 5! and *snake_case* 1)");
});

test("of sixty concurrent questions exactly as many are answered as the plan allows", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "10" } });
  const ada = await api.newUser({ plan: "FREE" });
  await aText(ada, await aPage(ada), RIBOSOME);
  const all = Array.from({ length: 60 }, () => ask(ada.client, aQuestion()));
  const outcomes = await Promise.allSettled(all);
  const codes = outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? "answered" : (outcome.reason as Failure).code,
  );
  const answered = codes.filter((code) => code === "answered").length;
  expect(answered).toBe(5);
  // While five answers are being written, further questions are refused as too many at once.
  expect(codes.filter((code) => code === "limit_reached" || code === "too_many_requests")).toHaveLength(55);
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(5);
  await expect
    .poll(() => ask(ada.client, aQuestion()).catch((failure: unknown) => failure))
    .toMatchObject({
      code: "limit_reached",
      message: "You've reached your usage limit. Upgrade to continue!",
    });
  api.clock.advance(86_400_000);
  expect((await ask(ada.client, aQuestion())).message.status).toBe("done");
});

test("the same question sent twice yields one answer and counts once", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  await aText(ada, await aPage(ada), RIBOSOME);
  const question = aQuestion();
  const [first, second] = await Promise.all([ask(ada.client, question), ask(ada.client, question)]);
  expect(first.message).toEqual(second.message);
  await ask(ada.client, question);
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(1);
  expect((await ada.client.tutor.getThread({ threadId: question.threadId })).messages).toHaveLength(2);
});

const card = (id: string, question: string, answer: string) => ({ ...aCard(id, question), answer });

test("a cloze card is quoted with its blank filled or not at all", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aDeck(ada, pageId, [
    card(
      "one",
      "The ____ states that genes specify messenger RNA and that messenger RNA specifies proteins.",
      "central dogma",
    ),
    card("two", "Genes specify ____ and ____ in every cell of the body.", "messenger RNA"),
  ]);
  const { message } = await ask(ada.client, aQuestion({ text: "What do genes specify?" }));
  expect(message.text).toContain("The central dogma states that genes specify messenger RNA");
  expect(message.text).not.toContain("__");
  expect(message.citations.map(({ quote }) => quote).join(" ")).not.toContain("__");
});
