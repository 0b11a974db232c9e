import type { Flashcard } from "#shared/flashcards/schema.ts";
import { DeckSettings, type Weights } from "#shared/study/schema.ts";
import type { StudyParams } from "#shared/study/rules.ts";
import { ulid } from "ulid";
import type { z } from "zod";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { getPreferences } from "#api/user/service.ts";
import { updateCardStatus } from "./store.ts";

/** Cached card counts and settings of a deck, so that counting need not read its cards. */
interface DeckDoc extends OwnedDoc {
  settings: DeckSettings;
  /** Deck version that was counted; 0 forces a recount. */
  version: number;
  /** Cards that are not suspended. */
  activeCards: number;
  total: number;
  /** When the burials of cards end that were never reviewed. */
  buriedNew?: number[];
}

/** Scheduler weights fitted to one student. */
interface SchedulerFitDoc extends OwnedDoc {
  weights: z.infer<typeof Weights> | null;
  /** When they were fitted, and on how many reviews. */
  fittedAt: number;
  reviews: number;
  /** Missing on fits from before automatic fitting, which were all requested by the student. */
  startedBy?: "student" | "schedule";
  /** Log loss of the default weights and of these on the same reviews. */
  lossBefore: number;
  lossAfter: number;
}

const decks: CollectionSpec<DeckDoc> = { name: "deck_study", shardKey: "ownerId", indexes: [{ fields: ["ownerId"] }] };
const fits: CollectionSpec<SchedulerFitDoc> = { name: "study_fits", shardKey: "ownerId", indexes: [] };

const deckKey = (own: Own, componentId: string) => `${own.ownerId}:${componentId}`;
const uncounted = { version: 0, activeCards: 0, total: 0 };

export async function readDeckSettings(own: Own, componentId: string): Promise<DeckSettings> {
  return DeckSettings.parse((await own.in(decks).get(deckKey(own, componentId)))?.settings ?? {});
}

export async function saveDeckSettings(own: Own, componentId: string, set: Partial<DeckSettings>) {
  const _id = deckKey(own, componentId);
  const { bestMatchMs, ...others } = set;
  await own.in(decks).insert({ _id, settings: DeckSettings.parse({}), ...uncounted });
  // Write only the fields that were set, because requests of two devices may cross.
  const fields = setSettings(others);
  if (Object.keys(fields).length > 0) await own.in(decks).patch({ _id }, { set: fields });
  if (bestMatchMs !== undefined)
    for (const slower of [null, { gt: bestMatchMs }])
      await own.in(decks).patch({ _id, "settings.bestMatchMs": slower }, { set: setSettings({ bestMatchMs }) });
  return readDeckSettings(own, componentId);
}

const setSettings = (set: Partial<DeckSettings>): Record<`settings.${string}`, unknown> =>
  Object.fromEntries(Object.entries(set).map(([field, value]) => [`settings.${field}`, value]));

/**
 * The id with which a joint exam continues, because other devices know it; none if the decks had several. Early exams had the
 * id of a deck, which is replaced: it would also name that deck's own exam, once the deck leaves this one.
 */
function findSharedExamId(own: Own, previous: ReadonlySet<string>, existing: readonly DeckDoc[]): string | undefined {
  const [examId] = previous;
  if (examId === undefined || previous.size > 1) return undefined;
  return existing.some(({ _id }) => _id === deckKey(own, examId)) ? undefined : examId;
}

/** Gives decks a joint exam. Decks that shared the exam before and are not listed now lose it. */
export async function saveDecksExam(
  own: Own,
  componentIds: readonly string[],
  { examAt, minutesPerDay }: Pick<DeckSettings, "examAt" | "minutesPerDay">,
) {
  const loaded = await Promise.all(componentIds.map((componentId) => readDeckSettings(own, componentId)));
  const previous = new Set(loaded.flatMap(({ examId }) => examId ?? []));
  const existing = previous.size === 0 ? [] : await own.in(decks).find({});
  const noExam = { examAt: null, minutesPerDay: null, examId: null };
  const chosen = new Set(componentIds.map((componentId) => deckKey(own, componentId)));
  const droppedDecks = existing.filter(({ _id, settings }) => previous.has(settings.examId ?? "") && !chosen.has(_id));
  await Promise.all(droppedDecks.map(({ _id }) => own.in(decks).patch({ _id }, { set: setSettings(noExam) })));
  const examId =
    examAt !== null && componentIds.length > 1 ? (findSharedExamId(own, previous, existing) ?? ulid()) : null;
  const set = examAt === null ? noExam : { examAt, minutesPerDay, examId };
  return Promise.all(
    componentIds.map(async (componentId) => ({ componentId, settings: await saveDeckSettings(own, componentId, set) })),
  );
}

export const readFit = (own: Own) => own.in(fits).get(own.ownerId);

export async function saveFit(own: Own, fit: Omit<SchedulerFitDoc, "_id" | "ownerId">): Promise<void> {
  await own.in(fits).insert({ _id: own.ownerId, ...fit });
  await own.in(fits).patch({ _id: own.ownerId }, { set: fit });
}

/** Removes the fit; true if there was one. */
export const removeFit = async (own: Own): Promise<boolean> => (await own.in(fits).remove({ _id: own.ownerId })) > 0;

/** Scheduling parameters by deck: one object per distinct set, because the scheduler is cached by it. */
export async function createParamsReader(own: Own): Promise<(componentId: string) => Promise<StudyParams>> {
  const [preferences, fit] = await Promise.all([getPreferences(own), readFit(own)]);
  const weights = fit?.weights ?? null;
  const paramsByRetention = new Map<number, StudyParams>();
  const paramsByDeck = new Map<string, StudyParams>();
  return async (componentId) => {
    const previous = paramsByDeck.get(componentId);
    if (previous) return previous;
    const settings = await readDeckSettings(own, componentId);
    const desiredRetention = settings.desiredRetention ?? preferences.flashcards.desired_retention;
    const params = paramsByRetention.get(desiredRetention) ?? { desiredRetention, weights };
    paramsByRetention.set(desiredRetention, params);
    paramsByDeck.set(componentId, params);
    return params;
  };
}

/** Forces a recount of a deck, after a review of a card that its counts do not include. */
export async function forceRecount(own: Own, componentId: string): Promise<void> {
  await own.in(decks).patch({ _id: deckKey(own, componentId) }, { set: { version: 0 } });
}

/** Counts a deck's cards and how many are not suspended; reads them only if the deck changed. */
export async function countCards(own: Own, head: { _id: string; version: number }): Promise<DeckDoc> {
  const _id = deckKey(own, head._id);
  const existing = await own.in(decks).get(_id);
  if (existing && existing.version === head.version) return existing;
  const deck = await findComponent(own, head._id);
  const cards: readonly Flashcard[] = deck?.type === "flash_cards" ? deck.content.cards : [];
  const reviewed = await updateCardStatus(
    own,
    head._id,
    new Map(cards.map((card) => [card.id, { isActive: !card.isSuspended, buriedUntil: card.buriedUntil ?? null }])),
  );
  const active = cards.filter((card) => !card.isSuspended);
  const counts = {
    version: deck?.version ?? head.version,
    activeCards: active.length,
    total: cards.length,
    buriedNew: active.flatMap(({ id, buriedUntil }) => (reviewed.has(id) ? [] : (buriedUntil ?? []))),
  };
  await own.in(decks).insert({ _id, settings: DeckSettings.parse({}), ...uncounted });
  const written = await own.in(decks).patch({ _id }, { set: counts });
  return written ?? { _id, ownerId: own.ownerId, settings: DeckSettings.parse({}), ...counts };
}
