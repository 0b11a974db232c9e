import type { Outcome } from "./settle.ts";
import type { StoredRequest } from "./store.ts";

/** An outcome as screens hear it: `content` is what they have to show instead of what they show. */
export interface ToldOutcome extends Outcome {
  /** What the server said it holds, where that is not what was sent. */
  held?: Record<string, unknown>;
  /** The version that what screens show from now on is made from; not told while they show something older. */
  shownVersion?: number;
}

/** `isSentHere`: by this tab, so that no other has to do what has to be done once. */
export type OutcomeListener = (outcomes: readonly ToldOutcome[], isSentHere: boolean) => void;

/** What tabs tell each other: the queue on disk has changed, and what the server said meanwhile. */
export interface TabMessage {
  accountId: string;
  outcomes: Outcome[];
}

export interface TabChannel {
  post(message: TabMessage): void;
  listen(heard: (message: TabMessage) => void): () => void;
}

interface Queue {
  before: readonly StoredRequest[];
  after: readonly StoredRequest[];
  /** Requests that this tab's screens show. */
  shown: ReadonlySet<string>;
}

const contentIn = ({ type, data }: StoredRequest["request"]): Record<string, unknown> | undefined =>
  type === "component_content_update" ? data.newContent : undefined;

interface News {
  content?: Record<string, unknown>;
  shownVersion?: number;
}

const newsWith = (content: News["content"], shownVersion: number | undefined): News => ({
  ...(content ? { content } : {}),
  ...(shownVersion === undefined ? {} : { shownVersion }),
});

/**
 * What another tab wrote, or the server merged, is news; what this tab has unsaved stays on its screen. A screen learns
 * a version only with what that version holds: an edit that claimed a later one would take others' cards away.
 */
function newsOf(resourceId: string, here: readonly Outcome[], { before, after, shown }: Queue): News {
  const isMine = ({ request }: StoredRequest) =>
    request.resourceId === resourceId && contentIn(request) !== undefined && shown.has(request.id);
  const isTaken = ({ request, content, isTakenFurther }: Outcome) =>
    content === undefined && !isTakenFurther && shown.has(request.id) && request.type !== "card_standing";
  const taken = here.findLast(isTaken)?.version;
  const unsaved = after.findLast(isMine);
  if (unsaved) {
    const content = contentIn(unsaved.request);
    const old = before.find((item) => item.request.id === unsaved.request.id);
    if (!old || JSON.stringify(contentIn(old.request)) === JSON.stringify(content)) return newsWith(undefined, taken);
    return newsWith(content, unsaved.basedOn === null ? unsaved.request.baseVersion : undefined);
  }
  const isNews = (outcome: Outcome) =>
    outcome.content !== undefined || (contentIn(outcome.request) !== undefined && !isTaken(outcome));
  const last = here.at(-1);
  if (!last || !here.some(isNews)) return newsWith(undefined, taken);
  const content = last.content ?? contentIn(last.request);
  return newsWith(content, content ? last.version : taken);
}

/** Outcomes for the screens of one tab: of several contents of one thing the last says what to show. */
export function tellOutcomes(outcomes: readonly Outcome[], queue: Queue): ToldOutcome[] {
  return outcomes.map((outcome) => {
    const { content: held, ...rest } = outcome;
    const { resourceId } = outcome.request;
    const here = outcomes.filter((o) => o.request.resourceId === resourceId && o.version !== undefined);
    const news = here.at(-1) === outcome ? newsOf(resourceId, here, queue) : {};
    return { ...rest, ...(held ? { held } : {}), ...news };
  });
}
