import { test } from "vitest";
import { expectAnswered } from "./judged-answers.ts";
import { ownSet } from "./labelled-sets.ts";

// `tests/long/reading/labelled-questions.test.ts` asks the questions about chapters of the corpus.
test(
  "without a model, labelled questions are answered with what they ask for, or with nothing",
  () => expectAnswered(ownSet),
  180_000,
);
