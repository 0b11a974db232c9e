import type { DBSchema } from "idb";
import { openOnce } from "#shared/sync/open-once.ts";
import type { DeckSettings, Schedule } from "./schema.ts";

/** The remaining daily limit of the plan, and the time zone of the student's day. */
export interface Allowance {
  /** The UTC day of the count. */
  period: string;
  studiedToday: number;
  dailyLimit: number | null;
  timezone: string;
}

/** What scheduling a deck's cards depends on, besides their schedules. */
export interface DeckTerms {
  settings: DeckSettings;
  weights: readonly number[] | null;
  /** This student's average time per answer. */
  secondsPerReview?: number | undefined;
  /** Cards of all decks due on each study day, today first. */
  load: readonly number[];
}

export const noTerms: DeckTerms = {
  settings: { desiredRetention: null, examAt: null, minutesPerDay: null, examId: null },
  weights: null,
  load: [],
};

interface Names {
  accountId: string;
  componentId: string;
}

interface DeckNotes {
  terms?: DeckTerms;
  favourites?: readonly string[];
  /** When the whole deck was last prefetched, epoch ms. */
  keptAt?: number;
  /** Best time of a matching round on this device. */
  bestMatchMs?: number;
}

interface Studied extends DBSchema {
  /** Present if the deck's schedules are cached, even if there are none. */
  decks: { key: [string, string]; value: Names & DeckNotes };
  schedules: { key: [string, string, string]; value: Names & { cardId: string; schedule: Schedule } };
  allowances: { key: [string]; value: { accountId: string; allowance: Allowance } };
}

export interface KeptDeck {
  schedules: Schedule[];
  allowance: Allowance;
  terms: DeckTerms;
  /** Cards that the student starred. */
  favourites: readonly string[];
}

const open = openOnce<Studied>({
  name: "lamplight-study",
  steps: [
    (made) => {
      made.createObjectStore("decks", { keyPath: ["accountId", "componentId"] });
      made.createObjectStore("schedules", { keyPath: ["accountId", "componentId", "cardId"] });
      made.createObjectStore("allowances", { keyPath: ["accountId"] });
    },
  ],
});

/** Every key that starts with these parts. */
const under = (...parts: string[]) => IDBKeyRange.bound(parts, [...parts, []]);

/** The deck's cached schedules; undefined if it was never cached. */
export async function readSchedules({ accountId, componentId }: Names): Promise<KeptDeck | undefined> {
  const db = await open();
  const [deck, allowed, found] = await Promise.all([
    db.get("decks", [accountId, componentId]),
    db.get("allowances", [accountId]),
    db.getAll("schedules", under(accountId, componentId)),
  ]);
  if (!deck || !allowed) return undefined;
  const schedules = found.map((one) => one.schedule);
  const { terms = noTerms, favourites = [] } = deck;
  return { schedules, allowance: allowed.allowance, terms, favourites };
}

const isSame = (one: Schedule, other: Schedule | undefined): boolean =>
  other !== undefined && (Object.keys(one) as (keyof Schedule)[]).every((key) => one[key] === other[key]);

/** Replaces the cached deck; if it was read (`before`), only the differences are written. */
export async function writeSchedules(
  { accountId, componentId }: Names,
  kept: KeptDeck,
  before?: readonly Schedule[],
): Promise<void> {
  const held = new Map((before ?? []).map((schedule) => [schedule.cardId, schedule]));
  const other = kept.schedules.filter((schedule) => !isSame(schedule, held.get(schedule.cardId)));
  for (const { cardId } of kept.schedules) held.delete(cardId);
  const step = (await open()).transaction(["decks", "schedules", "allowances"], "readwrite");
  const schedules = step.objectStore("schedules");
  const decks = step.objectStore("decks");
  const { terms, favourites } = kept;
  const notes = await decks.get([accountId, componentId]);
  await Promise.all([
    ...(before ? [] : [schedules.delete(under(accountId, componentId))]),
    ...[...held.keys()].map((cardId) => schedules.delete([accountId, componentId, cardId])),
    ...other.map((schedule) => schedules.put({ accountId, componentId, cardId: schedule.cardId, schedule })),
    decks.put({ ...notes, accountId, componentId, terms, favourites }),
    step.objectStore("allowances").put({ accountId, allowance: kept.allowance }),
    step.done,
  ]);
}

export interface CardChange {
  cardId: string;
  /** Undefined if the card is new again. */
  schedule: Schedule | undefined;
  allowance: Allowance;
}

/** Stores the effect of one answer or its undo. */
export async function writeSchedule({ accountId, componentId }: Names, change: CardChange): Promise<void> {
  const { cardId, schedule, allowance } = change;
  const step = (await open()).transaction(["schedules", "allowances"], "readwrite");
  const schedules = step.objectStore("schedules");
  await Promise.all([
    schedule
      ? schedules.put({ accountId, componentId, cardId, schedule })
      : schedules.delete([accountId, componentId, cardId]),
    step.objectStore("allowances").put({ accountId, allowance }),
    step.done,
  ]);
}

/** Moves the cached schedules of cards that moved to another deck. */
export async function moveSchedules(
  { accountId, componentId }: Names,
  to: string,
  cardIds: ReadonlySet<string>,
): Promise<void> {
  const step = (await open()).transaction(["decks", "schedules"], "readwrite");
  const [schedules, decks] = [step.objectStore("schedules"), step.objectStore("decks")];
  const found = await schedules.getAll(under(accountId, componentId));
  const there = { accountId, componentId: to };
  const known = await decks.get([accountId, to]);
  await Promise.all([
    ...found
      .filter(({ cardId }) => cardIds.has(cardId))
      .flatMap(({ cardId, schedule }) => [
        schedules.put({ ...there, cardId, schedule: { ...schedule, componentId: to } }),
        schedules.delete([accountId, componentId, cardId]),
      ]),
    ...(known ? [] : [decks.put(there)]),
    step.done,
  ]);
}

/** Stores a matching time if it is the best so far; resolves to the previous best. */
export async function writeBestMatch({ accountId, componentId }: Names, ms: number): Promise<number | null> {
  const step = (await open()).transaction("decks", "readwrite");
  const held = await step.store.get([accountId, componentId]);
  const best = held?.bestMatchMs ?? null;
  // A deck that is not cached on this device is not created for this.
  if (held && (best === null || ms < best)) await step.store.put({ ...held, bestMatchMs: ms });
  await step.done;
  return best;
}

/** When a deck was last prefetched; 0 if never. */
export async function readKeptAt({ accountId, componentId }: Names): Promise<number> {
  return (await (await open()).get("decks", [accountId, componentId]))?.keptAt ?? 0;
}

/** Records that a deck was prefetched, so that the next start of the app does not fetch it again at once. */
export async function noteKept({ accountId, componentId }: Names, keptAt: number): Promise<void> {
  const step = (await open()).transaction("decks", "readwrite");
  const held = await step.store.get([accountId, componentId]);
  if (held) await step.store.put({ ...held, keptAt });
  await step.done;
}

/** Removes all cached study data of the account from this browser. */
export async function wipeSchedules(accountId: string): Promise<void> {
  const db = await open();
  const all = under(accountId);
  await Promise.all([db.delete("decks", all), db.delete("schedules", all), db.delete("allowances", all)]);
}
