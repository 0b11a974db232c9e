import { retentionDays, retentionMs } from "#shared/retention.ts";
import type { Dims } from "#shared/admin/figures.ts";
import type { CardForm } from "#shared/cards/schema.ts";
import type { Own } from "../owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "../port.ts";
import { recordFigure } from "./figure-store.ts";

/** The cards of a deck that a generation made. Stored for as long as changes of these cards are counted. */
interface GeneratedCardsDoc extends OwnedDoc {
  deckId: string;
  createdAt: number;
  dims: Dims;
  cardIds: readonly string[];
  /** In the order of the ids; missing if the student does not want the engine to learn from them. */
  forms?: readonly CardForm[];
}

const generatedCards: CollectionSpec<GeneratedCardsDoc> = {
  name: "generated_cards",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "deckId", "createdAt"] }],
};

const DAY_MS = 86_400_000;
/** Changes of a generated card are counted for these days. What was generated is stored a day longer. */
const UNCHANGED_DAYS = retentionDays.generatedCards - 1;

interface Generated {
  generationId: string;
  deckId: string;
  createdAt: number;
  dims: Dims;
  cardIds: readonly string[];
  forms?: readonly CardForm[];
}

/** Counts new cards, and remembers their ids for two weeks; a repeat changes nothing. */
export async function recordGeneratedCards(own: Own, generated: Generated): Promise<void> {
  const { generationId, createdAt, dims, cardIds, deckId, forms } = generated;
  const sums = { made: cardIds.length };
  await recordFigure(own, { figure: "made_cards", id: `made:${generationId}`, at: createdAt, dims, sums });
  const cards = own.in(generatedCards);
  const made = { cardIds, ...(forms && { forms }) };
  const doc = { _id: generationId, deckId, createdAt, dims, ...made };
  if ((await cards.insert(doc)) === "duplicate") await cards.patch({ _id: generationId }, { set: made });
  await cards.remove({ createdAt: { lt: createdAt - retentionMs("generatedCards") } });
}

/** Erases the forms of generated cards, which are still counted. */
export async function forgetGeneratedForms(own: Own): Promise<void> {
  const cards = own.in(generatedCards);
  const generations = await cards.find({}, { fields: ["forms"] });
  for (const { _id, forms } of generations) if (forms !== undefined) await cards.patch({ _id }, { unset: ["forms"] });
}

interface CardWords {
  id: string;
  question: string;
  answer: string;
  isSuspended?: boolean | undefined;
  buriedUntil?: number | undefined;
}

/** How many characters an edit touched: what is left between the unchanged beginning and end. */
export function editedChars(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return Math.max(before.length, after.length) - start - end;
}

function countChange(
  before: CardWords,
  after: CardWords | undefined,
): { removed?: number; edited?: number; editedChars?: number } | undefined {
  if (!after) return { removed: 1 };
  const chars = editedChars(before.question, after.question) + editedChars(before.answer, after.answer);
  return chars === 0 ? undefined : { edited: 1, editedChars: chars };
}

interface DeckChange {
  deckId: string;
  before: readonly CardWords[];
  after: readonly CardWords[];
  now: number;
}

/** Counts a suspension in a record of its own, because a student may edit a card and suspend it later. */
async function countSuspension(own: Own, oldCard: CardWords, newCard: CardWords, made: { at: number; dims: Dims }) {
  const [before, after] = [oldCard, newCard].map((card) => card.isSuspended === true);
  if (before === after) return;
  const sums = after ? { suspended: 1 } : {};
  await recordFigure(own, { figure: "made_cards", id: `suspended:${newCard.id}`, ...made, sums });
}

/** A generated card that a change of its deck edits, removes or restores, or whose status (suspended, buried) it changes. */
export interface ChangedCard {
  id: string;
  /** Before an edit or removal. */
  question: string;
  change: "edited" | "removed" | "restored" | "set_aside" | "taken_up";
  /** How many characters an edit touched. */
  chars: number;
}

/**
 * The change of one generated card, with the sums to count; undefined if the card is unchanged or was already removed.
 */
function toChange(oldCard: CardWords | undefined, newCard: CardWords | undefined) {
  if (oldCard === undefined)
    return (
      newCard && {
        sums: {},
        card: { id: newCard.id, question: newCard.question, change: "restored" as const, chars: 0 },
      }
    );
  const sums = countChange(oldCard, newCard);
  if (sums === undefined) return undefined;
  const change = newCard === undefined ? ("removed" as const) : ("edited" as const);
  return { sums, card: { id: oldCard.id, question: oldCard.question, change, chars: sums.editedChars ?? 0 } };
}

/** Whether a card was suspended or buried, or made active again; undefined if its status is unchanged. */
function toStatusChange(oldCard: CardWords, newCard: CardWords): ChangedCard | undefined {
  if ((oldCard.isSuspended ?? false) === (newCard.isSuspended ?? false) && oldCard.buriedUntil === newCard.buriedUntil)
    return undefined;
  const isAside = newCard.isSuspended === true || (newCard.buriedUntil ?? 0) > (oldCard.buriedUntil ?? 0);
  return { id: newCard.id, question: oldCard.question, change: isAside ? "set_aside" : "taken_up", chars: 0 };
}

const listNewGenerations = (own: Own, deckId: string, now: number) =>
  own.in(generatedCards).find({ deckId, createdAt: { gte: now - UNCHANGED_DAYS * DAY_MS } });

/** The forms of these cards, for cards that a generation made within the last 14 days. */
export async function findFormsOfNewCards(
  own: Own,
  { deckId, cardIds, now }: { deckId: string; cardIds: ReadonlySet<string>; now: number },
): Promise<Map<string, CardForm>> {
  const generations = await listNewGenerations(own, deckId, now);
  return new Map(
    generations.flatMap(({ cardIds: ids, forms = [] }) =>
      ids.flatMap((id, i): [string, CardForm][] => {
        const form = forms[i];
        return form === undefined || !cardIds.has(id) ? [] : [[id, form]];
      }),
    ),
  );
}

/**
 * Counts generated cards that a change of their deck removes, edits, suspends or restores. Returns these cards and the
 * cards that it buries.
 */
export async function countCardChanges(
  own: Own,
  { deckId, before, after, now }: DeckChange,
): Promise<readonly ChangedCard[]> {
  const generations = await listNewGenerations(own, deckId, now);
  const changes: ChangedCard[] = [];
  if (generations.length === 0) return changes;
  const [old, current] = [before, after].map((cards) => new Map(cards.map((card) => [card.id, card])));
  for (const { cardIds, createdAt: at, dims } of generations)
    for (const id of cardIds) {
      const [oldCard, newCard] = [old?.get(id), current?.get(id)];
      if (oldCard && newCard) {
        await countSuspension(own, oldCard, newCard, { at, dims });
        const status = toStatusChange(oldCard, newCard);
        if (status) changes.push(status);
      }
      const change = toChange(oldCard, newCard);
      if (change === undefined) continue;
      await recordFigure(own, { figure: "made_cards", id, at, dims, sums: change.sums });
      changes.push(change.card);
    }
  return changes;
}
