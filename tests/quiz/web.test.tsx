// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { modes } from "#shared/messages/en/study/modes.ts";
import { addMessages } from "#shared/messages/translate.ts";
import { giveGrade } from "#shared/study/session.ts";
import type { Schedule } from "#shared/study/schema.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { changePreferences } from "#webapp/app/preferences.ts";
import { store } from "#webapp/app/store.ts";
import type { StoredReview, ModeProps } from "#webapp/study/study-mode.ts";
import { QuizView } from "#webapp/quiz/quiz-view.tsx";

addMessages({ modes });

const NOW = Date.UTC(2026, 8, 1, 12);
const cards: Flashcard[] = [
  ["Which organelle holds DNA?", "The nucleus"],
  ["What makes proteins?", "The ribosome"],
  ["What releases energy?", "The mitochondrion"],
].map(([question = "", answer = ""], at) => ({
  id: `card-${at}`,
  question,
  answer,
  questionImage: null,
  citation: at === 0 ? `pdf_citation:pdf-1:4:${encodeURIComponent("The nucleus holds the DNA of the cell")}` : null,
}));

let graded: { cardId: string; grade: number; mode: string }[];
let schedules: Map<string, Schedule>;
let isFull: boolean;

type Types = Preferences["flashcards"]["quiz_question_types"];
const only = (type: keyof Types): Types => ({
  multiple_choice: false,
  true_false: false,
  short_response: false,
  fill_in_the_blank: false,
  [type]: true,
});

beforeEach(() => {
  graded = [];
  schedules = new Map();
  isFull = false;
  setTransport(async () => {
    throw new NoResponseError("network");
  });
});
afterEach(() => cleanup());

async function storeReview(given: Parameters<ModeProps["recordReview"]>[0]): Promise<StoredReview | undefined> {
  if (isFull) return undefined;
  graded.push({ cardId: given.cardId, grade: given.grade, mode: given.mode });
  const before = schedules.get(given.cardId);
  const asked = {
    ...given,
    reviewId: `review-${graded.length}-of-quiz`,
    componentId: "deck",
    schedule: before,
    now: NOW,
  };
  const { review, after } = giveGrade(given.cardId, asked);
  schedules.set(given.cardId, after);
  return { reviewId: review._id, cardId: given.cardId, durationMs: 0, mode: "quiz", before, after };
}

async function openQuiz(types: Types, more: Partial<ModeProps> = {}) {
  await changePreferences((all) => ({ ...all, flashcards: { ...all.flashcards, quiz_question_types: types } }));
  const props: ModeProps = {
    deck: { componentId: "deck", pageId: "page", title: "Cells", pageTitle: "Biology", sources: new Map() },
    cards,
    inBucket: cards,
    bucket: "all",
    schedules,
    dailyLimit: null,
    canStudy: () => true,
    studyAllCards: () => {},
    studyNewCards: () => {},
    recordReview: storeReview,
    replaceReview: async (stored, grade) => {
      graded.pop();
      if (stored.before) schedules.set(stored.cardId, stored.before);
      else schedules.delete(stored.cardId);
      return storeReview({ cardId: stored.cardId, grade, durationMs: 0, mode: "quiz" });
    },
    leave: () => {},
    modeBar: null,
    ...more,
  };
  render(
    <Provider store={store}>
      <QuizView {...props} />
    </Provider>,
  );
  return userEvent.setup();
}

const answerOn = (heading: string | null) => cards.find((card) => heading?.includes(card.question))?.answer ?? "";
const asked = async () => (await screen.findByRole("heading", { level: 1 })).textContent;

test("the results show a blank as a blank", async () => {
  const gap = { id: "gap", question: "The ____ states that genes make proteins.", answer: "central dogma" };
  const inBucket: Flashcard[] = [{ ...gap, questionImage: null, citation: null }];
  const user = await openQuiz(only("fill_in_the_blank"), { cards: inBucket, inBucket });
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  await user.click(screen.getByRole("button", { name: "I don't know" }));
  await user.click(await screen.findByRole("button", { name: "See results" }));
  const results = await screen.findByRole("list", { name: "To repeat" });
  expect(results.textContent).not.toContain("blank");
  expect(results.querySelector(".card-blank")).not.toBeNull();
});

test("the section is shown above the question instead of in it, also in the results", async () => {
  const question = "Central dogma: The messenger RNA is read by ribosomes.";
  const card = { id: "gap", question, answer: "In the cytoplasm", questionImage: null, section: "15.1 Central dogma" };
  const inBucket: Flashcard[] = [{ ...card, citation: "pdf_citation:pdf-1:4" }];
  const user = await openQuiz(only("short_response"), { cards: inBucket, inBucket });
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  expect(await asked()).toBe("The messenger RNA is read by ribosomes.");
  expect(screen.getByText("15.1 Central dogma")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "I don't know" }));
  expect(await asked()).toBe("The messenger RNA is read by ribosomes.");
  expect(screen.getByText("15.1 Central dogma")).toBeDefined();
  await user.click(await screen.findByRole("button", { name: "See results" }));
  const results = await screen.findByRole("list", { name: "To repeat" });
  expect(results.textContent).toContain("15.1 Central dogmaThe messenger RNA");
});

test("an option can be chosen by its number, and recognition is logged as Hard", async () => {
  const user = await openQuiz(only("multiple_choice"));
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  const right = answerOn(await asked());
  const options = screen.getAllByRole("button").filter((button) => button.getAttribute("aria-keyshortcuts"));
  expect(options).toHaveLength(3);
  const at = options.findIndex((option) => option.textContent?.includes(right));
  await user.keyboard(String(at + 1));
  expect(await screen.findByText("Correct")).toBeDefined();
  expect(graded).toMatchObject([{ grade: 2, mode: "quiz" }]);
  expect(document.activeElement?.textContent).toBe("Next");
});

