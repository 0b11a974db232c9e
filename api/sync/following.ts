import { Failure } from "#shared/contract/failure.ts";
import type { Change, ChangeEvent, SyncRequest, SyncType } from "#shared/sync/schema.ts";
import { nextChange, readChanges } from "#api/store/changes.ts";
import type { UserCtx } from "#api/http/handler.ts";

const BEAT_MS = 15_000;
/** Streams end regularly so that clients reconnect and are authenticated again. */
const LONGEST_MS = 5 * 60_000;
const MAX_STREAMS = 30;

const open = new Map<string, number>();

type Kind = Change["kind"];

/** What other browsers must refresh after each request type; undefined if nothing. */
const kinds: { readonly [K in SyncType]: Kind | undefined } = {
  component_content_update: "content",
  card_standing: "content",
  card_move: "study",
  component_create: "page",
  component_delete: "page",
  component_move: "page",
  component_image_upload: "page",
  component_video_upload: "page",
  page_create: "page",
  page_delete: "page",
  page_update: "page",
  page_component_sort: "page",
  folder_create: "folders",
  folder_update: "folders",
  folder_delete: "folders",
  review_add: "study",
  review_undo: "study",
  annotation_put: undefined,
  annotation_delete: undefined,
};

/** Pages affected by a component change, as far as the request names them. */
function pagesIn({ type, data }: SyncRequest): string[] {
  if (type === "component_create") return [data.parentId];
  if (type === "component_move") return [data.fromPageId, data.toPageId];
  return type === "component_image_upload" || type === "component_video_upload" ? [data.pageId] : [];
}

/** Opening a page changes only `lastOpened`, which other browsers do not show. */
const isOpening = ({ type, data }: SyncRequest) =>
  type === "page_update" && Object.keys(data).every((key) => key === "lastOpened");

/** The notification for other browsers; undefined if nothing visible changed. */
export function changeOf(request: SyncRequest, conflict: boolean): Change | undefined {
  const kind = kinds[request.type];
  if (!kind || isOpening(request)) return undefined;
  const ids = kind === "study" ? [] : [...pagesIn(request), request.resourceId];
  return { kind, ids, requestId: request.id, ...(conflict ? { conflict } : {}) };
}

/** Streams the account's changes after a sequence number, then new ones. */
export async function* follow(
  { caller, own, signal }: UserCtx,
  after: number | undefined,
): AsyncGenerator<ChangeEvent> {
  const count = open.get(caller.userId) ?? 0;
  if (count >= MAX_STREAMS) throw new Failure("too_many_requests", "too_many_browsers");
  open.set(caller.userId, count + 1);
  try {
    const first = await readChanges(own, after);
    yield eventOf(first);
    const until = performance.now() + LONGEST_MS;
    let { seq } = first;
    let beatAt = performance.now() + BEAT_MS;
    while (!signal.aborted && performance.now() < until) {
      await nextChange(own, signal);
      if (signal.aborted) return;
      const news = await readChanges(own, seq);
      if (news.seq !== seq) yield eventOf(news);
      else if (performance.now() >= beatAt) yield { type: "beat", seq };
      else continue;
      seq = news.seq;
      beatAt = performance.now() + BEAT_MS;
    }
  } finally {
    const left = (open.get(caller.userId) ?? 1) - 1;
    if (left === 0) open.delete(caller.userId);
    else open.set(caller.userId, left);
  }
}

const eventOf = ({ seq, changes }: Awaited<ReturnType<typeof readChanges>>): ChangeEvent => ({
  type: "changes",
  seq,
  changes: changes ?? [{ kind: "everything", ids: [] }],
});
