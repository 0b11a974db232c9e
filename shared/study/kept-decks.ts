import type { DBSchema } from "idb";
import { openOnce } from "#shared/sync/open-once.ts";
import type { DeckSettings, Schedule } from "./schema.ts";

/** What the plan still allowed on a day, and where the student's day begins. */
export interface Allowance {
  /** The UTC day that the count is of. */
  period: string;
  studiedToday: number;
  dailyLimit: number | null;
  timezone: string;
}

/** What was told of a deck besides its schedules: by what they go on. */
export interface DeckTerms {
  settings: DeckSettings;
  weights: readonly number[] | null;
  /** Of this student, for one answer. */
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
  /** When all of it came here of itself, epoch ms. */
  keptAt?: number;
  /** The shortest time in which a round of matching was done here. */
  bestMatchMs?: number;
}

interface Studied extends DBSchema {
  /** Present where the deck's schedules are known, though there may be none. */
  decks: { key: [string, string]; value: Names & DeckNotes };
  schedules: { key: [string, string, string]; value: Names & { cardId: string; schedule: Schedule } };
  allowances: { key: [string]; value: { accountId: string; allowance: Allowance } };
}

export interface KeptDeck {
  schedules: Schedule[];
  allowance: Allowance;
  terms: DeckTerms;
  /** Cards that the student marked. */
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

/** Every key that begins with these parts, whatever follows. */
const under = (...parts: string[]) => IDBKeyRange.bound(parts, [...parts, []]);

/** The deck's schedules as this device knew them last; undefined where it never did. */
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

/** Replaces what was known of the deck; where that was read (`before`) only what differs is written. */
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
  /** Undefined where the card is new again. */
  schedule: Schedule | undefined;
  allowance: Allowance;
}

/** Keeps what one answer, or its undo, changed. */
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

/** What this device knows of cards that went to another deck goes there as well. */
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

/** Keeps a time of matching where it is the best so far; resolves to the best before it. */
export async function writeBestMatch({ accountId, componentId }: Names, ms: number): Promise<number | null> {
  const step = (await open()).transaction("decks", "readwrite");
  const held = await step.store.get([accountId, componentId]);
  const best = held?.bestMatchMs ?? null;
  // A deck that this device knows nothing else of is left unknown.
  if (held && (best === null || ms < best)) await step.store.put({ ...held, bestMatchMs: ms });
  await step.done;
  return best;
}

/** When a deck was brought here last; 0 where it never was. */
export async function readKeptAt({ accountId, componentId }: Names): Promise<number> {
  return (await (await open()).get("decks", [accountId, componentId]))?.keptAt ?? 0;
}

/** A deck was brought here: the next start of the app need not bring it again at once. */
export async function noteKept({ accountId, componentId }: Names, keptAt: number): Promise<void> {
  const step = (await open()).transaction("decks", "readwrite");
  const held = await step.store.get([accountId, componentId]);
  if (held) await step.store.put({ ...held, keptAt });
  await step.done;
}

/** Nothing of the account's studying stays in this browser. */
export async function wipeSchedules(accountId: string): Promise<void> {
  const db = await open();
  const all = under(accountId);
  await Promise.all([db.delete("decks", all), db.delete("schedules", all), db.delete("allowances", all)]);
}
