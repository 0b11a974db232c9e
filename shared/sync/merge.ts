import { groupBy } from "#shared/pages/rules.ts";
import type { SyncRequest, SyncRequestOf, SyncType } from "./schema.ts";
import type { StoredRequest } from "./store.ts";

/** Requests that set fields. The fields of an unsent request are merged into the next request. */
const fieldSetters: ReadonlySet<SyncType> = new Set<SyncType>(["page_update", "folder_update"]);
/** Requests that replace everything. An unsent request is dropped in favour of the next request. */
const replacers: ReadonlySet<SyncType> = new Set<SyncType>(["page_component_sort", "annotation_put"]);

/** Requests that are independent of everything queued and never merged. */
const independentTypes: ReadonlySet<SyncType> = new Set<SyncType>(["review_add", "review_undo"]);
export const isIndependent = ({ type }: Pick<SyncRequest, "type">): boolean => independentTypes.has(type);

const hasItems = ({ data }: SyncRequestOf<"folder_update">) =>
  data.items !== undefined || data.removedItemIds !== undefined;

/**
 * Whether merging a folder's earlier changes into later ones would lose some: both change the items, and the later ones
 * remove items or do not name all items of the earlier ones.
 */
function wouldLoseItems(earlier: SyncRequest, later: SyncRequest): boolean {
  if (earlier.type !== "folder_update" || later.type !== "folder_update") return false;
  if (!hasItems(earlier) || !hasItems(later)) return false;
  if (earlier.data.removedItemIds !== undefined || later.data.removedItemIds !== undefined) return true;
  const named = new Set(later.data.items?.map((item) => item.item_id));
  return earlier.data.items?.some((item) => !named.has(item.item_id)) === true;
}

const isContent = (type: SyncType) => type === "component_content_update" || type === "component_create";
const isUnsent = (item: StoredRequest) => item.sentCount === 0 && item.parked === null;

/** Merges several requests in order; the queued ones may belong to many resources. */
export function mergeAll(
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
    const queued = queues.get(request.resourceId) ?? [];
    const merged = mergeOne({ fresh: request, queued, known });
    const left = queued.filter((i) => !merged.remove.includes(i.request.id));
    queues.set(request.resourceId, merged.put ? [...left, merged.put] : left);
    // A request that was created and replaced within one step never reaches the disk.
    for (const id of merged.remove) if (!put.delete(id)) remove.push(id);
    if (merged.put) put.set(merged.put.request.id, merged.put);
    if (merged.put) known.add(merged.put.request.id);
    requests.push(merged.put?.request ?? request);
  }
  return { put: [...put.values()], remove, requests };
}

/** The effect of merging a request with those already queued for the same resource. */
export interface MergeResult {
  put: StoredRequest | null;
  remove: string[];
}

interface MergeInput {
  fresh: SyncRequest;
  /** Queued for the same resource, in order. */
  queued: readonly StoredRequest[];
  /** Requests whose effect was on screen when this request was made; requests of another tab may be missing. */
  known: ReadonlySet<string>;
}

const toStored = (request: SyncRequest, basedOn: string | null = null): StoredRequest => ({
  request,
  sentCount: 0,
  failedRounds: 0,
  parkedCount: 0,
  parked: null,
  basedOn,
});

/**
 * Keeps only the latest content update of a component, and no update if the component is also being deleted. Nothing is
 * merged into a request that was sent; the next request waits for its result, which becomes its base.
 */
function mergeOne({ fresh, queued, known }: MergeInput): MergeResult {
  if (fresh.type === "component_content_update") return mergeContent(fresh, queued, known);
  if (fresh.type === "component_delete") return mergeDelete(fresh, queued, known);
  const last = queued.findLast((i) => i.request.type === fresh.type);
  const isLastOfAll = last !== undefined && queued.at(-1) === last;
  if (!last || !isUnsent(last) || !known.has(last.request.id)) return { put: toStored(fresh), remove: [] };
  if (replacers.has(fresh.type)) return { put: toStored(fresh), remove: [last.request.id] };
  if (fieldSetters.has(fresh.type) && isLastOfAll && !wouldLoseItems(last.request, fresh)) {
    const data = { ...last.request.data, ...fresh.data };
    return { put: toStored({ ...fresh, data } as SyncRequest), remove: [last.request.id] };
  }
  return { put: toStored(fresh), remove: [] };
}

const isDeletion = ({ request, parked }: StoredRequest) =>
  request.type === "component_delete" && parked?.kind !== "refusal";

/** Requests that the screen may show. Requests before a deletion belong to the component that was deleted. */
const sinceDeletion = (queued: readonly StoredRequest[]) => queued.slice(queued.findLastIndex(isDeletion) + 1);

function mergeDelete(fresh: SyncRequest, queued: readonly StoredRequest[], known: ReadonlySet<string>): MergeResult {
  // Only the update that was on screen is dropped. Updates from another tab or before an undone deletion are sent, so
  // that they get into the history.
  const last = sinceDeletion(queued).findLast((i) => isContent(i.request.type));
  const isShown = last?.request.type === "component_content_update" && isUnsent(last) && known.has(last.request.id);
  return { put: toStored(fresh), remove: isShown ? [last.request.id] : [] };
}

/**
 * Whether a request keeps its own base, because its screen did not show the merged content of the queued request yet.
 */
function isBasedOnOlder(fresh: SyncRequest, { request, isTakenFurther }: StoredRequest): boolean {
  if (!isTakenFurther || fresh.baseVersion === undefined || request.baseVersion === undefined) return false;
  return fresh.baseVersion < request.baseVersion;
}

function mergeContent(
  fresh: SyncRequestOf<"component_content_update">,
  queued: readonly StoredRequest[],
  known: ReadonlySet<string>,
): MergeResult {
  const since = sinceDeletion(queued);
  const deletion = queued.findLast(isDeletion);
  const isRecreated = since.some((i) => i.request.type === "component_create");
  if (deletion && !isRecreated && known.has(deletion.request.id)) return { put: null, remove: [] };
  const before = since.findLast((i) => isContent(i.request.type) && i.parked?.kind !== "refusal");
  if (!before || !known.has(before.request.id) || isBasedOnOlder(fresh, before))
    return { put: toStored(fresh), remove: [] };
  if (before.request.type === "component_content_update" && isUnsent(before)) {
    const { baseVersion: _made, ...rest } = fresh;
    const { baseVersion } = before.request;
    const merged: SyncRequest = { ...rest, ...(baseVersion === undefined ? {} : { baseVersion }) };
    return { put: toStored(merged, before.basedOn), remove: [before.request.id] };
  }
  return { put: toStored(fresh, before.request.id), remove: [] };
}
