import { describe, expect, test } from "vitest";
import { parseCardText } from "#shared/flashcards/card-text.ts";
import { findDuplicates, cardMatches, splitSearchWords } from "#shared/flashcards/deck-edits.ts";
import { truncateText } from "#shared/flashcards/truncate-text.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";
import { readTextDeck, writeTextDeck } from "#shared/flashcards/text-decks.ts";
import { gradeText } from "#shared/quiz/grading.ts";
import { QUESTION_TYPES } from "#shared/quiz/questions.ts";
import { judgeAnswer, makeQuiz } from "#shared/quiz/quiz.ts";
import { startMatch } from "#shared/study/match.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";
import { naughtyStrings } from "#tests/kit/naughty.ts";
import { seededRandom } from "#tests/kit/random.ts";

const strings = naughtyStrings();
/** No answer was given. */
const NO_ANSWER = null;

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGNgYPiPAw1TCQZcAAA5tz/BJVCC7wAAAABJRU5ErkJggg==",
  "base64",
);

/** Every string as a question, as an answer and as a tag. */
const cards: Flashcard[] = strings.flatMap((text, at) => [
  { ...aCard(`q-${at}`, text), answer: `answer ${at}` },
  { ...aCard(`a-${at}`, `question ${at}`), answer: text, ...(text === "" ? {} : { tags: [truncateText(text, 100)] }) },
]);

const cardOf = (id: string) => cards.find((card) => card.id === id) ?? aCard("none");

describe("every naughty string as question, answer, tag and file name", () => {
  test("is stored and returned unchanged", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const pageId = await aPage(ada);
    const componentId = await aDeck(ada, pageId, cards);
    const { components } = await ada.client.pages.getPage({ id: pageId });
    const deck = components.find(({ _id }) => _id === componentId);
    expect(deck?.type === "flash_cards" && deck.content.cards).toEqual(cards);
    expect((await ada.client.study.getDue({})).decks).toMatchObject([{ fresh: cards.length }]);
  });

  test("can be asked, graded, matched, searched and parsed, and is the right answer to itself", () => {
    const random = seededRandom(7);
    for (const type of QUESTION_TYPES) {
      const { questions } = makeQuiz({ cards, deck: cards, types: [type], length: 250, random });
      expect(questions.length).toBeGreaterThan(0);
      for (const question of questions)
        expect(judgeAnswer(question, cardOf(question.cardId), NO_ANSWER).verdict).toBe("wrong");
    }
    for (const text of strings) {
      if (text.trim() !== "") expect(gradeText(text, text).verdict).toBe("right");
      expect(["right", "partly", "wrong"]).toContain(gradeText(text, "the nucleus").verdict);
      expect(
        parseCardText(text)
          .map((piece) => piece.text)
          .join("").length,
      ).toBeLessThanOrEqual(text.length);
      cardMatches(aCard("a", text), splitSearchWords(text));
    }
    expect(startMatch(cards, random)?.tiles).toHaveLength(12);
    expect(findDuplicates(cards).flat().length).toBeLessThan(cards.length);
  });

  test("survives a CSV round trip, except for spreadsheet formulas", () => {
    const sides = cards
      .filter(({ question, answer }) => question.trim() !== "" && answer.trim() !== "")
      .map(({ question, answer }) => ({ question: question.trim(), answer: answer.trim() }))
      .filter(
        ({ question, answer }) => ![question, answer].some((side) => /\r|^(?:question|front|term|word)$/i.test(side)),
      );
    expect(readTextDeck(writeTextDeck(sides, "csv")).cards.length).toBe(sides.length);
  });

  test("survives an Anki round trip to another student under any file name", async () => {
    const api = await startApi();
    const [ada, eve] = [await api.newUser(), await api.newUser()];
    const componentId = await aDeck(ada, await aPage(ada), cards);
    const file = await ada.client.flashcards.exportDeck({ componentId });
    const name = `${strings.find((text) => text.includes("script")) ?? ""}.apkg`;
    const report = await eve.client.flashcards.importDecks({}, [{ field: "file", name, file }]);
    // Only cards with an empty side are lost.
    const emptyCards = report.losses.find(({ what }) => what === "empty_cards")?.count ?? 0;
    expect(report.cards + emptyCards).toBe(cards.length);
    const { components } = await eve.client.pages.getPage({ id: report.pageId });
    const imported = components.flatMap((part) => (part.type === "flash_cards" ? part.content.cards : []));
    expect(imported.every((card) => Flashcard.safeParse(card).success)).toBe(true);
    // The strings name no picture, so all imported cards are text.
    expect(imported.flatMap((card) => parseCardText(card.question)).filter(({ kind }) => kind === "image")).toEqual([]);
  }, 60_000);
});

test.each(["old", "new"] as const)(
  "pictures with naughty names survive a package of the %s format to another student",
  async (format) => {
    const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
    const [ada, eve] = [await api.newUser(), await api.newUser()];
    const pictures: Flashcard[] = [];
    for (const [at, name] of strings.entries()) {
      // Bytes after the end of the picture make each file different without changing the picture.
      const file = new Blob([PNG, Buffer.from(String(at))]);
      const { url } = await ada.client.flashcards.addCardPicture({}, [{ field: "file", name: `${name}.png`, file }]);
      pictures.push({ ...aCard(`card-${at}`), questionImage: url });
    }
    const componentId = await aDeck(ada, await aPage(ada), pictures);
    const file = await ada.client.flashcards.exportDeck({ componentId, form: format });
    const report = await eve.client.flashcards.importDecks({}, [{ field: "file", name: "names.apkg", file }]);
    expect(report).toMatchObject({ cards: strings.length, media: strings.length, losses: [] });
  },
  60_000,
);
