import type { Outcome } from "./apply-answer.ts";
import type { StoredRequest } from "./store.ts";

/** An outcome for screens: `content` replaces what they show. */
export interface ClientOutcome extends Outcome {
  /** The server's content if it differs from what was sent. */
  serverContent?: Record<string, unknown>;
  /** Base version for the next edit; omitted while the screen shows an older content. */
  shownVersion?: number;
}

/** `isSentByThisTab` lets one-time follow-ups run only in the tab that sent the request. */
export type OutcomeListener = (outcomes: readonly ClientOutcome[], isSentByThisTab: boolean) => void;

/** Message between tabs: the queue on disk has changed, with the outcomes received. */
export interface TabMessage {
  accountId: string;
  outcomes: Outcome[];
}

export interface TabChannel {
  post(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): () => void;
}

interface QueueState {
  before: readonly StoredRequest[];
  after: readonly StoredRequest[];
  /** Requests that this tab's screens show. */
  shown: ReadonlySet<string>;
}

const contentIn = ({ type, data }: StoredRequest["request"]): Record<string, unknown> | undefined =>
  type === "component_content_update" ? data.newContent : undefined;

interface ScreenUpdate {
  content?: Record<string, unknown>;
  shownVersion?: number;
}

const screenUpdate = (content: ScreenUpdate["content"], shownVersion: number | undefined): ScreenUpdate => ({
  ...(content ? { content } : {}),
  ...(shownVersion === undefined ? {} : { shownVersion }),
});

/**
 * Content that another tab wrote or the server merged replaces the screen's content, but never this tab's unsaved
 * changes. A screen gets a version only together with that version's content, because an edit that claimed a later base
 * would delete others' cards.
 */
function screenUpdateFor(
  resourceId: string,
  sameResource: readonly Outcome[],
  { before, after, shown }: QueueState,
): ScreenUpdate {
  const isUnsavedHere = ({ request }: StoredRequest) =>
    request.resourceId === resourceId && contentIn(request) !== undefined && shown.has(request.id);
  const isAlreadyShown = ({ request, content, isTakenFurther }: Outcome) =>
    content === undefined && !isTakenFurther && shown.has(request.id) && request.type !== "card_standing";
  const acknowledgedVersion = sameResource.findLast(isAlreadyShown)?.version;
  const unsaved = after.findLast(isUnsavedHere);
  if (unsaved) {
    const content = contentIn(unsaved.request);
    const old = before.find((item) => item.request.id === unsaved.request.id);
    if (!old || JSON.stringify(contentIn(old.request)) === JSON.stringify(content))
      return screenUpdate(undefined, acknowledgedVersion);
    return screenUpdate(content, unsaved.basedOn === null ? unsaved.request.baseVersion : undefined);
  }
  const hasNewContent = (outcome: Outcome) =>
    outcome.content !== undefined || (contentIn(outcome.request) !== undefined && !isAlreadyShown(outcome));
  const last = sameResource.at(-1);
  if (!last || !sameResource.some(hasNewContent)) return screenUpdate(undefined, acknowledgedVersion);
  const content = last.content ?? contentIn(last.request);
  return screenUpdate(content, content ? last.version : acknowledgedVersion);
}

/** Outcomes for the screens of one tab. If one resource has several contents, only the last is shown. */
export function toClientOutcomes(outcomes: readonly Outcome[], queue: QueueState): ClientOutcome[] {
  return outcomes.map((outcome) => {
    const { content: serverContent, ...rest } = outcome;
    const { resourceId } = outcome.request;
    const sameResource = outcomes.filter((o) => o.request.resourceId === resourceId && o.version !== undefined);
    const update = sameResource.at(-1) === outcome ? screenUpdateFor(resourceId, sameResource, queue) : {};
    return { ...rest, ...(serverContent ? { serverContent } : {}), ...update };
  });
}
