import type { DBSchema } from "idb";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import { withStorageTimeout } from "#shared/sync/storage/storage-timeout.ts";
import { minDefined } from "./match-time.ts";
import type { DeckSettings, Schedule } from "../schema.ts";

/** The remaining daily limit of the plan, and the time zone of the student's day. */
export interface Allowance {
  /** The UTC day of the count. */
  period: string;
  studiedToday: number;
  dailyLimit: number | null;
  timezone: string;
}

/** The input for scheduling a deck's cards, besides their schedules. */
export interface SchedulingInput {
  settings: DeckSettings;
  weights: readonly number[] | null;
  /** This student's average time per answer. */
  secondsPerReview?: number | undefined;
  /** Cards of all decks due on each study day, today first. */
  load: readonly number[];
}

export const defaultSchedulingInput: SchedulingInput = {
  settings: { desiredRetention: null, examAt: null, minutesPerDay: null, examId: null },
  weights: null,
  load: [],
};

interface DeckRef {
  accountId: string;
  componentId: string;
}

interface DeckNotes {
  terms?: SchedulingInput;
  favourites?: readonly string[];
  /** When the whole deck was last prefetched, epoch ms. */
  keptAt?: number;
  /** Best time of a matching round on this device. */
  bestMatchMs?: number;
}

interface StudySchema extends DBSchema {
  /** Present if the deck's schedules are cached, even if there are none. */
  decks: { key: [string, string]; value: DeckRef & DeckNotes };
  schedules: { key: [string, string, string]; value: DeckRef & { cardId: string; schedule: Schedule } };
  allowances: { key: [string]; value: { accountId: string; allowance: Allowance } };
}

export interface CachedDeck {
  schedules: Schedule[];
  allowance: Allowance;
  terms: SchedulingInput;
  /** Cards that the student starred. */
  favourites: readonly string[];
}

const open = openDatabase<StudySchema>({
  name: "lamplight-study",
  steps: [
    (db) => {
      db.createObjectStore("decks", { keyPath: ["accountId", "componentId"] });
      db.createObjectStore("schedules", { keyPath: ["accountId", "componentId", "cardId"] });
      db.createObjectStore("allowances", { keyPath: ["accountId"] });
    },
  ],
});

/** Every key that starts with these parts. */
const keysStartingWith = (...parts: string[]) => IDBKeyRange.bound(parts, [...parts, []]);

/** The deck's cached schedules; undefined if it was never cached. */
export async function readCachedDeck({ accountId, componentId }: DeckRef): Promise<CachedDeck | undefined> {
  const db = await open();
  const [deck, allowed, found] = await withStorageTimeout(
    Promise.all([
      db.get("decks", [accountId, componentId]),
      db.get("allowances", [accountId]),
      db.getAll("schedules", keysStartingWith(accountId, componentId)),
    ]),
  );
  if (!deck || !allowed) return undefined;
  const schedules = found.map((row) => row.schedule);
  const { terms = defaultSchedulingInput, favourites = [] } = deck;
  return { schedules, allowance: allowed.allowance, terms, favourites };
}

const areEqual = (schedule: Schedule, other: Schedule | undefined): boolean =>
  other !== undefined && (Object.keys(schedule) as (keyof Schedule)[]).every((key) => schedule[key] === other[key]);

/** Replaces the cached deck; if its schedules were read (`before`), only the differences are written. */
export async function writeCachedDeck(
  { accountId, componentId }: DeckRef,
  deck: CachedDeck,
  before?: readonly Schedule[],
): Promise<void> {
  const stored = new Map((before ?? []).map((schedule) => [schedule.cardId, schedule]));
  const changedSchedules = deck.schedules.filter((schedule) => !areEqual(schedule, stored.get(schedule.cardId)));
  for (const { cardId } of deck.schedules) stored.delete(cardId);
  const transaction = (await open()).transaction(["decks", "schedules", "allowances"], "readwrite");
  const schedules = transaction.objectStore("schedules");
  const decks = transaction.objectStore("decks");
  const { terms, favourites } = deck;
  const notes = await decks.get([accountId, componentId]);
  await Promise.all([
    ...(before ? [] : [schedules.delete(keysStartingWith(accountId, componentId))]),
    ...[...stored.keys()].map((cardId) => schedules.delete([accountId, componentId, cardId])),
    ...changedSchedules.map((schedule) => schedules.put({ accountId, componentId, cardId: schedule.cardId, schedule })),
    decks.put({ ...notes, accountId, componentId, terms, favourites }),
    transaction.objectStore("allowances").put({ accountId, allowance: deck.allowance }),
    transaction.done,
  ]);
}

