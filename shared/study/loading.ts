import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { utcDay } from "#shared/user/rules.ts";
import { noTerms, readSchedules, writeSchedules, type Allowance, type DeckTerms, type KeptDeck } from "./kept-decks.ts";
import { advance, inOrder, type StudyParams } from "./rules.ts";
import type { Review, Schedule } from "./schema.ts";

/** How long unsent answers may take before the deck is fetched without them. */
const FLUSH_MS = 3000;

/** The account, its unsent changes, and the clock. */
export interface DeckDoor {
  accountId(): string | undefined;
  /** The page with unsaved changes; once it has loaded, changes stored on disk are known. */
  loadPage(pageId: string): Promise<PageState>;
  unsaved(): readonly SyncRequest[];
  flush(): Promise<void>;
  now(): number;
  /** The scheduling parameters of a deck. */
  paramsOf(terms: Pick<DeckTerms, "settings" | "weights">): StudyParams;
  /** Logs a problem that the student need not see. */
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

/** A deck with the server's schedules and unsaved answers applied, or the cached copy. */
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

/** Unsent answers are flushed first and the server is asked again: only it can undo an answer exactly. */
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

/** A deck that was created here and has not reached the server has no schedules there. */
const isMadeHere = (door: DeckDoor, componentId: string) =>
  door.unsaved().some((request) => request.type === "component_create" && request.resourceId === componentId);

function nothingStudied(door: DeckDoor, kept: KeptDeck | undefined): KeptDeck {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const allowance = { period: utcDay(door.now()), studiedToday: 0, dailyLimit: null, timezone };
  const { terms = noTerms, favourites = [] } = kept ?? {};
  return { schedules: [], allowance: kept?.allowance ?? allowance, terms, favourites };
}

const isOfToday = ({ lastReviewedAt }: Schedule, now: number) => utcDay(lastReviewedAt ?? 0) === utcDay(now);

/** Applies unacknowledged answers to the server's schedules. */
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
  // For an answer that the server has and is to undo, only the cache has the schedule before it.
  const isUndoUnheard = [...undone].some((reviewId) => !added.some((review) => review._id === reviewId));
  // Nor does the server have schedules of cards that were just moved here from another deck.
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
