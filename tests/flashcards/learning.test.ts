import { ulid } from "ulid";
import { expect, onTestFinished, test } from "vitest";
import { cardForm, learnFormPreference } from "#shared/cards/features/card-form.ts";
import type { CardForm, FormPreference } from "#shared/cards/schema.ts";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import {
  eraseOldOutcomes,
  forgetCardOutcomes,
  forgetMovedCards,
  readFormPreference,
  rememberCardChanges,
  rememberMadeCards,
  recordWeakOutcome,
} from "#api/store/figures/card-outcomes.ts";
import { countCardChanges, findFormsOfNewCards, recordGeneratedCards } from "#api/store/figures/made-cards.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { aChange, send } from "#tests/store/changes.ts";
import { allOf, aTarget, cardsIn, longNotes } from "./generating.ts";

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

test("a question form that is changed more often than others is ranked lower, and too few changes have no effect", () => {
  const formPreference = learnFormPreference({ blank: 20, definition: 20 }, { blank: 10 });
  expect(formPreference.blank).toBeLessThan(-0.3);
  expect(formPreference.definition).toBeGreaterThan(0.3);
  expect(learnFormPreference({ blank: 20, definition: 20 }, { blank: 4 })).toEqual({});
});

const formsOf = (questions: readonly string[], form: CardForm) =>
  questions.filter((question) => cardForm(question) === form).length;

const questionsOf = (formPreference: FormPreference) =>
  [...generateCards(passagesFromText(longNotes), { density: "AUTO", formPreference })].flatMap((event) =>
    event.type === "card" ? [event.card.question] : [],
  );

