import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { gradeText } from "#shared/quiz/grading.ts";
import { makeQuestion, QUESTION_TYPES } from "#shared/quiz/questions.ts";
import { gradeFor, judgeAnswer, makeQuiz } from "#shared/quiz/quiz.ts";
import type { QuizQuestion } from "#shared/quiz/schema.ts";
import { isInterchangeable } from "#shared/quiz/wrong-answers.ts";
import { isHard } from "#shared/study/rules.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { giveGrade } from "#shared/study/session.ts";

const aCard = (id: string, question: string, answer: string, more: Partial<Flashcard> = {}): Flashcard => ({
  id,
  question,
  answer,
  questionImage: null,
  citation: null,
  ...more,
});

const words = fc.array(fc.constantFrom(..."cell gene codon protein 3 12 membrane the not ATP nucleus".split(" ")), {
  minLength: 1,
  maxLength: 6,
});
const side = fc.oneof(
  words.map((list) => list.join(" ")),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "",
    "____ is the unit of life",
    "$x^2$",
    "true",
    "ß",
    "\u202Eabc",
    "😀",
    "a / b",
    "DNA (deoxyribonucleic acid)",
  ),
);
const decks = fc
  .array(fc.tuple(side, side, fc.option(fc.constantFrom("g1", "g2"), { nil: undefined })), { maxLength: 14 })
  .map((sides) =>
    sides.map(([question, answer, groupId], at) =>
      aCard(`card-${at}`, question, answer, groupId === undefined ? {} : { groupId }),
    ),
  );
const seeded = fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })).map((stream) => () => {
  const { value } = stream.next();
  return typeof value === "number" ? value : 0;
});

/** The answer of a student who knows the card. */
function rightAnswer(question: QuizQuestion, card: Flashcard) {
  if (question.type === "multiple_choice") return { option: question.rightAt };
  if (question.type === "true_false") return { isTrue: question.isTrue };
  return { text: question.type === "short_response" ? card.answer : question.hidden };
}

const ask = (id: string, answer: string, more: Partial<Flashcard>) => aCard(id, "What is this?", answer, more);
const optionsOf = (deck: readonly [Flashcard, ...Flashcard[]]) => {
  const question = makeQuestion("multiple_choice", { card: deck[0], deck, random: () => 0.5 });
  return question?.type === "multiple_choice" ? question.options.map(({ text }) => text).toSorted() : [];
};

test("cards that ask the same about other pictures or regions give wrong answers, and two about the same one don't", () => {
  const heart = ask("a", "Heart", { questionImage: "/v1/files/a.png" });
  expect(optionsOf([heart, ask("b", "Lung", { questionImage: "/v1/files/b.png" })])).toEqual(["Heart", "Lung"]);
  expect(optionsOf([heart, ask("b", "Pump", { questionImage: "/v1/files/a.png" })])).toEqual([]);
  const regions = ["left", "right"].map((id) => ({ id, x: 0, y: 0, w: 0.1, h: 0.1, label: id }));
  const regionOf = (regionId: string) => ({ kind: "occlusion" as const, occlusion: { regions, regionId } });
  expect(optionsOf([ask("a", "Atrium", regionOf("left")), ask("b", "Ventricle", regionOf("right"))])).toEqual([
    "Atrium",
    "Ventricle",
  ]);
});

test("the card's answer to any question is graded right, and an empty one wrong", () => {
  fc.assert(
    fc.property(decks, fc.constantFrom(...QUESTION_TYPES), seeded, (deck, type, random) => {
      for (const card of deck) {
        const question = makeQuestion(type, { card, deck, random });
        if (!question) continue;
        expect(judgeAnswer(question, card, rightAnswer(question, card)).verdict).toBe("right");
        expect(judgeAnswer(question, card, null).verdict).toBe("wrong");
        expect(judgeAnswer(question, card, { text: "" }).verdict).toBe("wrong");
      }
    }),
    { numRuns: 300 },
  );
});

