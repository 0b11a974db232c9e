import { cardForm, countForms, type FormCounts, learnTaste } from "#shared/cards/features/card-form.ts";
import type { FormTaste } from "#shared/cards/schema.ts";
import type { Own } from "../owned-store.ts";
import type { Clock } from "#api/clock.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "../port.ts";
import type { ChangedCard } from "./made-cards.ts";

/** The forms of cards that one generation made, or of one card that was edited or removed: no words of it. */
interface CardOutcomeDoc extends OwnedDoc {
  outcome: "made" | "edited" | "removed";
  /** A card's form before its first edit, because an edit is saved in several steps. */
  forms: FormCounts;
  /** How many characters the edits of a card touched, together. */
  chars: number;
  at: number;
}

const cardOutcomes: CollectionSpec<CardOutcomeDoc> = {
  name: "card_outcomes",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "at"] }, { fields: ["at"] }],
};

const DAY_MS = 86_400_000;
const REMEMBERED_DAYS = 180;
const MAX_OUTCOMES = 2000;
/** A shorter edit mends a slip of the source. */
const MIN_EDITED_CHARS = 4;

type OutcomeFields = Omit<CardOutcomeDoc, "ownerId">;

async function save(own: Own, doc: OutcomeFields): Promise<void> {
  const outcomes = own.in(cardOutcomes);
  const { _id, outcome, at, chars } = doc;
  if ((await outcomes.insert(doc)) === "duplicate")
    await outcomes.patch({ _id }, { set: { outcome, at }, increment: { chars } });
}

/** Remembers the forms of a generation's cards; a repeat changes nothing. */
export async function rememberMadeCards(
  own: Own,
  { generationId, questions, at }: { generationId: string; questions: readonly string[]; at: number },
): Promise<void> {
  await save(own, { _id: generationId, outcome: "made", forms: countForms(questions), chars: 0, at });
}

/** Remembers the forms of generated cards that the student edits or removes; a card that comes back is forgotten. */
export async function rememberCardChanges(own: Own, changes: readonly ChangedCard[], at: number): Promise<void> {
  for (const { id, question, change, chars } of changes) {
    if (change === "restored") await own.in(cardOutcomes).remove({ _id: id });
    else await save(own, { _id: id, outcome: change, forms: { [cardForm(question)]: 1 }, chars, at });
  }
}

/** Forgets what happened to cards that were moved to another deck: the change of their own deck looked like a removal. */
export async function forgetMovedCards(own: Own, cardIds: readonly string[]): Promise<void> {
  await own.in(cardOutcomes).remove({ _id: { in: cardIds }, outcome: "removed" });
}

/** Erases what is too old to count, of all accounts. */
export async function eraseOldOutcomes({ store, clock }: { store: DocumentStore; clock: Clock }): Promise<void> {
  await store.collection(cardOutcomes).remove({ at: { lt: clock.now() - REMEMBERED_DAYS * DAY_MS } });
}

export async function forgetCardOutcomes(own: Own): Promise<void> {
  await own.in(cardOutcomes).remove({});
}

function addForms(to: FormCounts, forms: FormCounts) {
  for (const [form, count] of Object.entries(forms) as [keyof FormCounts, number][]) to[form] = (to[form] ?? 0) + count;
}

/** What forms of cards the student leaves as they were made, from what happened before this time. */
export async function readFormTaste(own: Own, before: number): Promise<FormTaste> {
  const since = before - REMEMBERED_DAYS * DAY_MS;
  const outcomes = await own
    .in(cardOutcomes)
    .find({ at: { gte: since, lt: before } }, { order: [["at", "desc"]], limit: MAX_OUTCOMES });
  const [made, changed]: [FormCounts, FormCounts] = [{}, {}];
  for (const { outcome, forms, chars } of outcomes)
    if (outcome === "made") addForms(made, forms);
    else if (outcome === "removed" || chars >= MIN_EDITED_CHARS) addForms(changed, forms);
  return learnTaste(made, changed);
}
