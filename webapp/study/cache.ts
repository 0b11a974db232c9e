import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Schedule } from "#shared/study/schema.ts";
import type { DeckPage } from "./deck.ts";

/** What the plan still allowed on a day, and where the student's day begins. */
export interface Allowance {
  /** The UTC day that the count is of. */
  period: string;
  studiedToday: number;
  dailyLimit: number | null;
  timezone: string;
}

interface Names {
  accountId: string;
  componentId: string;
}

interface Studied extends DBSchema {
  decks: { key: [string, string]; value: Names & { deckPage: DeckPage } };
  schedules: { key: [string, string, string]; value: Names & { cardId: string; schedule: Schedule } };
  allowances: { key: string; value: { accountId: string; allowance: Allowance } };
}

export interface CachedDeck {
  deckPage: DeckPage;
  schedules: Schedule[];
  allowance: Allowance;
}

let opening: Promise<IDBPDatabase<Studied>> | undefined;

function database(): Promise<IDBPDatabase<Studied>> {
  opening ??= openDB<Studied>("lamplight-study", 1, {
    upgrade(made) {
      made.createObjectStore("decks", { keyPath: ["accountId", "componentId"] });
      made.createObjectStore("schedules", { keyPath: ["accountId", "componentId", "cardId"] });
      made.createObjectStore("allowances", { keyPath: "accountId" });
    },
    terminated() {
      opening = undefined;
    },
  }).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** Every card of a deck, whatever its id. */
const cardsOf = ({ accountId, componentId }: Names) =>
  IDBKeyRange.bound([accountId, componentId], [accountId, componentId, []]);

/** The deck as this device saw it last; undefined where it never did. */
export async function readDeck({ accountId, componentId }: Names): Promise<CachedDeck | undefined> {
  const db = await database();
  const deck = await db.get("decks", [accountId, componentId]);
  const allowed = await db.get("allowances", accountId);
  if (!deck || !allowed) return undefined;
  const found = await db.getAll("schedules", cardsOf({ accountId, componentId }));
  return { deckPage: deck.deckPage, schedules: found.map((one) => one.schedule), allowance: allowed.allowance };
}

/** Replaces what was known of the deck. */
export async function writeDeck({ accountId, componentId }: Names, cached: CachedDeck): Promise<void> {
  const db = await database();
  const step = db.transaction(["decks", "schedules", "allowances"], "readwrite");
  const schedules = step.objectStore("schedules");
  await schedules.delete(cardsOf({ accountId, componentId }));
  await Promise.all([
    step.objectStore("decks").put({ accountId, componentId, deckPage: cached.deckPage }),
    step.objectStore("allowances").put({ accountId, allowance: cached.allowance }),
    ...cached.schedules.map((schedule) => schedules.put({ accountId, componentId, cardId: schedule.cardId, schedule })),
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
export async function writeCard({ accountId, componentId }: Names, change: CardChange): Promise<void> {
  const { cardId, schedule, allowance } = change;
  const db = await database();
  const step = db.transaction(["schedules", "allowances"], "readwrite");
  const schedules = step.objectStore("schedules");
  await Promise.all([
    schedule
      ? schedules.put({ accountId, componentId, cardId, schedule })
      : schedules.delete([accountId, componentId, cardId]),
    step.objectStore("allowances").put({ accountId, allowance }),
    step.done,
  ]);
}

/** The last step of signing out. */
export async function forgetDecks(): Promise<void> {
  const db = await database();
  await Promise.all([db.clear("decks"), db.clear("schedules"), db.clear("allowances")]);
}
