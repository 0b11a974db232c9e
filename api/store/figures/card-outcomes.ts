import { retentionMs } from "#shared/retention.ts";
import { cardForm, countForms, type FormCounts, learnFormPreference } from "#shared/cards/features/card-form.ts";
import type { CardForm, FormPreference } from "#shared/cards/schema.ts";
import type { Own } from "../owned-store.ts";
import type { Clock } from "#api/clock.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "../port.ts";
import { type ChangedCard, forgetGeneratedForms } from "./made-cards.ts";

/**
 * `set_aside`: suspended or buried. `forgotten`: only ever graded "Again". Both are weaker signs than an edit, because
 * a good card may be hard, or known already.
 */
type WeakOutcome = "set_aside" | "forgotten";

/** The forms of the cards that one generation made, or the form and outcome of one card. Stores no words of a card. */
interface CardOutcomeDoc extends OwnedDoc {
  outcome: "made" | "edited" | "removed" | WeakOutcome;
  /** For one card, its form before the first edit, because an edit is saved in several steps. */
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

const REMEMBERED_MS = retentionMs("cardOutcomes");
const MAX_OUTCOMES = 2000;
/** A shorter edit only corrects a typing error of the source. */
const MIN_EDITED_CHARS = 4;

/** This many weak outcomes count as one edited card. */
const WEAK_PER_EDIT = 3;

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

const weakId = (outcome: WeakOutcome, cardId: string) => `${outcome}:${cardId}`;

/** Remembers that a card was set aside, or that it is only ever forgotten. */
export async function recordWeakOutcome(
  own: Own,
  { outcome, cardId, form, at }: { outcome: WeakOutcome; cardId: string; form: CardForm; at: number },
): Promise<void> {
  await save(own, { _id: weakId(outcome, cardId), outcome, forms: { [form]: 1 }, chars: 0, at });
}

export async function forgetWeakOutcomes(own: Own, outcome: WeakOutcome, cardIds: readonly string[]): Promise<void> {
  if (cardIds.length > 0)
    await own.in(cardOutcomes).remove({ _id: { in: cardIds.map((cardId) => weakId(outcome, cardId)) } });
}

async function rememberCardChange(own: Own, { id, question, change, chars }: ChangedCard, at: number): Promise<void> {
  const form = cardForm(question);
  switch (change) {
    case "restored":
      await own.in(cardOutcomes).remove({ _id: id });
      return;
    case "set_aside":
      await recordWeakOutcome(own, { outcome: change, cardId: id, form, at });
      return;
    case "taken_up":
      await forgetWeakOutcomes(own, "set_aside", [id]);
      return;
    case "edited":
    case "removed":
      await save(own, { _id: id, outcome: change, forms: { [form]: 1 }, chars, at });
  }
}

/**
 * Remembers the forms of generated cards that the student edits, removes or sets aside; forgets a card that is
 * restored.
 */
export async function rememberCardChanges(own: Own, changes: readonly ChangedCard[], at: number): Promise<void> {
  for (const change of changes) await rememberCardChange(own, change, at);
}

/** Forgets the removal of cards that were moved to another deck: for their old deck, the move looked like a removal. */
export async function forgetMovedCards(own: Own, cardIds: readonly string[]): Promise<void> {
  await own.in(cardOutcomes).remove({ _id: { in: cardIds }, outcome: "removed" });
}

/** Erases outcomes of all accounts that are too old to count. */
export async function eraseOldOutcomes({ store, clock }: { store: DocumentStore; clock: Clock }): Promise<void> {
  await store.collection(cardOutcomes).remove({ at: { lt: clock.now() - REMEMBERED_MS } });
}

/** Erases every form that is stored for the student, of outcomes and of generated cards. */
export async function forgetCardOutcomes(own: Own): Promise<void> {
  await forgetGeneratedForms(own);
  await own.in(cardOutcomes).remove({});
}

function addForms(totals: FormCounts, forms: FormCounts, weight = 1) {
  for (const [form, count] of Object.entries(forms) as [keyof FormCounts, number][])
    totals[form] = (totals[form] ?? 0) + weight * count;
}

const isChanged = ({ outcome, chars }: CardOutcomeDoc) =>
  outcome === "removed" || (outcome === "edited" && chars >= MIN_EDITED_CHARS);

/** The forms of cards that the student leaves unchanged and answers, learned from the outcomes before a time. */
export async function readFormPreference(own: Own, before: number): Promise<FormPreference> {
  const since = before - REMEMBERED_MS;
  const outcomes = await own
    .in(cardOutcomes)
    .find({ at: { gte: since, lt: before } }, { order: [["at", "desc"]], limit: MAX_OUTCOMES });
  const [made, changed, weak]: [FormCounts, FormCounts, FormCounts] = [{}, {}, {}];
  // A card counts once, by its strongest outcome.
  const counted = new Set(outcomes.filter(isChanged).map(({ _id }) => _id));
  for (const doc of outcomes) {
    const { _id, outcome, forms } = doc;
    const cardId = _id.slice(_id.indexOf(":") + 1);
    if (outcome === "made") addForms(made, forms);
    else if (isChanged(doc)) addForms(changed, forms);
    else if (outcome !== "edited" && !counted.has(cardId)) {
      counted.add(cardId);
      addForms(weak, forms);
    }
  }
  addForms(changed, weak, 1 / WEAK_PER_EDIT);
  return learnFormPreference(made, changed);
}
