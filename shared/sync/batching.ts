import type { SyncRequest, SyncType } from "./schema.ts";
import type { StoredRequest } from "./store.ts";

export interface ResourceGroup {
  resourceId: string;
  requests: SyncRequest[];
}

/** Limits of one call, well below the limits of the API. */
const MAX_BYTES_PER_CALL = 8 * 1024 * 1024;
export const MAX_REQUESTS_PER_CALL = 200;

/** The resource that a request creates, if any. */
function createdResource({ type, resourceId }: SyncRequest): string | undefined {
  const isCreation =
    type === "page_create" ||
    type === "component_create" ||
    type === "component_image_upload" ||
    type === "component_video_upload" ||
    type === "folder_create";
  return isCreation ? resourceId : undefined;
}

const independentOfOthers: ReadonlySet<SyncType> = new Set<SyncType>([
  "folder_create",
  "annotation_put",
  "annotation_delete",
  "review_undo",
]);

/** The resources that must exist for a request to be applied. */
function neededResources(request: SyncRequest): string[] {
  const { type, data, resourceId } = request;
  if (independentOfOthers.has(type)) return [];
  if (type === "page_create") return data.parent === null ? [] : [data.parent];
  if (type === "component_create") return [data.parentId];
  if (type === "component_move") return [resourceId, data.toPageId];
  if (type === "component_image_upload" || type === "component_video_upload") return [data.pageId];
  return type === "review_add" ? [data.componentId] : [resourceId];
}

/** The queued request, earlier than `item`, that creates a resource which `item` needs. */
export function creatorOf(item: StoredRequest, items: readonly StoredRequest[]): StoredRequest | undefined {
  const needed = neededResources(item.request);
  return items.find((i) => {
    const created = createdResource(i.request);
    return i.request.seq < item.request.seq && created !== undefined && needed.includes(created);
  });
}

/**
 * The requests that can be sent now, in order. Not sent are parked requests, requests already `tried` in this flush,
 * content updates whose base is not acknowledged, and requests that depend on a request that is not sent.
 */
export function pickSendable(items: readonly StoredRequest[], tried: ReadonlySet<string>): StoredRequest[] {
  const queued = new Set(items.map((i) => i.request.id));
  const blocked = new Set<string>();
  const sendable: StoredRequest[] = [];
  for (const item of items) {
    const { resourceId } = item.request;
    const needs = [resourceId, ...neededResources(item.request)];
    const isBlocked = needs.some((id) => blocked.has(id)) || (item.basedOn !== null && queued.has(item.basedOn));
    if (item.parked === null && !isBlocked && !tried.has(item.request.id)) {
      sendable.push(item);
      continue;
    }
    if (item.parked?.kind !== "refusal") blocked.add(resourceId);
    else if (createdResource(item.request) !== undefined) blocked.add(resourceId);
  }
  return sendable;
}

const encoder = new TextEncoder();
const countBytes = ({ request }: StoredRequest) => encoder.encode(JSON.stringify(request)).length;

/** The first requests that fit into one call; a large one goes alone. */
export function takeCall(sendable: readonly StoredRequest[], maxRequests: number): StoredRequest[] {
  const call: StoredRequest[] = [];
  let bytes = 0;
  for (const item of sendable.slice(0, maxRequests)) {
    bytes += countBytes(item);
    if (call.length > 0 && bytes > MAX_BYTES_PER_CALL) break;
    call.push(item);
  }
  return call;
}

/** Grouped by resource, each group in order, groups in the order of their first request. */
export function groupByResource(items: readonly StoredRequest[]): ResourceGroup[] {
  const groups = new Map<string, ResourceGroup>();
  for (const { request } of items.toSorted((a, b) => a.request.seq - b.request.seq)) {
    const group = groups.get(request.resourceId) ?? { resourceId: request.resourceId, requests: [] };
    group.requests.push(request);
    groups.set(request.resourceId, group);
  }
  return [...groups.values()];
}
