import { expect, test } from "vitest";
import { isSameAnswer } from "#api/ai/openai/self-check.ts";

test.each([
  ["The nucleus", "nucleus", true],
  ["in the thylakoid membrane", "thylakoid membrane of the leaf", true],
  ["both", "Both of them", true],
  ["植物将光能转化为化学能的过程", "将光能转化为化学能", true],
  ["光合作用", "作用", true],
  ["日本語学", " 日本語学校 ", true],
  ["ミトコンドリア", "ミトコンドリアのこと", true],
  ["水", "水素", false],
  ["The nucleus", "Ribosomes", false],
  ["both", "neither", false],
  ["because oxygen is scarce", "because light is stored", false],
  ["光合作用", "呼吸", false],
  ["thylakoid membrane of green leaves", "green walls of old stone houses", false],
])("“%s” and “%s” are the same answer: %s", (card, written, isSame) => {
  expect(isSameAnswer(card, written)).toBe(isSame);
});
