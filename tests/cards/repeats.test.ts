import { expect, test, vi } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { checkCard } from "#shared/cards/gates/card-gates.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";

vi.mock("#shared/cards/gates/card-gates.ts", { spy: true });

const SENTENCES = [
  "**Chlorophyll** is the green pigment that absorbs light in the leaves.",
  "A **ribosome** is a particle that makes proteins in the cell.",
];

function generate(times: number) {
  const text = Array.from({ length: times }, () => SENTENCES.join("\n\n")).join("\n\n");
  vi.mocked(checkCard).mockClear();
  const events = [...generateCards(passagesFromText(text), { density: "HIGH" })];
  const cards = events.flatMap((event) =>
    event.type === "card" ? [`${event.card.question} ${event.card.answer}`] : [],
  );
  return { cards, checks: vi.mocked(checkCard).mock.calls.length };
}

test("a text that repeats a passage five hundred times needs as few checks as one that repeats it five times", () => {
  const few = generate(5);
  const many = generate(500);
  expect(many.cards).toEqual(few.cards);
  expect(many.checks).toBeLessThanOrEqual(few.checks + 2);
});
