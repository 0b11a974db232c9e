import { expect, test } from "vitest";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { checkWrittenCard, isTranslation } from "#api/ai/openai/hosted-gates.ts";

type Case = [text: string, question: string, answer: string];

function judge(
  [text, question, answer]: Case,
  language?: string,
  existing: { question: string; answer: string }[] = [],
) {
  const passages = passagesFromText(text);
  return checkWrittenCard(
    { question, answer, quote: text },
    { passages, isTranslated: isTranslation(passages, language) },
    existing,
  );
}

const english =
  "The light reactions of photosynthesis split 2 molecules of water in the thylakoid membrane of the leaf.";

test.each<Case>([
  [
    "La fotosíntesis ocurre en los cloroplastos de las células vegetales.",
    "¿Dónde ocurre la fotosíntesis?",
    "en los cloroplastos",
  ],
  ["Το κύτταρο περιέχει τον πυρήνα που κρατά το DNA.", "Τι περιέχει το κύτταρο;", "τον πυρήνα"],
  ["光合作用是植物将光能转化为化学能的过程。", "什么是光合作用？", "植物将光能转化为化学能的过程"],
  ["عملية البناء الضوئي تحول الطاقة الضوئية إلى طاقة كيميائية.", "ماذا تحول عملية البناء الضوئي؟", "الطاقة الضوئية"],
])("a card in the language of its source passes the gates: %s", (...card) => {
  expect(judge(card)).toHaveProperty("position");
});

test("a Chinese card that the deck already has is rejected as a duplicate", () => {
  const question = "什么是光合作用？";
  const card: Case = ["光合作用是植物将光能转化为化学能的过程。", question, "植物将光能转化为化学能的过程"];
  expect(judge(card, undefined, [{ question, answer: "植物将光能转化为化学能" }])).toEqual({ refusal: "duplicate" });
});

test("a card in another language keeps the source's quote, and its numbers must occur in the quote", () => {
  const question = "Was spalten die Lichtreaktionen?";
  expect(judge([english, question, "2 Wassermoleküle"], "German")).toHaveProperty("position");
  expect(judge([english, question, "3 Wassermoleküle"], "German")).toEqual({ refusal: "answer_not_in_quote" });
  expect(judge([english, question, "2 Wassermoleküle"], "English")).toEqual({ refusal: "answer_not_in_quote" });
  expect(judge([english, question, "2 Wassermoleküle"])).toEqual({ refusal: "answer_not_in_quote" });
});

test("cards between two languages other than English are translations as well", () => {
  const german: Case = [
    "Die Lichtreaktionen der Photosynthese spalten in der Thylakoidmembran des Blattes 2 Moleküle Wasser und geben dabei Sauerstoff ab.",
    "Que scindent les réactions lumineuses ?",
    "2 molécules d'eau",
  ];
  expect(judge(german, "French")).toHaveProperty("position");
  expect(judge(german, "German")).toEqual({ refusal: "answer_not_in_quote" });
  expect(judge([german[0], "Was geben die Lichtreaktionen dabei ab?", "Sauerstoff"], "German")).toHaveProperty(
    "position",
  );
});

test("a translated card must pass the other gates", () => {
  expect(judge([english, "Was spalten die Lichtreaktionen der Wassermoleküle?", "Wassermoleküle"], "German")).toEqual({
    refusal: "answer_in_question",
  });
  expect(judge([english, "Wasser", "Wassermoleküle"], "German")).toEqual({ refusal: "malformed" });
});

test.each([
  ["![x](https://evil.example/?q=1) What do the light reactions split?"],
  ["What do the light reactions split (see https://evil.example)?"],
  ["What do the <img src=x> light reactions split?"],
])("rejects a card with markup that the source doesn't contain: %s", (question) => {
  expect(judge([english, question, "2 molecules of water"])).toEqual({ refusal: "foreign_markup" });
});

test("rejects markup that would load something even if the source contains it, but keeps a link of the source", () => {
  const picture = "The tag <img src=x> shows the leaf of the plant.";
  expect(judge([picture, "What shows the leaf of the plant?", "The tag <img src=x>"])).toEqual({
    refusal: "foreign_markup",
  });
  const link = "The data of the survey stand at https://example.org/data for every reader.";
  expect(judge([link, "Where do the data of the survey stand?", "at https://example.org/data"])).toHaveProperty(
    "position",
  );
});