test("an automatic deck has fewer cards of a form that the student rarely keeps", () => {
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

test("an edit saved in several steps counts for the form as generated, with all changed characters", async () => {
  const { own } = anAccount();
  await rememberMadeCards(own, made);
  for (const [id, question] of BLANKS.slice(0, 6).entries()) {
    const step = { id: `card-${id}`, change: "edited" as const, chars: 3 };
    await rememberCardChanges(own, [{ ...step, question }], 2);
    await rememberCardChanges(own, [{ ...step, question: `What is ${id}?` }], 3);
  }
  expect((await readFormPreference(own, 4)).blank).toBeLessThan(0);
});

test("a card moved to another deck does not count as removed, and changes stop counting after 180 days", async () => {
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
  expect(await readFormPreference(own, 3)).toEqual({});
  await rememberCardChanges(own, removed, 2);
  expect(await readFormPreference(own, 3)).not.toEqual({});
  await eraseOldOutcomes({ store, clock: { now: () => 181 * 86_400_000 } });
  expect(await readFormPreference(own, 3)).toEqual({});
});

test("forms that a student edits or removes are rarer in the next deck, until the student resets this", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  const own = ownedBy(store, "ada");
  const blanks = Array.from({ length: 10 }, (_, i) => `In the cell ____ is part ${i} of it.`);
  const definitions = Array.from({ length: 10 }, (_, i) => `What is part ${i}?`);
  await rememberMadeCards(own, { generationId: "g", questions: [...blanks, ...definitions], at: 1 });
  const changed = (change: "edited" | "removed" | "restored", chars: number) =>
    blanks.slice(0, 6).map((question, i) => ({ id: `card-${i}`, question, change, chars }));
  await rememberCardChanges(own, changed("edited", 2), 2);
  expect(await readFormPreference(own, 3)).toEqual({});
  await rememberCardChanges(own, changed("edited", 9), 2);
  await rememberCardChanges(own, changed("removed", 0), 2);
  const formPreference = await readFormPreference(own, 3);
  expect(formPreference.blank).toBeLessThan(0);
  expect(formPreference.definition).toBeGreaterThan(0);
  expect(await readFormPreference(own, 2)).toEqual({});
  await rememberCardChanges(own, changed("restored", 0), 3);
  expect(await readFormPreference(own, 4)).toEqual({});
  await rememberCardChanges(own, changed("removed", 0), 4);
  await forgetCardOutcomes(own);
  expect(await readFormPreference(own, 5)).toEqual({});
});

const formOf = async (own: Own) =>
  (await findFormsOfNewCards(own, { deckId: "deck", cardIds: new Set(["card"]), now: 2 })).get("card");

test("erasing on request removes the forms of an account's generated cards, but not the number of its cards", async () => {
  const { own } = anAccount();
  const other = ownedBy(own.store, "grace");
  const cards = { deckId: "deck", createdAt: 1, dims: { model: "m", version: "1" }, cardIds: ["card"] };
  const forms = ["blank"] as const;
  for (const one of [own, other])
    await recordGeneratedCards(one, { ...cards, generationId: `g-${one.ownerId}`, forms });
  expect(await formOf(own)).toBe("blank");
  await forgetCardOutcomes(own);
  expect(await formOf(own)).toBeUndefined();
  expect(await formOf(other)).toBe("blank");
  const before = [{ id: "card", question: "What is ____?", answer: "it" }];
  expect(await countCardChanges(own, { deckId: "deck", before, after: [], now: 2 })).toMatchObject([{ id: "card" }]);
});

const idsOf = (count: number) => Array.from({ length: count }, (_, i) => `card-${i}`);

test("a forgotten or suspended card counts once, and a third as much as an edited card", async () => {
  const { own } = anAccount();
  await rememberMadeCards(own, { ...made, questions: [...made.questions, ...made.questions] });
  const forget = (cardId: string) => recordWeakOutcome(own, { outcome: "forgotten", cardId, form: "blank", at: 2 });
  const setAside = (id: string, change: "set_aside" | "taken_up") =>
    rememberCardChanges(own, [{ id, question: "In the cell ____ is part of it.", change, chars: 0 }], 2);
  for (const id of idsOf(14)) await forget(id);
  // The same cards a second time, which must not count again.
  for (const id of idsOf(14)) await setAside(id, "set_aside");
  expect(await readFormPreference(own, 3)).toEqual({});
  await setAside("card-14", "set_aside");
  expect((await readFormPreference(own, 3)).blank).toBeLessThan(0);
  await setAside("card-14", "taken_up");
  expect(await readFormPreference(own, 3)).toEqual({});
  await forget("card-14");
  const weak = (await readFormPreference(own, 3)).blank ?? 0;
  for (const id of idsOf(15))
    await rememberCardChanges(own, [{ id, question: BLANKS[0] ?? "", change: "removed", chars: 0 }], 2);
  expect((await readFormPreference(own, 3)).blank).toBeLessThan(weak);
  await forgetCardOutcomes(own);
  expect(await readFormPreference(own, 3)).toEqual({});
});

/** A student with a generated deck, and functions that grade its cards and read the form preference. */
async function aGeneratedDeck() {
  const api = await startApi();
  const ada = await api.newUser({ plan: "ULTIMATE" });
  const target = await aTarget(ada);
  // Asks in both directions, so that the deck has questions of two forms.
  const options = { target, density: "HIGH" as const, reversed: true };
  await allOf(ada.client.flashcards.generateCards.stream({ texts: [longNotes], options }, []));
  const cards = await cardsIn(ada, target);
  const forms = [...new Set(cards.map(({ question }) => cardForm(question)))];
  const cardsWithForm = (wanted: CardForm) => cards.filter(({ question }) => cardForm(question) === wanted);
  const mostFirst = forms.toSorted((a, b) => cardsWithForm(b).length - cardsWithForm(a).length);
  const form = mostFirst.find((candidate) => cardsWithForm(candidate).length < cards.length);
  if (form === undefined) throw new Error("The deck has cards of one form only");
  const ofForm = cardsWithForm(form);
  const own = ownedBy(api.deps.store, ada.userId);
  const formPreference = () => readFormPreference(own, api.clock.now() + 1);
  const grade = (grades: readonly (1 | 3)[]) => {
    const { componentId } = target;
    const reviews = ofForm.flatMap(({ id: cardId }) =>
      grades.map((given) => {
        api.clock.advance(1000);
        const times = { reviewedAt: api.clock.now(), durationMs: 900 };
        return aChange("review_add", componentId, {
          _id: ulid(),
          cardId,
          componentId,
          grade: given,
          ...times,
          mode: "study",
        });
      }),
    );
    return send(ada, ...reviews);
  };
  const learn = (isOn: boolean) => ada.client.user.savePreferences({ flashcards: { learn_from_edits: isOn } });
  return { ada, target, form, ofForm, formPreference, grade, learn };
}

test("a form of generated cards that is only ever graded Again becomes rarer, until the cards are known", async () => {
  const { form, ofForm, formPreference, grade } = await aGeneratedDeck();
  expect(ofForm.length).toBeGreaterThanOrEqual(15);
  await grade([1, 1]);
  expect(await formPreference()).toEqual({});
  await grade([1]);
  expect((await formPreference())[form]).toBeLessThan(0);
  await grade([3]);
  expect(await formPreference()).toEqual({});
});

test("a form of generated cards that is often suspended or buried becomes rarer, until the cards are restored", async () => {
  const { ada, target, form, ofForm, formPreference } = await aGeneratedDeck();
  const change = (status: { isSuspended: boolean } | { buriedUntil: number | null }) =>
    send(
      ada,
      aChange("card_standing", target.componentId, { cards: ofForm.map(({ id: cardId }) => ({ cardId, ...status })) }),
    );
  await change({ isSuspended: true });
  expect((await formPreference())[form]).toBeLessThan(0);
  await change({ isSuspended: false });
  expect(await formPreference()).toEqual({});
  await change({ buriedUntil: Date.UTC(2030, 0, 1) });
  expect((await formPreference())[form]).toBeLessThan(0);
});

test("nothing is learnt from a student's grades and suspended cards if learning is switched off", async () => {
  const { ada, target, ofForm, formPreference, grade, learn } = await aGeneratedDeck();
  await learn(false);
  await grade([1, 1, 1]);
  const cards = ofForm.map(({ id: cardId }) => ({ cardId, isSuspended: true }));
  await send(ada, aChange("card_standing", target.componentId, { cards }));
  expect(await formPreference()).toEqual({});
});
