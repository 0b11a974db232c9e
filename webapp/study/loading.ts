import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { advance, inOrder } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { applyToPage } from "#shared/sync/overlay.ts";
import { utcDay } from "#shared/user/rules.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import { readDeck, writeDeck, type Allowance, type CachedDeck } from "./cache.ts";
import { onlyForStudy, type DeckPage } from "./deck.ts";
import type { StudyDoor } from "./door.ts";

/** How long answers that are still on their way may take before the deck is asked for without them. */
const FLUSH_MS = 3000;

export interface Loaded extends CachedDeck {
  isFromDevice: boolean;
}

export interface DeckSource {
  pageId: string;
  componentId: string;
  fetchPage(): Promise<DeckPage>;
  fetchSchedules(): Promise<{ schedules: Schedule[] } & Omit<Allowance, "period">>;
}

/** A deck as the server has it with what is unsaved laid over it, or as this device kept it where no answer comes. */
export async function loadDeck(source: DeckSource, door: StudyDoor): Promise<Loaded> {
  const accountId = door.accountId();
  if (accountId === undefined) throw new Failure("signed_out", "Please sign in.");
  const names = { accountId, componentId: source.componentId };
  const kept = await readDeck(names).catch((error: unknown) => {
    logTrouble("What this device kept of a deck could not be read", error);
    return undefined;
  });
  if (waiting(door, source.componentId).length > 0) await Promise.race([door.flush(), after(FLUSH_MS)]);
  try {
    const loaded = await fromServer(source, door, kept);
    writeDeck(names, loaded).catch((error: unknown) => logTrouble("Failed to keep a deck on this device", error));
    return { ...loaded, isFromDevice: false };
  } catch (error) {
    const isUnreachable = error instanceof NoAnswer || (error instanceof Failure && error.status >= 500);
    if (!kept || !isUnreachable) throw error;
    return { ...kept, deckPage: withUnsaved(kept.deckPage, door, accountId), isFromDevice: true };
  }
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const waiting = (door: StudyDoor, componentId: string) =>
  door
    .unsaved()
    .filter((request) => request.resourceId === componentId)
    .filter((request) => request.type === "review_add" || request.type === "review_undo");

function withUnsaved(deckPage: DeckPage, door: StudyDoor, accountId: string): DeckPage {
  const { page, components } = deckPage;
  const shown = applyToPage(door.unsaved(), { accountId, pageId: page._id }, { page, components: [...components] });
  return { page: shown.page ?? page, components: shown.components };
}

async function fromServer(source: DeckSource, door: StudyDoor, kept: CachedDeck | undefined): Promise<CachedDeck> {
  const { componentId } = source;
  const [fetched, answer] = await Promise.all([source.fetchPage(), schedulesOf(source, door)]);
  const whole = withUnsaved(fetched, door, door.accountId() ?? "");
  const { schedules: told, ...allowed } = answer;
  const { schedules, isUnheard } = withWaiting(told, kept?.schedules ?? [], waiting(door, componentId));
  const now = door.now();
  const unheard = new Set(
    schedules.filter((one) => isUnheard(one.cardId) && isOfToday(one, now)).map((one) => one.cardId),
  );
  for (const one of told) if (isOfToday(one, now)) unheard.delete(one.cardId);
  const allowance = { ...allowed, studiedToday: allowed.studiedToday + unheard.size, period: utcDay(now) };
  return { deckPage: onlyForStudy(whole, componentId), schedules, allowance };
}

const isOfToday = ({ lastReviewedAt }: Schedule, now: number) => utcDay(lastReviewedAt ?? 0) === utcDay(now);

/** A deck that was made here and has not reached the server has no schedules there. */
async function schedulesOf(source: DeckSource, door: StudyDoor) {
  try {
    return await source.fetchSchedules();
  } catch (error) {
    const isMadeHere = door
      .unsaved()
      .some((request) => request.type === "component_create" && request.resourceId === source.componentId);
    if (!isMadeHere || !(error instanceof Failure) || error.code !== "not_found") throw error;
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    return { schedules: [], studiedToday: 0, dailyLimit: null, timezone };
  }
}

/** Lays answers that the server has not heard of over its schedules; a card whose undo it has not heard of is as kept. */
function withWaiting(told: readonly Schedule[], kept: readonly Schedule[], requests: ReturnType<typeof waiting>) {
  const schedules = new Map(told.map((schedule) => [schedule.cardId, schedule]));
  const undone = new Set(requests.flatMap((request) => (request.type === "review_undo" ? request.data.reviewId : [])));
  const added = requests.flatMap((request): Review[] => (request.type === "review_add" ? [request.data] : []));
  const touched = new Set(added.map((review) => review.cardId));
  const isUndoUnheard = [...undone].some((reviewId) => !added.some((review) => review._id === reviewId));
  if (isUndoUnheard) for (const schedule of kept) schedules.set(schedule.cardId, schedule);
  for (const review of inOrder(added.filter(({ _id }) => !undone.has(_id)))) {
    const before = schedules.get(review.cardId);
    if ((before?.lastReviewedAt ?? -1) < review.reviewedAt) schedules.set(review.cardId, advance(before, review));
  }
  return { schedules: [...schedules.values()], isUnheard: (cardId: string) => touched.has(cardId) };
}
