import { Failure } from "#shared/contract/failure.ts";
import type { Change, ChangeEvent, SyncRequest, SyncType } from "#shared/sync/schema.ts";
import { waitForChange, readChanges } from "#api/store/account-changes.ts";
import type { UserCtx } from "#api/http/handler.ts";

const HEARTBEAT_MS = 15_000;
/** Streams end regularly so that clients reconnect and are authenticated again. */
const MAX_STREAM_MS = 5 * 60_000;
const MAX_STREAMS = 30;

const openStreams = new Map<string, number>();

type Kind = Change["kind"];

/** What other browsers must refresh after each request type; undefined if nothing. */
const changeKinds: { readonly [K in SyncType]: Kind | undefined } = {
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
function affectedPages({ type, data }: SyncRequest): string[] {
  if (type === "component_create") return [data.parentId];
  if (type === "component_move") return [data.fromPageId, data.toPageId];
  return type === "component_image_upload" || type === "component_video_upload" ? [data.pageId] : [];
}

/** Opening a page changes only `lastOpened`, which other browsers do not show. */
const isOpenOnly = ({ type, data }: SyncRequest) =>
  type === "page_update" && Object.keys(data).every((key) => key === "lastOpened");

/** The notification for other browsers; undefined if nothing visible changed. */
export function toChange(request: SyncRequest, conflict: boolean): Change | undefined {
  const kind = changeKinds[request.type];
  if (!kind || isOpenOnly(request)) return undefined;
  const ids = kind === "study" ? [] : [...affectedPages(request), request.resourceId];
  return { kind, ids, requestId: request.id, ...(conflict ? { conflict } : {}) };
}

/** Streams the account's changes after a sequence number, then new ones. */
export async function* followAccountChanges(
  { caller, own, signal }: UserCtx,
  after: number | undefined,
): AsyncGenerator<ChangeEvent> {
  const count = openStreams.get(caller.userId) ?? 0;
  if (count >= MAX_STREAMS) throw new Failure("too_many_requests", "too_many_browsers");
  openStreams.set(caller.userId, count + 1);
  try {
    const initial = await readChanges(own, after);
    yield toChangeEvent(initial);
    const endsAtMs = performance.now() + MAX_STREAM_MS;
    let { seq } = initial;
    let heartbeatAt = performance.now() + HEARTBEAT_MS;
    while (!signal.aborted && performance.now() < endsAtMs) {
      await waitForChange(own, signal);
      if (signal.aborted) return;
      const update = await readChanges(own, seq);
      if (update.seq !== seq) yield toChangeEvent(update);
      else if (performance.now() >= heartbeatAt) yield { type: "beat", seq };
      else continue;
      seq = update.seq;
      heartbeatAt = performance.now() + HEARTBEAT_MS;
    }
  } finally {
    const remainingStreams = (openStreams.get(caller.userId) ?? 1) - 1;
    if (remainingStreams === 0) openStreams.delete(caller.userId);
    else openStreams.set(caller.userId, remainingStreams);
  }
}

const toChangeEvent = ({ seq, changes }: Awaited<ReturnType<typeof readChanges>>): ChangeEvent => ({
  type: "changes",
  seq,
  changes: changes ?? [{ kind: "everything", ids: [] }],
});
