import { groupBy } from "#shared/pages/rules.ts";
import type { SyncRequest, SyncRequestOf, SyncType } from "./schema.ts";
import type { StoredRequest } from "./store.ts";

/** Requests that set fields: an unsent one gives its fields to the next. */
const fieldSetters: ReadonlySet<SyncType> = new Set<SyncType>(["page_update", "folder_update"]);
/** Requests that say everything anew: an unsent one is replaced by the next. */
const replacers: ReadonlySet<SyncType> = new Set<SyncType>(["page_component_sort", "annotation_put"]);

/** Requests that nothing queued is looked at for: each stands by itself, however many wait. */
const alone: ReadonlySet<SyncType> = new Set<SyncType>(["review_add", "review_undo"]);
export const standsAlone = ({ type }: Pick<SyncRequest, "type">): boolean => alone.has(type);

const isContent = (type: SyncType) => type === "component_content_update" || type === "component_create";
const isUnsent = (item: StoredRequest) => item.sentCount === 0 && item.parked === null;

/** Several requests, one after the other; the queued ones may be of many resources. */
export function joinAll(
  fresh: readonly SyncRequest[],
  items: readonly StoredRequest[],
  shown: ReadonlySet<string>,
): { put: StoredRequest[]; remove: string[]; requests: SyncRequest[] } {
  const known = new Set(shown);
  const queues = groupBy(items, (i) => i.request.resourceId);
  const put = new Map<string, StoredRequest>();
  const remove: string[] = [];
  const requests: SyncRequest[] = [];
  for (const request of fresh) {
    const same = queues.get(request.resourceId) ?? [];
    const joined = join({ fresh: request, same, known });
    const left = same.filter((i) => !joined.remove.includes(i.request.id));
    queues.set(request.resourceId, joined.put ? [...left, joined.put] : left);
    // What was made and replaced within one step never reaches the disk.
    for (const id of joined.remove) if (!put.delete(id)) remove.push(id);
    if (joined.put) put.set(joined.put.request.id, joined.put);
    if (joined.put) known.add(joined.put.request.id);
    requests.push(joined.put?.request ?? request);
  }
  return { put: [...put.values()], remove, requests };
}

/** What joining a request to those already queued for the same resource does. */
export interface Joined {
  put: StoredRequest | null;
  remove: string[];
}

interface Joining {
  fresh: SyncRequest;
  /** Queued for the same resource, in order. */
  same: readonly StoredRequest[];
  /** Requests whose effect the screen showed when this one was made; another tab's may be missing here. */
  known: ReadonlySet<string>;
}

const item = (request: SyncRequest, basedOn: string | null = null): StoredRequest => ({
  request,
  sentCount: 0,
  failedRounds: 0,
  parkedCount: 0,
  parked: null,
  basedOn,
});

/**
 * Only the latest content update of a component is kept, and none where the component is also being deleted; a request
 * that was sent is never merged into, the next one waits for its result and takes that as its base.
 */
function join({ fresh, same, known }: Joining): Joined {
  if (fresh.type === "component_content_update") return joinContent(fresh, same, known);
  if (fresh.type === "component_delete") return joinDelete(fresh, same, known);
  const last = same.findLast((i) => i.request.type === fresh.type);
  const isLastOfAll = last !== undefined && same.at(-1) === last;
  if (!last || !isUnsent(last) || !known.has(last.request.id)) return { put: item(fresh), remove: [] };
  if (replacers.has(fresh.type)) return { put: item(fresh), remove: [last.request.id] };
  if (fieldSetters.has(fresh.type) && isLastOfAll) {
    const data = { ...last.request.data, ...fresh.data };
    return { put: item({ ...fresh, data } as SyncRequest), remove: [last.request.id] };
  }
  return { put: item(fresh), remove: [] };
}

const isDeletion = ({ request, parked }: StoredRequest) =>
  request.type === "component_delete" && parked?.kind !== "refusal";

/** What may be what a screen shows: what waits from before a deletion is another text than what the deletion took away. */
const sinceDeletion = (same: readonly StoredRequest[]) => same.slice(same.findLastIndex(isDeletion) + 1);

function joinDelete(fresh: SyncRequest, same: readonly StoredRequest[], known: ReadonlySet<string>): Joined {
  // The one that was on the screen; what was written beside it or before it came back goes out, into the history.
  const last = sinceDeletion(same).findLast((i) => isContent(i.request.type));
  const isSeen = last?.request.type === "component_content_update" && isUnsent(last) && known.has(last.request.id);
  return { put: item(fresh), remove: isSeen ? [last.request.id] : [] };
}

/** Made on a screen that does not show yet what the queued one was given: it keeps its own base and goes by itself. */
function isBehind(fresh: SyncRequest, { request, isTakenFurther }: StoredRequest): boolean {
  if (!isTakenFurther || fresh.baseVersion === undefined || request.baseVersion === undefined) return false;
  return fresh.baseVersion < request.baseVersion;
}

function joinContent(
  fresh: SyncRequestOf<"component_content_update">,
  same: readonly StoredRequest[],
  known: ReadonlySet<string>,
): Joined {
  const since = sinceDeletion(same);
  const deletion = same.findLast(isDeletion);
  const isMadeAgain = since.some((i) => i.request.type === "component_create");
  if (deletion && !isMadeAgain && known.has(deletion.request.id)) return { put: null, remove: [] };
  const before = since.findLast((i) => isContent(i.request.type) && i.parked?.kind !== "refusal");
  if (!before || !known.has(before.request.id) || isBehind(fresh, before)) return { put: item(fresh), remove: [] };
  if (before.request.type === "component_content_update" && isUnsent(before)) {
    const { baseVersion: _made, ...rest } = fresh;
    const { baseVersion } = before.request;
    const merged: SyncRequest = { ...rest, ...(baseVersion === undefined ? {} : { baseVersion }) };
    return { put: item(merged, before.basedOn), remove: [before.request.id] };
  }
  return { put: item(fresh, before.request.id), remove: [] };
}