export interface CardChange {
  cardId: string;
  /** Undefined if the card is new again. */
  schedule: Schedule | undefined;
  allowance: Allowance;
}

/** Stores the effect of one answer or its undo. */
export async function writeSchedule({ accountId, componentId }: DeckRef, change: CardChange): Promise<void> {
  const { cardId, schedule, allowance } = change;
  const transaction = (await open()).transaction(["schedules", "allowances"], "readwrite");
  const schedules = transaction.objectStore("schedules");
  await Promise.all([
    schedule
      ? schedules.put({ accountId, componentId, cardId, schedule })
      : schedules.delete([accountId, componentId, cardId]),
    transaction.objectStore("allowances").put({ accountId, allowance }),
    transaction.done,
  ]);
}

/** Moves the cached schedules of cards that moved to another deck. */
export async function moveSchedules(
  { accountId, componentId }: DeckRef,
  to: string,
  cardIds: ReadonlySet<string>,
): Promise<void> {
  const transaction = (await open()).transaction(["decks", "schedules"], "readwrite");
  const [schedules, decks] = [transaction.objectStore("schedules"), transaction.objectStore("decks")];
  const found = await schedules.getAll(keysStartingWith(accountId, componentId));
  const target = { accountId, componentId: to };
  const known = await decks.get([accountId, to]);
  await Promise.all([
    ...found
      .filter(({ cardId }) => cardIds.has(cardId))
      .flatMap(({ cardId, schedule }) => [
        schedules.put({ ...target, cardId, schedule: { ...schedule, componentId: to } }),
        schedules.delete([accountId, componentId, cardId]),
      ]),
    ...(known ? [] : [decks.put(target)]),
    transaction.done,
  ]);
}

/** The best times of matching rounds on this device, and on the server when the deck was last loaded. */
export async function readBestMatches({ accountId, componentId }: DeckRef) {
  const stored = await withStorageTimeout((await open()).get("decks", [accountId, componentId]));
  return { onDevice: stored?.bestMatchMs, onServer: stored?.terms?.settings.bestMatchMs };
}

/** Stores a matching time if it is the best so far on this device. */
export async function writeBestMatch({ accountId, componentId }: DeckRef, ms: number): Promise<void> {
  const transaction = (await open()).transaction("decks", "readwrite");
  const stored = await transaction.store.get([accountId, componentId]);
  // A time does not create the cache entry of a deck that is not cached.
  if (stored && minDefined(stored.bestMatchMs, ms) === ms) await transaction.store.put({ ...stored, bestMatchMs: ms });
  await transaction.done;
}

/** When a deck was last prefetched; 0 if never. */
export async function readPrefetchedAt({ accountId, componentId }: DeckRef): Promise<number> {
  return (await (await open()).get("decks", [accountId, componentId]))?.keptAt ?? 0;
}

/** Records that a deck was prefetched, so that the next start of the app does not fetch it again at once. */
export async function recordPrefetch({ accountId, componentId }: DeckRef, keptAt: number): Promise<void> {
  const transaction = (await open()).transaction("decks", "readwrite");
  const stored = await transaction.store.get([accountId, componentId]);
  if (stored) await transaction.store.put({ ...stored, keptAt });
  await transaction.done;
}

/** Removes all cached study data of the account from this browser. */
export async function wipeStudyData(accountId: string): Promise<void> {
  const db = await open();
  const all = keysStartingWith(accountId);
  await Promise.all([db.delete("decks", all), db.delete("schedules", all), db.delete("allowances", all)]);
}
