import type { Outcome } from "./settle.ts";
import type { StoredRequest } from "./store.ts";

/** An outcome as screens hear it: `content` is what they have to show instead of what they show. */
export interface ToldOutcome extends Outcome {
  /** What the server said it holds, where that is not what was sent. */
  held?: Record<string, unknown>;
}

interface Queue {
  before: readonly StoredRequest[];
  after: readonly StoredRequest[];
  /** Requests that this tab's screens show. */
  shown: ReadonlySet<string>;
}

const contentIn = ({ type, data }: StoredRequest["request"]): Record<string, unknown> | undefined =>
  type === "component_content_update" ? data.newContent : undefined;

/** What another tab wrote, or the server merged, is news; what this tab has unsaved stays on its screen. */
function newsOf(resourceId: string, here: readonly Outcome[], { before, after, shown }: Queue) {
  const isMine = ({ request }: StoredRequest) =>
    request.resourceId === resourceId && contentIn(request) !== undefined && shown.has(request.id);
  const unsaved = after.findLast(isMine);
  if (unsaved) {
    const content = contentIn(unsaved.request);
    const old = before.find((item) => item.request.id === unsaved.request.id);
    return old && JSON.stringify(contentIn(old.request)) !== JSON.stringify(content) ? content : undefined;
  }
  const isNews = ({ request, content }: Outcome) =>
    content !== undefined || (contentIn(request) !== undefined && !shown.has(request.id));
  const last = here.at(-1);
  return last && here.some(isNews) ? (last.content ?? contentIn(last.request)) : undefined;
}

/** Outcomes for the screens of one tab: of several contents of one thing the last says what to show. */
export function tellOutcomes(outcomes: readonly Outcome[], queue: Queue): ToldOutcome[] {
  return outcomes.map((outcome) => {
    const { content: held, ...rest } = outcome;
    const { resourceId } = outcome.request;
    const here = outcomes.filter((o) => o.request.resourceId === resourceId && o.version !== undefined);
    const content = here.at(-1) === outcome ? newsOf(resourceId, here, queue) : undefined;
    return { ...rest, ...(held ? { held } : {}), ...(content ? { content } : {}) };
  });
}