test("an incorrect typed answer shows what is missing and its source, and the student can overrule it", async () => {
  const user = await openQuiz(only("short_response"), { inBucket: cards.slice(0, 1) });
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  await user.keyboard("the kernel{Enter}");
  expect(await screen.findByText("Incorrect")).toBeDefined();
  expect(screen.getByText("The nucleus holds the DNA of the cell").className).toBe("lit");
  expect(screen.getByText("Graded by comparing words")).toBeDefined();
  expect(graded).toMatchObject([{ grade: 1 }]);
  await user.click(screen.getByRole("button", { name: "Mark as correct" }));
  expect(await screen.findByText("Correct")).toBeDefined();
  expect(graded).toMatchObject([{ grade: 3 }]);
  await user.click(screen.getByRole("button", { name: "See results" }));
  expect(await screen.findByText("1 of 1 correct")).toBeDefined();
});

test("three right answers in a row resolve a hard card, with progress shown", async () => {
  await storeReview({ cardId: "card-0", grade: 1, durationMs: 0, mode: "study" });
  const user = await openQuiz(only("short_response"), { inBucket: cards.slice(0, 1), bucket: "hard" });
  for (const words of ["2 more correct answers", "1 more correct answer", "No longer a hard card"]) {
    await user.click(screen.getByRole("button", { name: "Start quiz" }));
    await user.keyboard("nucleus{Enter}");
    expect(await screen.findByText(new RegExp(words))).toBeDefined();
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("button", { name: "New quiz" }));
  }
});

test("the start names the number of questions, their cards and topics, and Enter begins", async () => {
  const topics = ["1.1 The nucleus", "1.2 The ribosome", "1.1 The nucleus"];
  const inBucket = cards.map((card, at) => ({ ...card, section: topics[at] ?? "" }));
  const user = await openQuiz(only("short_response"), { cards: inBucket, inBucket, bucket: "hard" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("3 questions from hard cards");
  const list = screen.getByRole("list", { name: "Topics" });
  expect([...list.children].map((row) => row.textContent)).toEqual([
    "1.1 The nucleus2 cards",
    "1.2 The ribosome1 card",
  ]);
  // With fewer cards than the shortest quiz there is no choice of length.
  expect(screen.queryByRole("group", { name: "Number of questions" })).toBeNull();
  await user.keyboard("{Enter}");
  expect(await screen.findByLabelText("Your answer")).toBeDefined();
});

test("a true or false answer is shown with the statement it was about", async () => {
  const user = await openQuiz(only("true_false"), { inBucket: cards.slice(0, 1) });
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  await asked();
  const statement = document.querySelector(".quiz-statement")?.textContent ?? "";
  await user.keyboard(statement === "The nucleus" ? "f" : "t");
  expect(await screen.findByText("Incorrect")).toBeDefined();
  const verdict = statement === "The nucleus" ? "False" : "True";
  expect(document.querySelector(".quiz-student-answer")?.textContent).toBe(`Your answer: ${verdict} (“${statement}”)`);
});

test("the results put what was missed first, with its passage, and fold what was correct", async () => {
  const user = await openQuiz(only("short_response"));
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  for (const last of [false, false, true]) {
    const question = await asked();
    const isMissed = question?.includes("Which organelle");
    await user.keyboard(isMissed ? "the kernel{Enter}" : `${answerOn(question)}{Enter}`);
    await user.click(await screen.findByRole("button", { name: last ? "See results" : "Next" }));
  }
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("2 of 3 correct");
  const missed = screen.getByRole("list", { name: "To repeat" });
  expect(missed.children).toHaveLength(1);
  expect(missed.textContent).toContain("Your answer: the kernel");
  expect(missed.querySelector(".cite-badge")?.textContent).toBe("p. 4");
  expect(screen.getByText("2 correct answers").closest("details")?.open).toBe(false);
  await user.click(screen.getByRole("button", { name: "Retry 1 missed question" }));
  expect(await asked()).toContain("Which organelle");
});

test("the last question type can't be switched off", async () => {
  const user = await openQuiz(only("true_false"));
  const box = screen.getByRole("checkbox", { name: "True or false" });
  expect(box).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("checkbox", { name: "Short answer" }));
  expect(screen.getByRole("checkbox", { name: "True or false" })).toHaveProperty("disabled", false);
});

test("at the plan's limit the quiz stops with the same message as study", async () => {
  let left = 1;
  const user = await openQuiz(only("multiple_choice"), {
    dailyLimit: 3,
    canStudy: () => left > 0,
    recordReview: (given) => {
      left -= 1;
      return storeReview(given);
    },
  });
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  await user.keyboard("1");
  await screen.findByRole("button", { name: "Next" });
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "You've reached today's card limit" })).toBeDefined();
  expect(screen.getByText(/^Your plan lets you study 3 cards a day/)).toBeDefined();
  expect(graded).toHaveLength(1);
});

test("an answer that can't be stored leaves the question in place", async () => {
  const user = await openQuiz(only("multiple_choice"));
  await user.click(screen.getByRole("button", { name: "Start quiz" }));
  const before = await asked();
  isFull = true;
  await user.keyboard("1");
  expect(await asked()).toBe(before);
  expect(screen.queryByRole("button", { name: "Next" })).toBeNull();
});

test("a deck without questions of the chosen types shows a message before the start", async () => {
  await openQuiz(only("multiple_choice"), { cards: cards.slice(0, 1), inBucket: cards.slice(0, 1) });
  expect(screen.getByText(/Choose other question types/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Start quiz" })).toHaveProperty("disabled", true);
});
