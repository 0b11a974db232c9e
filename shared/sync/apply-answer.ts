import type { SentReason } from "#shared/messages/reasons.ts";
import { DeckContent } from "#shared/flashcards/schema.ts";
import { completeBase, mergeDecks } from "#shared/pages/deck-merge.ts";
import { creatorOf } from "./batching.ts";
import type { SyncAnswer, SyncRequest } from "./schema.ts";
import { MAX_FAILED_FLUSHES } from "./timing.ts";
import type { ParkedReason, StoredRequest } from "./store.ts";

/** The result of one acknowledged request. */
export interface Outcome {
  request: SyncRequest;
  /** The component's version afterwards. */
  version?: number;
  /** Whether the request was not based on the text that it replaced; that text is then in the component's history. */
  conflict?: boolean;
  /** The component's content if it differs from what was sent. */
  content?: Record<string, unknown>;
  /** Where an uploaded file is. */
  location?: string;
  /** Whether the request contains merged changes of others, see `StoredRequest`. */
  isTakenFurther?: boolean;
}

/** What the answer or failure of a call changes in the queue. */
export interface CallEffect {
  put: StoredRequest[];
  remove: string[];
  outcomes: Outcome[];
  /** Requests that left the live queue in this flush for the first time, of which the student is notified. */
  justParked: StoredRequest[];
}

export type CallFailure = ParkedReason;

/** A failure as `send` may throw it: with a status if the server answered, without one if it was not reached. */
export function toCallFailure(thrown: unknown): CallFailure & { status: number | undefined } {
  const failure = thrown as ({ status?: unknown; code?: unknown; message?: unknown } & SentReason) | null;
  const status = typeof failure?.status === "number" ? failure.status : undefined;
  const isTransient = status === undefined || status === 408 || status === 429 || status >= 500;
  return {
    status,
    code: typeof failure?.code === "string" ? failure.code : "unreachable",
    message: typeof failure?.message === "string" ? failure.message : "",
    ...reasonIn(failure),
    kind: isTransient ? "network" : "refusal",
  };
}

/** Omits missing fields, because stored requests must not have undefined values. */
const reasonIn = (from: SentReason | null): SentReason => {
  const { reason, params } = from ?? {};
  return { ...(reason === undefined ? {} : { reason }), ...(params === undefined ? {} : { params }) };
};

function recordFailure(item: StoredRequest, failure: CallFailure): StoredRequest {
  const failedRounds = item.failedRounds + 1;
  // A request that came back from parking has used its five attempts, so the first failure parks it again.
  const isExhausted = failedRounds >= MAX_FAILED_FLUSHES || (item.parkedCount > 0 && failure.kind === "network");
  if (!isExhausted) return { ...item, failedRounds };
  const { code, message, kind } = failure;
  const parked = { kind, code, message, ...reasonIn(failure) };
  return { ...item, failedRounds: 0, parkedCount: item.parkedCount + 1, parked };
}

const withBaseVersion = (request: SyncRequest, version: number | undefined, newContent?: unknown): SyncRequest => {
  const { baseVersion: _old, ...rest } = request;
  const data = newContent === undefined ? request.data : { ...request.data, newContent };
  return { ...rest, data, ...(version === undefined ? {} : { baseVersion: version }) } as SyncRequest;
};

/**
 * The content as a deck, if it has cards. Without this check any object would parse, because every field has a default.
 */
function deckOf(content: unknown): DeckContent | undefined {
  const hasCards = typeof content === "object" && content !== null && "cards" in content;
  return hasCards ? DeckContent.safeParse(content).data : undefined;
}

/** Rebases the next update on the acknowledged one, including cards that others added meanwhile. */
function rebase(item: StoredRequest, { request, version, content }: Outcome): StoredRequest {
  // The component existed already with another content, on which no edit here was based, so the next edit names no
  // base.
  if (content !== undefined && request.type === "component_create")
    return { ...item, basedOn: null, request: withBaseVersion(item.request, undefined) };
  if (content === undefined || request.type !== "component_content_update")
    return { ...item, basedOn: null, request: withBaseVersion(item.request, version ?? item.request.baseVersion) };
  const [sent, theirs] = [deckOf(request.data.newContent), deckOf(content)];
  const own = deckOf((item.request.data as { newContent?: unknown }).newContent);
  const rebased = sent && theirs && own ? mergeDecks(completeBase(sent), own, theirs) : undefined;
  // If both changed the same card, the server must detect the conflict, so that this version is shown and the other
  // goes into the history.
  if (!rebased || rebased.conflict)
    return { ...item, basedOn: null, request: withBaseVersion(item.request, request.baseVersion) };
  return {
    ...item,
    basedOn: null,
    isTakenFurther: true,
    request: withBaseVersion(item.request, version, rebased.content),
  };
}

