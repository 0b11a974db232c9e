import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { utcDay } from "#shared/user/rules.ts";
import { noTerms, readSchedules, writeSchedules, type Allowance, type DeckTerms, type KeptDeck } from "./kept-decks.ts";
import { advance, inOrder, type StudyParams } from "./rules.ts";
import type { Review, Schedule } from "./schema.ts";

/** How long answers that are still on their way may take before the deck is asked for without them. */
const FLUSH_MS = 3000;

/** Whose decks they are, what waits to be sent, and the time. */
export interface DeckDoor {
  accountId(): string | undefined;
  /** The page as the student left it; what lies on disk from before is known once it has come. */
  loadPage(pageId: string): Promise<PageState>;
  unsaved(): readonly SyncRequest[];
  flush(): Promise<void>;
  now(): number;
  /** By what a deck's cards are scheduled. */
  paramsOf(terms: Pick<DeckTerms, "settings" | "weights">): StudyParams;
  /** Told of what is nobody's business on the screen. */
  trouble(message: string, error: unknown): void;
}

export interface Loaded extends KeptDeck {
  state: PageState;
  /** The server was not reached. */
  isFromDevice: boolean;
}

type Told = { schedules: Schedule[] } & DeckTerms & Omit<Allowance, "period">;

export interface DeckSource {
  pageId: string;
  componentId: string;
  fetchSchedules(): Promise<Told>;
  fetchFavourites(): Promise<readonly string[]>;
}

/** A deck with its schedules as the server has them and what is unsaved laid over, or as this device kept them. */
export async function loadDeck(source: DeckSource, door: DeckDoor): Promise<Loaded> {
  const { componentId } = source;
  const accountId = door.accountId();
  if (accountId === undefined) throw new Failure("signed_out", "sign_in");
  const names = { accountId, componentId };
  const kept = await readSchedules(names).catch((error: unknown) => {
    door.trouble("What this device kept of a deck could not be read", error);
    return undefined;
  });
  const asked = outcomeOf(source.fetchSchedules());
  const marks = source.fetchFavourites().catch(() => kept?.favourites ?? []);
  const state = await door.loadPage(source.pageId);
  const told = await toldBy(source, door, asked);
  if ("schedules" in told) {
    const known = { ...withUnsaved(told, door, componentId, kept), favourites: await marks };
    writeSchedules(names, known, kept?.schedules).catch((error: unknown) =>
      door.trouble("Failed to keep a deck on this device", error),
    );
    return { state, ...known, isFromDevice: false };
  }
  const { error } = told;
  const isUnreachable = error instanceof NoAnswer || (error instanceof Failure && error.status >= 500);
  if (kept && isUnreachable) return { state, ...kept, isFromDevice: true };
  if (isMadeHere(door, componentId)) return { state, ...nothingStudied(door, kept), isFromDevice: isUnreachable };
  throw error;
}

type Outcome = Promise<Told | { error: unknown }>;
const outcomeOf = (asked: Promise<Told>): Outcome => asked.catch((error: unknown) => ({ error }));

/** With answers on their way the server is asked once they have arrived: it takes back better than this device can. */
async function toldBy(source: DeckSource, door: DeckDoor, asked: Outcome): ReturnType<typeof outcomeOf> {
  if (waiting(door, source.componentId).length === 0) return asked;
  const first = await asked;
  if ("error" in first) return first;
  await Promise.race([door.flush(), new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
  return outcomeOf(source.fetchSchedules());
}

const waiting = (door: DeckDoor, componentId: string) =>
  door
    .unsaved()
    .filter((request) => request.resourceId === componentId || isMoveTo(request, componentId))
    .filter(({ type }) => type === "review_add" || type === "review_undo" || type === "card_move");

const isMoveTo = ({ type, data }: SyncRequest, componentId: string) =>
  type === "card_move" && data.toComponentId === componentId;

const cardsOf = ({ type, data }: SyncRequest) => (type === "card_move" ? data.cardIds : []);

/** A deck that was made here and has not reached the server has no schedules there. */
const isMadeHere = (door: DeckDoor, componentId: string) =>
  door.unsaved().some((request) => request.type === "component_create" && request.resourceId === componentId);

function nothingStudied(door: DeckDoor, kept: KeptDeck | undefined): KeptDeck {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const allowance = { period: utcDay(door.now()), studiedToday: 0, dailyLimit: null, timezone };
  const { terms = noTerms, favourites = [] } = kept ?? {};
  return { schedules: [], allowance: kept?.allowance ?? allowance, terms, favourites };
}

const isOfToday = ({ lastReviewedAt }: Schedule, now: number) => utcDay(lastReviewedAt ?? 0) === utcDay(now);

/** Lays answers that the server has not heard of over what it told. */
function withUnsaved(
  { schedules: told, settings, weights, load, secondsPerReview, ...allowed }: Told,
  door: DeckDoor,
  componentId: string,
  kept: KeptDeck | undefined,
): Omit<KeptDeck, "favourites"> {
  const now = door.now();
  const terms = { settings, weights, load, secondsPerReview };
  const params = door.paramsOf(terms);
  const requests = waiting(door, componentId);
  const undone = new Set(requests.flatMap(({ type, data }) => (type === "review_undo" ? data.reviewId : [])));
  const added = requests.flatMap(({ type, data }): Review[] => (type === "review_add" ? [data] : []));
  const schedules = new Map(told.map((schedule) => [schedule.cardId, schedule]));
  // Only this device knows what a card was before an answer that the server has and is to forget.
  const isUndoUnheard = [...undone].some((reviewId) => !added.some((review) => review._id === reviewId));
  // Nor has the server heard of cards that came here from another deck.
  const arrived = new Set(requests.flatMap((one) => (isMoveTo(one, componentId) ? cardsOf(one) : [])));
  for (const schedule of kept?.schedules ?? [])
    if (isUndoUnheard || arrived.has(schedule.cardId)) schedules.set(schedule.cardId, schedule);
  const countedByServer = new Set(told.filter((one) => isOfToday(one, now)).map((one) => one.cardId));
  const unheard = new Set<string>();
  for (const review of inOrder(added.filter(({ _id }) => !undone.has(_id)))) {
    const before = schedules.get(review.cardId);
    if ((before?.lastReviewedAt ?? -1) < review.reviewedAt)
      schedules.set(review.cardId, advance(before, review, params));
    if (utcDay(review.reviewedAt) === utcDay(now) && !countedByServer.has(review.cardId)) unheard.add(review.cardId);
  }
  const allowance = { ...allowed, studiedToday: allowed.studiedToday + unheard.size, period: utcDay(now) };
  return { schedules: [...schedules.values()], allowance, terms };
}