test("multiple choice offers two to four options, one right, with no two interchangeable", () => {
  fc.assert(
    fc.property(decks, seeded, (deck, random) => {
      for (const card of deck) {
        const question = makeQuestion("multiple_choice", { card, deck, random });
        if (question?.type !== "multiple_choice") continue;
        const { options, rightAt } = question;
        expect(options.length).toBeGreaterThanOrEqual(2);
        expect(options.length).toBeLessThanOrEqual(4);
        expect(options[rightAt]?.text).toBe(card.answer);
        for (const [at, one] of options.entries())
          for (const other of options.slice(at + 1)) expect(isInterchangeable(one, other)).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});

test("a false statement shows another card's answer that wouldn't be graded right", () => {
  fc.assert(
    fc.property(decks, seeded, (deck, random) => {
      for (const card of deck) {
        const question = makeQuestion("true_false", { card, deck, random });
        if (question?.type !== "true_false") continue;
        const { shown, isTrue } = question;
        expect(isInterchangeable(shown, { text: card.answer, image: null })).toBe(isTrue);
        if (!isTrue) expect(deck.some((other) => other !== card && other.answer === shown.text)).toBe(true);
      }
    }),
  );
});

test("a blank and its surrounding text are the card's own words", () => {
  fc.assert(
    fc.property(decks, seeded, (deck, random) => {
      for (const card of deck) {
        const question = makeQuestion("fill_in_the_blank", { card, deck, random });
        if (question?.type !== "fill_in_the_blank") continue;
        const { before, hidden, after, inAnswer } = question;
        if (inAnswer) expect(before + hidden + after).toBe(card.answer);
        else {
          expect(hidden).toBe(card.answer);
          expect(card.question.startsWith(before) && card.question.endsWith(after)).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a quiz asks each card at most once, in the chosen ways only, and counts those it can't ask", () => {
  const types = fc.subarray([...QUESTION_TYPES], { minLength: 1 });
  fc.assert(
    fc.property(decks, types, fc.integer({ min: 1, max: 20 }), seeded, (deck, chosen, length, random) => {
      const { questions, leftOut } = makeQuiz({ cards: deck, deck, types: chosen, length, random });
      const ids = questions.map(({ cardId }) => cardId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(length);
      expect(questions.every(({ type }) => chosen.includes(type))).toBe(true);
      if (ids.length < length) expect(ids.length + leftOut).toBe(deck.length);
    }),
  );
});

test("the expected answer is right in any case, and an empty one never is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
      fc.pre(text.trim() !== "");
      expect(gradeText(text, text).verdict).toBe("right");
      expect(gradeText(` ${text}  `, text).verdict).toBe("right");
      expect(gradeText("   ", text).verdict).toBe("wrong");
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["mitochondria", "The mitochondria", "right"],
  ["mitochondira", "mitochondria", "right"],
  ["cafe", "café", "right"],
  ["three", "3", "right"],
  ["13", "12", "wrong"],
  ["it is not reversible", "It is reversible", "wrong"],
  ["does not need oxygen", "does not need oxygen", "right"],
  ["DNA", "deoxyribonucleic acid (DNA)", "right"],
  ["deoxyribonucleic acid", "deoxyribonucleic acid (DNA)", "right"],
  ["color", "colour / color", "right"],
  ["most amino acids have several codons", "Most amino acids are specified by more than one codon", "partly"],
  [
    "the codons of most amino acids are more than one, specified",
    "Most amino acids are specified by more than one codon",
    "right",
  ],
  ["nucleus", "ribosome", "wrong"],
  ["RNA becomes DNA", "DNA becomes RNA", "partly"],
  ["from the heart to the lungs", "from the lungs to the heart", "partly"],
  ["RNA is transcribed into DNA", "DNA is transcribed into RNA", "partly"],
  ["dna is transcribed into rna", "DNA is transcribed into RNA", "right"],
  ["the cell membrane", "the membrane of the cell", "right"],
  ["RNA was made by DNA", "DNA made RNA", "right"],
  ["salt and water", "water and salt", "right"],
  ["blue, red and green", "red, green and blue", "right"],
  ["細胞", "細胞", "right"],
  ["cat", "bat", "wrong"],
] as const)("grades %j for %j as %s", (given, expected, verdict) => {
  expect(gradeText(given, expected).verdict).toBe(verdict);
});

test("words already in the question earn nothing", () => {
  const question = "What do ribosomes in the cell make?";
  expect(gradeText("ribosomes in the cell", "Ribosomes in the cell make proteins", question)).toEqual({
    verdict: "wrong",
    missing: ["proteins"],
  });
});

test("listing every term isn't accepted as an answer", () => {
  const rambling =
    "nucleus ribosome membrane golgi vacuole chloroplast lysosome centriole wall cytosol gene codon mitochondria";
  expect(gradeText(rambling, "mitochondria").verdict).not.toBe("right");
});

test("a hard card stops being hard after three right answers in a row, whatever the question types", () => {
  let schedule: Schedule | undefined;
  const now = Date.UTC(2026, 4, 10, 12);
  const giveAnswer = (isRight: boolean, at: number) => {
    const type = QUESTION_TYPES[at % QUESTION_TYPES.length] ?? "short_response";
    const given = { reviewId: `review-${at}-of-quiz`, componentId: "deck", now: now + at * 60_000, durationMs: 1 };
    schedule = giveGrade("card", { ...given, schedule, grade: gradeFor(type, isRight), mode: "quiz" }).after;
    return isHard(schedule);
  };
  expect([false, true, true, false, true, true, true].map(giveAnswer)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});