/** Gives requests that are based on the dropped request its base, because the dropped request will not be applied. */
export function rebaseDependents(items: readonly StoredRequest[], dropped: StoredRequest): StoredRequest[] {
  return items
    .filter((i) => i.basedOn === dropped.request.id)
    .map((i) => ({ ...i, basedOn: dropped.basedOn, request: withBaseVersion(i.request, dropped.request.baseVersion) }));
}

/** Collects changes to stored requests; later steps see earlier ones. */
function trackChanges(items: readonly StoredRequest[]) {
  const itemsById = new Map(items.map((i) => [i.request.id, i]));
  const changed = new Set<string>();
  return {
    itemsById,
    put: (item: StoredRequest) => {
      itemsById.set(item.request.id, item);
      changed.add(item.request.id);
    },
    changes: () => [...itemsById.values()].filter((i) => changed.has(i.request.id)),
  };
}

function failAll(items: readonly StoredRequest[], failures: ReadonlyMap<string, CallFailure>): CallEffect {
  const { itemsById, put, changes } = trackChanges(items);
  const justParked: StoredRequest[] = [];
  for (const [id, failure] of failures) {
    const item = itemsById.get(id);
    if (!item) continue;
    const after = recordFailure(item, failure);
    put(after);
    if (after.parked === null) continue;
    if (item.parkedCount === 0 || failure.kind === "refusal") justParked.push(after);
    if (failure.kind === "refusal" && item.request.type === "component_content_update")
      for (const next of rebaseDependents([...itemsById.values()], after)) put(next);
  }
  return { put: changes(), remove: [], outcomes: [], justParked };
}

/** Applies an answer to the queue. Only acknowledged requests leave the queue. */
export function applyAnswer(items: readonly StoredRequest[], sent: readonly string[], answer: SyncAnswer): CallEffect {
  const acknowledged = new Set(answer.success.filter((id) => sent.includes(id)));
  const outcomes = items.filter((i) => acknowledged.has(i.request.id)).map((i) => outcomeOf(i, answer));
  const remaining = trackChanges(items.filter((i) => !acknowledged.has(i.request.id)));
  for (const outcome of outcomes)
    for (const item of remaining.itemsById.values())
      if (item.basedOn === outcome.request.id) remaining.put(rebase(item, outcome));
  const failures = new Map<string, CallFailure>();
  for (const id of sent) {
    const item = remaining.itemsById.get(id);
    // This does not count as a failure, because a resource that the request needs does not exist yet.
    if (!item || creatorOf(item, [...remaining.itemsById.values()])) continue;
    const result = answer.failed.find((f) => f.id === id);
    const { code, message, retriable } = result ?? { code: "no_answer", message: "", retriable: true };
    failures.set(id, { code, message, ...reasonIn(result ?? null), kind: retriable ? "network" : "refusal" });
  }
  const failed = failAll([...remaining.itemsById.values()], failures);
  const put = new Map([...remaining.changes(), ...failed.put].map((i) => [i.request.id, i]));
  return { put: [...put.values()], remove: [...acknowledged], outcomes, justParked: failed.justParked };
}

function outcomeOf({ request, isTakenFurther }: StoredRequest, answer: SyncAnswer): Outcome {
  const result = answer.versions.find((v) => v.requestId === request.id);
  const parcel = answer.parcels.find((p) => p.requestId === request.id);
  const parcelContent = parcel?.content as Record<string, unknown> | undefined;
  const content = result?.content ?? parcelContent;
  return {
    request,
    ...(result ? { version: result.version, conflict: result.conflict } : {}),
    ...(content ? { content } : {}),
    ...(parcel ? { location: parcel.location } : {}),
    ...(isTakenFurther ? { isTakenFurther } : {}),
  };
}

/** Applies the failure of a whole call. Its requests stay queued, and each counts one more failure. */
export function applyFailure(
  items: readonly StoredRequest[],
  sent: readonly string[],
  failure: CallFailure,
): CallEffect {
  return failAll(items, new Map(sent.map((id) => [id, failure])));
}
