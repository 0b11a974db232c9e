import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { startStudy, stepStudy, type StudyEvent, type StudyState } from "#shared/study/controller.ts";
import { writeSchedule } from "#shared/study/deck/cached-decks.ts";
import { findDeck } from "#shared/study/deck/deck.ts";
import { type DeckContext, loadDeck } from "#shared/study/deck/load-deck.ts";
import { studyParamsOf } from "#shared/study/scheduling.ts";
import type { Grade } from "#shared/study/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { Preferences } from "#shared/user/schema.ts";
import { client } from "#extension/app/client.ts";
import { readSetting, writeSetting } from "#extension/app/settings-store.ts";
import { openQueue } from "#extension/app/queue.ts";
import { loadPage } from "./deck-pages.ts";

export interface DeckRef {
  pageId: string;
  componentId: string;
}

/** State of a study session in the panel. */
export interface Studying extends StudyState {
  accountId: string;
}

type StudyPreferences = Preferences["flashcards"];

/** The student's study preferences; the last known ones if the server cannot be reached. */
async function readStudyPreferences(): Promise<StudyPreferences> {
  try {
    const preferences = await client.user.getPreferences({});
    await writeSetting("studyPreferences", preferences.flashcards);
    return preferences.flashcards;
  } catch {
    return (await readSetting("studyPreferences")) ?? Preferences.parse({}).flashcards;
  }
}

function createDeckContext(queue: SyncQueue, preferences: StudyPreferences): DeckContext {
  return {
    accountId: () => queue.accountId,
    loadPage: (pageId) => loadPage(queue, pageId),
    unsaved: () => queue.unsaved(),
    flush: () => queue.flush(),
    now: () => Date.now(),
    paramsOf: (terms) => studyParamsOf(terms, preferences),
    logProblem: (_, error) => reportError(error),
  };
}

/** Opens a deck and starts with the due cards; undefined if the page has no such deck. */
export async function openDeck({ pageId, componentId }: DeckRef): Promise<Studying | undefined> {
  const account = await readSetting("account");
  if (!account) return undefined;
  const { accountId } = account;
  const [queue, preferences] = await Promise.all([openQueue(accountId), readStudyPreferences()]);
  const source = {
    pageId,
    componentId,
    fetchSchedules: () => client.study.getDeckSchedule({ componentId }),
    fetchFavourites: async () => {
      const { favorites } = await client.flashcards.listCardFavourites({ componentId });
      return favorites.map(({ cardId }) => cardId);
    },
  };
  const loaded = await loadDeck(source, createDeckContext(queue, preferences)).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  });
  const deck = loaded && findDeck(loaded.state, componentId);
  if (!deck) return undefined;
  return { accountId, ...startStudy({ deck, loaded, preferences, bucket: "due", plan: null }, Date.now()) };
}

/** Returns the state after an event; its requests are stored by then. */
export async function applyStudyEvent(studying: Studying, event: StudyEvent): Promise<Studying> {
  const { state, requests, cached } = stepStudy(studying, event, Date.now());
  const { accountId } = studying;
  const { componentId } = studying.deck;
  if (requests.length > 0) {
    const queue = await openQueue(accountId);
    await Promise.all(requests.map(({ type, data }) => queue.enqueue(type, componentId, data)));
  }
  // The review is safe in the queue; this cached copy only saves a request at the next start.
  if (cached) writeSchedule({ accountId, componentId }, cached).catch(reportError);
  return state;
}

/** Grades the current card; without a revealed answer nothing changes. */
export async function grade(studying: Studying, given: Grade): Promise<Studying> {
  const cardId = studying.session.current;
  if (cardId === null) return studying;
  return applyStudyEvent(studying, { type: "grade", cardId, grade: given, reviewId: ulid() });
}
