import { expect, test } from "vitest";
import { toQuiz } from "#api/website/document/cards.ts";

test("no question has its right answer twice among its options, written in another way", () => {
  const answers = ["The mitochondrion.", "mitochondrion", "The nucleus", "A ribosome", "Mitochondria"];
  const cards = answers.map((answer, at) => ({
    id: `card-${at}`,
    text: `Which part of a cell is number ${at}?`,
    answer,
    quote: "",
    citation: null,
    label: "",
    source: "Cells",
  }));
  const questions = toQuiz(cards);
  expect(questions).toHaveLength(answers.length);
  for (const { answer, options = [] } of questions) {
    expect(options).toContain(answer);
    expect(options.filter((option) => /mitochond/i.test(option)).length).toBeLessThan(2);
  }
});
