import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { utcDay } from "#shared/user/days.ts";
import {
  defaultSchedulingInput,
  readCachedDeck,
  writeCachedDeck,
  type Allowance,
  type SchedulingInput,
  type CachedDeck,
} from "./cached-decks.ts";
import { advance, inReviewOrder, type StudyParams } from "../rules.ts";
import type { Review, Schedule } from "../schema.ts";

/** How long unsent answers may take before the deck is fetched without them. */
const FLUSH_MS = 3000;

/** The account, its unsent changes, and the clock. */
export interface DeckContext {
  accountId(): string | undefined;
  /** The page with unsaved changes. Before it has loaded, `unsaved` may lack changes that are stored on disk. */
  loadPage(pageId: string): Promise<PageState>;
  unsaved(): readonly SyncRequest[];
  flush(): Promise<void>;
  now(): number;
  /** The scheduling parameters of a deck. */
  paramsOf(terms: Pick<SchedulingInput, "settings" | "weights">): StudyParams;
  /** Logs a problem that the student need not see. */
  logProblem(message: string, error: unknown): void;
}

export interface LoadedDeck extends CachedDeck {
  state: PageState;
  /** Whether the deck is from the cache, because the server was not reached. */
  isCached: boolean;
}

type ServerSchedules = { schedules: Schedule[] } & SchedulingInput & Omit<Allowance, "period">;

export interface DeckFetcher {
  pageId: string;
  componentId: string;
  fetchSchedules(): Promise<ServerSchedules>;
  fetchFavourites(): Promise<readonly string[]>;
}

/** A deck with the server's schedules and unsaved answers applied, or the cached copy. */
export async function loadDeck(source: DeckFetcher, context: DeckContext): Promise<LoadedDeck> {
  const { componentId } = source;
  const accountId = context.accountId();
  if (accountId === undefined) throw new Failure("signed_out", "sign_in");
  const ref = { accountId, componentId };
  const cached = await readCachedDeck(ref).catch((error: unknown) => {
    context.logProblem("Could not read the cached deck", error);
    return undefined;
  });
  const request = outcomeOf(source.fetchSchedules());
  const favourites = source.fetchFavourites().catch(() => cached?.favourites ?? []);
  const state = await context.loadPage(source.pageId);
  const response = await fetchAfterFlush(source, context, request);
  if ("schedules" in response) {
    const known = { ...withUnsaved(response, context, componentId, cached), favourites: await favourites };
    writeCachedDeck(ref, known, cached?.schedules).catch((error: unknown) =>
      context.logProblem("Could not cache a deck on this device", error),
    );
    return { state, ...known, isCached: false };
  }
  const { error } = response;
  const isUnreachable = error instanceof NoResponseError || (error instanceof Failure && error.status >= 500);
  if (cached && isUnreachable) return { state, ...cached, isCached: true };
  if (isUnsentDeck(context, componentId))
    return { state, ...withoutSchedules(context, cached), isCached: isUnreachable };
  throw error;
}

type Outcome = Promise<ServerSchedules | { error: unknown }>;
const outcomeOf = (request: Promise<ServerSchedules>): Outcome => request.catch((error: unknown) => ({ error }));

/** Flushes unsent answers and fetches the schedules again, because only the server can undo an answer exactly. */
async function fetchAfterFlush(
  source: DeckFetcher,
  context: DeckContext,
  request: Outcome,
): ReturnType<typeof outcomeOf> {
  if (unsentRequests(context, source.componentId).length === 0) return request;
  const first = await request;
  if ("error" in first) return first;
  await Promise.race([context.flush(), new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
  return outcomeOf(source.fetchSchedules());
}

const unsentRequests = (context: DeckContext, componentId: string) =>
  context
    .unsaved()
    .filter((request) => request.resourceId === componentId || isMoveInto(request, componentId))
    .filter(({ type }) => type === "review_add" || type === "review_undo" || type === "card_move");

const isMoveInto = ({ type, data }: SyncRequest, componentId: string) =>
  type === "card_move" && data.toComponentId === componentId;

const movedCards = ({ type, data }: SyncRequest) => (type === "card_move" ? data.cardIds : []);

/** A deck that was created here and has not reached the server has no schedules there. */
const isUnsentDeck = (context: DeckContext, componentId: string) =>
  context.unsaved().some((request) => request.type === "component_create" && request.resourceId === componentId);

function withoutSchedules(context: DeckContext, cached: CachedDeck | undefined): CachedDeck {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const allowance = { period: utcDay(context.now()), studiedToday: 0, dailyLimit: null, timezone };
  const { terms = defaultSchedulingInput, favourites = [] } = cached ?? {};
  return { schedules: [], allowance: cached?.allowance ?? allowance, terms, favourites };
}

const wasReviewedToday = ({ lastReviewedAt }: Schedule, now: number) => utcDay(lastReviewedAt ?? 0) === utcDay(now);

/** Applies unacknowledged answers to the server's schedules. */
function withUnsaved(
  { schedules: response, settings, weights, load, secondsPerReview, ...allowed }: ServerSchedules,
  context: DeckContext,
  componentId: string,
  cached: CachedDeck | undefined,
): Omit<CachedDeck, "favourites"> {
  const now = context.now();
  const terms = { settings, weights, load, secondsPerReview };
  const params = context.paramsOf(terms);
  const requests = unsentRequests(context, componentId);
  const undone = new Set(requests.flatMap(({ type, data }) => (type === "review_undo" ? data.reviewId : [])));
  const added = requests.flatMap(({ type, data }): Review[] => (type === "review_add" ? [data] : []));
  const schedules = new Map(response.map((schedule) => [schedule.cardId, schedule]));
  // If the server has an answer that must be undone, only the cache has the schedule before that answer.
  const isUndoPending = [...undone].some((reviewId) => !added.some((review) => review._id === reviewId));
  // Only the cache has the schedules of cards that were just moved here from another deck.
  const arrived = new Set(requests.flatMap((request) => (isMoveInto(request, componentId) ? movedCards(request) : [])));
  for (const schedule of cached?.schedules ?? [])
    if (isUndoPending || arrived.has(schedule.cardId)) schedules.set(schedule.cardId, schedule);
  const countedByServer = new Set(
    response.filter((schedule) => wasReviewedToday(schedule, now)).map(({ cardId }) => cardId),
  );
  const notCounted = new Set<string>();
  for (const review of inReviewOrder(added.filter(({ _id }) => !undone.has(_id)))) {
    const before = schedules.get(review.cardId);
    if ((before?.lastReviewedAt ?? -1) < review.reviewedAt)
      schedules.set(review.cardId, advance(before, review, params));
    if (utcDay(review.reviewedAt) === utcDay(now) && !countedByServer.has(review.cardId)) notCounted.add(review.cardId);
  }
  const allowance = { ...allowed, studiedToday: allowed.studiedToday + notCounted.size, period: utcDay(now) };
  return { schedules: [...schedules.values()], allowance, terms };
}
