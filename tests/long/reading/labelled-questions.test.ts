import { test } from "vitest";
import { expectAnswered } from "#tests/tutor/extraction/judged-answers.ts";
import { labelledSets } from "#tests/tutor/extraction/labelled-sets.ts";

test.each(labelledSets)(
  "without a model, labelled questions about $name are answered with what they ask for, or with nothing",
  expectAnswered,
);
