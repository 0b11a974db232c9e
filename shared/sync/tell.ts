import type { Outcome } from "./settle.ts";
import type { StoredRequest } from "./store.ts";

/** An outcome for screens: `content` replaces what they show. */
export interface ToldOutcome extends Outcome {
  /** The server's content if it differs from what was sent. */
  held?: Record<string, unknown>;
  /** Base version for the next edit; omitted while the screen shows an older content. */
  shownVersion?: number;
}

/** `isSentHere`: sent by this tab, so that one-time follow-ups run in one tab only. */
export type OutcomeListener = (outcomes: readonly ToldOutcome[], isSentHere: boolean) => void;

/** Message between tabs: the queue on disk has changed, with the outcomes received. */
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
 * What another tab wrote or the server merged replaces the screen's content, but never this tab's unsaved changes. A
 * screen gets a version only together with that version's content: an edit that claimed a later base would delete
 * others' cards.
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

/** Outcomes for the screens of one tab: of several contents of one resource the last one is shown. */
export function tellOutcomes(outcomes: readonly Outcome[], queue: Queue): ToldOutcome[] {
  return outcomes.map((outcome) => {
    const { content: held, ...rest } = outcome;
    const { resourceId } = outcome.request;
    const here = outcomes.filter((o) => o.request.resourceId === resourceId && o.version !== undefined);
    const news = here.at(-1) === outcome ? newsOf(resourceId, here, queue) : {};
    return { ...rest, ...(held ? { held } : {}), ...news };
  });
}
