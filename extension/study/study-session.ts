import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { chooseLeastLoaded, weekdayOf } from "#shared/study/balance.ts";
import { type Allowance, type SchedulingInput, writeSchedule } from "#shared/study/cached-decks.ts";
import { loadDeck } from "#shared/study/load-deck.ts";
import type { ChooseInterval, StudyParams } from "#shared/study/rules.ts";
import type { Grade, Schedule } from "#shared/study/schema.ts";
import { undoAnswer } from "#shared/study/session-changes.ts";
import { answerCard, countDue, type Schedules, type Session, startStudySession } from "#shared/study/session.ts";
import { studiableCardIds, countedToday, addToCount, studyDayOf, cardsRemainingToday } from "#shared/study/today.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import { Preferences } from "#shared/user/schema.ts";
import { client } from "#extension/app/client.ts";
import { readSetting, writeSetting } from "#extension/app/disk.ts";
import { openQueue } from "#extension/app/queue.ts";
import { loadPage } from "./deck-pages.ts";

export interface DeckRef {
  pageId: string;
  componentId: string;
}

/** State of a study session in the panel. */
export interface Studying {
  accountId: string;
  componentId: string;
  title: string;
  cards: readonly Flashcard[];
  schedules: Schedules;
  session: Session;
  allowance: Allowance;
  terms: SchedulingInput;
  params: StudyParams;
  choices: Choices;
  isRevealed: boolean;
  /** The server could not be reached: cards and schedules come from the local cache. */
  isFromDevice: boolean;
  shownAt: number;
}

type Choices = Preferences["flashcards"];

/** Longer answer times are capped, because the student was away. */
const MAX_ANSWER_MS = 3_600_000;

/** The student's study preferences; the last known ones if the server cannot be reached. */
async function readChoices(): Promise<Choices> {
  try {
    const preferences = await client.user.getPreferences({});
    await writeSetting("choices", preferences.flashcards);
    return preferences.flashcards;
  } catch {
    return (await readSetting("choices")) ?? Preferences.parse({}).flashcards;
  }
}

function createStudyPort(queue: SyncQueue, choices: Choices) {
  const paramsOf = ({ settings, weights }: Pick<SchedulingInput, "settings" | "weights">): StudyParams => ({
    desiredRetention: settings.desiredRetention ?? choices.desired_retention,
    weights,
  });
  return {
    accountId: () => queue.accountId,
    loadPage: (pageId: string) => loadPage(queue, pageId),
    unsaved: () => queue.unsaved(),
    flush: () => queue.flush(),
    now: () => Date.now(),
    paramsOf,
    logProblem: (_: string, error: unknown) => reportError(error),
  };
}

/** Opens a deck and starts with the due cards; undefined if the page has no such deck. */
export async function openDeck({ pageId, componentId }: DeckRef): Promise<Studying | undefined> {
  const account = await readSetting("account");
  if (!account) return undefined;
  const [queue, choices] = await Promise.all([openQueue(account.accountId), readChoices()]);
  const port = createStudyPort(queue, choices);
  const source = {
    pageId,
    componentId,
    fetchSchedules: () => client.study.getDeckSchedule({ componentId }),
    fetchFavourites: async () => {
      const { favorites } = await client.flashcards.listCardFavourites({ componentId });
      return favorites.map(({ cardId }) => cardId);
    },
  };
  const loaded = await loadDeck(source, port).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  });
  if (!loaded) return undefined;
  const { state, schedules: storedSchedules, allowance, terms, isFromDevice } = loaded;
  const deck = state.components.find(({ _id }) => _id === componentId);
  if (deck?.type !== "flash_cards") return undefined;
  const { accountId } = account;
  const now = port.now();
  const { title, cards } = deck.content;
  const schedules = new Map(storedSchedules.map((schedule) => [schedule.cardId, schedule]));
  const params = port.paramsOf(terms);
  const session = startStudySession({
    cardIds: studiableCardIds({ cards }, now),
    schedules,
    day: studyDayOf(now, allowance),
    choice: "due",
    params,
    newLimit: choices.new_cards_per_day,
    mayStudy: cardsRemainingToday(allowance, now),
    counted: countedToday(schedules, now),
  });
  const base = { accountId, componentId, title, cards, schedules, allowance, terms, params };
  return { ...base, choices, session, isRevealed: false, isFromDevice, shownAt: now };
}

/** Picks the day with the lowest load within the scheduler's range of intervals. */
export function createIntervalChooser(
  { terms, allowance, choices }: Studying,
  now: number,
): ChooseInterval | undefined {
  if (terms.load.length === 0) return undefined;
  const { startsAt } = studyDayOf(now, allowance);
  const weekday = weekdayOf(startsAt, allowance.timezone);
  return chooseLeastLoaded({ load: terms.load, easyDays: choices.easy_days, startsAt, weekday, now });
}

interface Change {
  cardId: string;
  schedule: Schedule | undefined;
}

function withSchedule(view: Studying, session: Session, { cardId, schedule }: Change): Studying {
  const now = Date.now();
  const schedules = new Map(view.schedules);
  if (schedule) schedules.set(cardId, schedule);
  else schedules.delete(cardId);
  const allowance = addToCount(view.allowance, session.counted.size - view.session.counted.size, now);
  const { accountId, componentId } = view;
  // The review is safe in the queue; this cached copy only saves a request at the next start.
  writeSchedule({ accountId, componentId }, { cardId, schedule, allowance }).catch(reportError);
  return { ...view, session, schedules, allowance, isRevealed: false, shownAt: now };
}

/** Returns the state after a grade; the review is stored by then. */
export async function grade(view: Studying, given: Grade): Promise<Studying> {
  const { current } = view.session;
  if (current === null || !view.isRevealed) return view;
  const now = Date.now();
  const outcome = answerCard(view.session, {
    reviewId: ulid(),
    componentId: view.componentId,
    grade: given,
    schedule: view.schedules.get(current),
    now,
    params: view.params,
    choose: createIntervalChooser(view, now),
    durationMs: Math.min(Math.max(0, now - view.shownAt), MAX_ANSWER_MS),
  });
  if (!outcome) return view;
  const queue = await openQueue(view.accountId);
  await queue.enqueue("review_add", view.componentId, outcome.review);
  return withSchedule(view, outcome.session, { cardId: current, schedule: outcome.session.answers.at(-1)?.after });
}

/** Returns the state before the last grade; the undo is stored by then. */
export async function undo(view: Studying): Promise<Studying> {
  const undone = undoAnswer(view.session);
  if (!undone) return view;
  const { reviewId, cardId, before } = undone.answer;
  const queue = await openQueue(view.accountId);
  await queue.enqueue("review_undo", view.componentId, { reviewId });
  return withSchedule(view, undone.session, { cardId, schedule: before });
}

/** Remaining cards of the deck. */
export function countRemaining({ cards, schedules, allowance }: Studying): { due: number; fresh: number } {
  const now = Date.now();
  return countDue(studiableCardIds({ cards }, now), schedules, studyDayOf(now, allowance));
}
