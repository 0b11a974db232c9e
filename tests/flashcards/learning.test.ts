import { expect, onTestFinished, test } from "vitest";
import { cardForm, learnTaste } from "#shared/cards/features/card-form.ts";
import type { CardForm, FormTaste } from "#shared/cards/schema.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import {
  eraseOldOutcomes,
  forgetCardOutcomes,
  forgetMovedCards,
  readFormTaste,
  rememberCardChanges,
  rememberMadeCards,
} from "#api/store/figures/card-outcomes.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { longNotes } from "./generating.ts";

test.each<[string, CardForm]>([
  ["Cells: A/an ____ holds the chromosomes.", "opening_blank"],
  ["What holds the chromosomes is called the ____.", "closing_blank"],
  ["The ____ holds the chromosomes of the cell.", "opening_blank"],
  ["In a cell the ____ holds the chromosomes.", "blank"],
  ["Cells: What is a nucleus?", "definition"],
  ["What is the part that holds the chromosomes called?", "name"],
  ["Why do cells divide?", "reason"],
  ["What happens when a cell divides?", "circumstance"],
  ["What holds the chromosomes?", "question"],
])("%s: %s", (question, form) => {
  expect(cardForm(question)).toBe(form);
});

test("a form that is changed more often than others loses, and few changes say nothing", () => {
  const taste = learnTaste({ blank: 20, definition: 20 }, { blank: 10 });
  expect(taste.blank).toBeLessThan(-0.3);
  expect(taste.definition).toBeGreaterThan(0.3);
  expect(learnTaste({ blank: 20, definition: 20 }, { blank: 4 })).toEqual({});
});

const formsOf = (questions: readonly string[], form: CardForm) =>
  questions.filter((question) => cardForm(question) === form).length;

const questionsOf = (taste: FormTaste) =>
  [...generateCards(passagesFromText(longNotes), { density: "AUTO", taste })].flatMap((event) =>
    event.type === "card" ? [event.card.question] : [],
  );

test("an automatic deck leaves out what a student would hardly keep", () => {
  const usual = questionsOf({});
  expect(formsOf(usual, "definition")).toBeGreaterThan(5);
  expect(formsOf(questionsOf({ definition: -6 }), "definition")).toBeLessThan(formsOf(usual, "definition"));
});

function anAccount() {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  return { store, own: ownedBy(store, "ada") };
}

const BLANKS = Array.from({ length: 10 }, (_, i) => `In the cell ____ is part ${i} of it.`);
const made = { generationId: "g", questions: [...BLANKS, ...BLANKS.map((_, i) => `What is part ${i}?`)], at: 1 };

test("an edit that is saved in several steps counts for the form that was made, with all its characters", async () => {
  const { own } = anAccount();
  await rememberMadeCards(own, made);
  for (const [id, question] of BLANKS.slice(0, 6).entries()) {
    const step = { id: `card-${id}`, change: "edited" as const, chars: 3 };
    await rememberCardChanges(own, [{ ...step, question }], 2);
    await rememberCardChanges(own, [{ ...step, question: `What is ${id}?` }], 3);
  }
  expect((await readFormTaste(own, 4)).blank).toBeLessThan(0);
});

test("a card that is moved to another deck does not count as removed, and after 180 days nothing counts", async () => {
  const { store, own } = anAccount();
  await rememberMadeCards(own, made);
  const removed = BLANKS.slice(0, 6).map((question, i) => ({
    id: `card-${i}`,
    question,
    change: "removed" as const,
    chars: 0,
  }));
  await rememberCardChanges(own, removed, 2);
  await forgetMovedCards(own, ["card-0", "card-1"]);
  expect(await readFormTaste(own, 3)).toEqual({});
  await rememberCardChanges(own, removed, 2);
  expect(await readFormTaste(own, 3)).not.toEqual({});
  await eraseOldOutcomes({ store, clock: { now: () => 181 * 86_400_000 } });
  expect(await readFormTaste(own, 3)).toEqual({});
});

test("forms that a student edits or removes are remembered, lose in the next deck, and are forgotten on request", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  const own = ownedBy(store, "ada");
  const blanks = Array.from({ length: 10 }, (_, i) => `In the cell ____ is part ${i} of it.`);
  const definitions = Array.from({ length: 10 }, (_, i) => `What is part ${i}?`);
  await rememberMadeCards(own, { generationId: "g", questions: [...blanks, ...definitions], at: 1 });
  const changed = (change: "edited" | "removed" | "restored", chars: number) =>
    blanks.slice(0, 6).map((question, i) => ({ id: `card-${i}`, question, change, chars }));
  await rememberCardChanges(own, changed("edited", 2), 2);
  expect(await readFormTaste(own, 3)).toEqual({});
  await rememberCardChanges(own, changed("edited", 9), 2);
  await rememberCardChanges(own, changed("removed", 0), 2);
  const taste = await readFormTaste(own, 3);
  expect(taste.blank).toBeLessThan(0);
  expect(taste.definition).toBeGreaterThan(0);
  expect(await readFormTaste(own, 2)).toEqual({});
  await rememberCardChanges(own, changed("restored", 0), 3);
  expect(await readFormTaste(own, 4)).toEqual({});
  await rememberCardChanges(own, changed("removed", 0), 4);
  await forgetCardOutcomes(own);
  expect(await readFormTaste(own, 5)).toEqual({});
});
