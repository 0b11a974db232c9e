import type { Flashcard } from "#shared/flashcards/schema.ts";
import { DeckSettings, type Weights } from "#shared/study/schema.ts";
import type { StudyParams } from "#shared/study/rules.ts";
import type { z } from "zod";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { findComponent } from "#api/pages/service.ts";
import { preferencesOf } from "#api/user/service.ts";
import { placeSchedules } from "./store.ts";

/** What studying remembers of a deck, so that its cards need not be read to be counted. */
interface DeckDoc extends OwnedDoc {
  settings: DeckSettings;
  /** The version of the deck that was counted; 0 where it must be read again. */
  version: number;
  /** Cards that are asked. */
  asked: number;
  total: number;
}

/** What was fitted to one student. */
interface FitDoc extends OwnedDoc {
  weights: z.infer<typeof Weights> | null;
  /** When, and upon how many reviews. */
  fittedAt: number;
  reviews: number;
  /** Missing where it was the student who asked, before there was another way. */
  by?: "student" | "itself";
  /** Log loss of the scheduler's own weights and of these on the same reviews. */
  lossBefore: number;
  lossAfter: number;
}

const decks: CollectionSpec<DeckDoc> = { name: "deck_study", shardKey: "ownerId", indexes: [{ fields: ["ownerId"] }] };
const fits: CollectionSpec<FitDoc> = { name: "study_fits", shardKey: "ownerId", indexes: [] };

const deckKey = (own: Own, componentId: string) => `${own.ownerId}:${componentId}`;
const unread = { version: 0, asked: 0, total: 0 };

export async function readDeckSettings(own: Own, componentId: string): Promise<DeckSettings> {
  return DeckSettings.parse((await own.in(decks).get(deckKey(own, componentId)))?.settings ?? {});
}

export async function saveDeckSettings(own: Own, componentId: string, set: Partial<DeckSettings>) {
  const _id = deckKey(own, componentId);
  const settings = { ...(await readDeckSettings(own, componentId)), ...set };
  await own.in(decks).insert({ _id, settings: DeckSettings.parse({}), ...unread });
  await own.in(decks).patch({ _id }, { set: { settings } });
  return settings;
}

/** Gives decks one exam in common; decks that shared it before and are left out have none any more. */
export async function saveDecksExam(
  own: Own,
  componentIds: readonly string[],
  { examAt, minutesPerDay }: Pick<DeckSettings, "examAt" | "minutesPerDay">,
) {
  const known = await Promise.all(componentIds.map((componentId) => readDeckSettings(own, componentId)));
  const before = new Set(known.flatMap(({ examId }) => examId ?? []));
  const held = before.size === 0 ? [] : await own.in(decks).find({});
  const none = { examAt: null, minutesPerDay: null, examId: null };
  const chosen = new Set(componentIds.map((componentId) => deckKey(own, componentId)));
  const left = held.filter(({ _id, settings }) => before.has(settings.examId ?? "") && !chosen.has(_id));
  await Promise.all(
    left.map(({ _id, settings }) => own.in(decks).patch({ _id }, { set: { settings: { ...settings, ...none } } })),
  );
  const examId = examAt !== null && componentIds.length > 1 ? (componentIds[0] ?? null) : null;
  const set = examAt === null ? none : { examAt, minutesPerDay, examId };
  return Promise.all(
    componentIds.map(async (componentId) => ({ componentId, settings: await saveDeckSettings(own, componentId, set) })),
  );
}

export const readFit = (own: Own) => own.in(fits).get(own.ownerId);

export async function saveFit(own: Own, fit: Omit<FitDoc, "_id" | "ownerId">): Promise<void> {
  await own.in(fits).insert({ _id: own.ownerId, ...fit });
  await own.in(fits).patch({ _id: own.ownerId }, { set: fit });
}

/** Says whether there was one. */
export const removeFit = async (own: Own): Promise<boolean> => (await own.in(fits).remove({ _id: own.ownerId })) > 0;

/** By what a student's cards are scheduled: one object for each set of numbers, since the scheduler is kept with it. */
export async function paramsReader(own: Own): Promise<(componentId: string) => Promise<StudyParams>> {
  const [preferences, fit] = await Promise.all([preferencesOf(own), readFit(own)]);
  const weights = fit?.weights ?? null;
  const known = new Map<number, StudyParams>();
  const ofDeck = new Map<string, StudyParams>();
  return async (componentId) => {
    const before = ofDeck.get(componentId);
    if (before) return before;
    const settings = await readDeckSettings(own, componentId);
    const desiredRetention = settings.desiredRetention ?? preferences.flashcards.desired_retention;
    const params = known.get(desiredRetention) ?? { desiredRetention, weights };
    known.set(desiredRetention, params);
    ofDeck.set(componentId, params);
    return params;
  };
}

/** A card was reviewed that the counts do not know: the deck is read before it is counted again. */
export async function recountLater(own: Own, componentId: string): Promise<void> {
  await own.in(decks).patch({ _id: deckKey(own, componentId) }, { set: { version: 0 } });
}

/** How many cards a deck has, and how many are asked; its cards are read only where it changed since it was counted. */
export async function countCards(own: Own, head: { _id: string; version: number }): Promise<DeckDoc> {
  const _id = deckKey(own, head._id);
  const held = await own.in(decks).get(_id);
  if (held && held.version === head.version) return held;
  const deck = await findComponent(own, head._id);
  const cards: readonly Flashcard[] = deck?.type === "flash_cards" ? deck.content.cards : [];
  await placeSchedules(
    own,
    head._id,
    new Map(cards.map((card) => [card.id, { isAsked: !card.isSuspended, buriedUntil: card.buriedUntil ?? null }])),
  );
  const counts = {
    version: deck?.version ?? head.version,
    asked: cards.filter((card) => !card.isSuspended).length,
    total: cards.length,
  };
  await own.in(decks).insert({ _id, settings: DeckSettings.parse({}), ...unread });
  const written = await own.in(decks).patch({ _id }, { set: counts });
  return written ?? { _id, ownerId: own.ownerId, settings: DeckSettings.parse({}), ...counts };
}
