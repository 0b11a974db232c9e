import { expect, test } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { tools as german } from "#shared/messages/de/public/tools.ts";
import { tools as english } from "#shared/messages/en/public/tools.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

test.each([
  ["English", english.sample_text, "Protein synthesis", "DNA sequence"],
  ["German", german.sample_text, "Proteinbiosynthese", "DNA-Sequenz"],
])("the %s page has a sample text in its language, from which several cards are made", (_, text, heading, words) => {
  const events = [...generateCards(passagesFromText(text), { density: "LOW" })];
  const cards = events.flatMap((event) => (event.type === "card" ? [event.card] : []));
  expect(text).toContain(`# ${heading}\n`);
  expect(cards.length).toBeGreaterThanOrEqual(4);
  expect(cards.map(({ answer, question }) => `${question} ${answer}`).join("\n")).toContain(words);
});
