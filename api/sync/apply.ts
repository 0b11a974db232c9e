import { Failure } from "#shared/contract/failure.ts";
import { SyncRequest, type Change, type SyncAnswer, type SyncType } from "#shared/sync/schema.ts";
import { InvalidDocumentError } from "#api/store/port.ts";
import type { Own } from "#api/store/owned-store.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { toKnownFailure, toStoreUnavailable } from "#api/store/store-failures.ts";
import { reasonOfIssue } from "#api/http/issue-reason.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { AppliedChange, SyncRow, SyncTable } from "./sync-table.ts";
import { findApplied, saveApplied } from "./store.ts";

interface DispatcherDeps {
  table: SyncTable<SyncType>;
  /** Called after a resource was deleted or archived. */
  onRemoved: (own: Own, resourceId: string, requestId: string) => Promise<void>;
}

/** Applies queued changes of an account; `rawRequests` are not validated yet. */
export type ApplyChanges = (ctx: UserCtx, rawRequests: readonly unknown[]) => Promise<SyncAnswer>;

/** The context of one call: the account, and how each type is applied. */
interface Dispatch extends DispatcherDeps {
  ctx: UserCtx;
}

/** The row of a request. The cast is safe, because the table has the row of `K` under the key `K`. */
const findRow = (table: SyncTable<SyncType>, { type }: SyncRequest) => table[type] as SyncRow<SyncType>;

type FailedRequest = SyncAnswer["failed"][number];

const emptyAnswer = (): SyncAnswer => ({ success: [], num_failed: 0, failed: [], parcels: [], versions: [] });

/**
 * Applies requests in client order and independently; after a retriable failure, later requests for the same resource
 * are held back.
 */
export const createDispatcher =
  (deps: DispatcherDeps): ApplyChanges =>
  (ctx, rawRequests) =>
    applyAll({ ...deps, ctx }, rawRequests);

async function applyAll(dispatch: Dispatch, rawRequests: readonly unknown[]): Promise<SyncAnswer> {
  const { ctx, table } = dispatch;
  const answer = emptyAnswer();
  const blockedResourceIds = new Set<string>();
  const inSequence = rawRequests.map(readRequest).toSorted(bySeq);
  const changes: Change[] = [];
  for (const [applyBatch, requests] of groupBatches(table, inSequence)) {
    for (const outcome of await applyTogether(ctx, requests, applyBatch)) {
      if ("code" in outcome) answer.failed.push(outcome);
      else answer.success.push(outcome.id);
    }
    changes.push(...requests.slice(0, 1).flatMap((request) => toChange(table, request, false) ?? []));
  }
  const others = inSequence.filter(({ request }) => !request || !("applyBatch" in findRow(table, request)));
  for (const run of groupRuns(table, others)) {
    for (const [request, outcome] of await applyRun(dispatch, run, blockedResourceIds)) {
      if ("code" in outcome) {
        answer.failed.push(outcome);
        if (outcome.retriable && request) blockedResourceIds.add(request.resourceId);
      } else {
        addToAnswer(answer, request, outcome);
        const change = request && toChange(table, request, outcome.conflict ?? false);
        if (change) changes.push(change);
      }
    }
  }
  throwIfStoreUnavailable(answer);
  await notifyOtherBrowsers(ctx, changes);
  answer.num_failed = answer.failed.length;
  return answer;
}

/** If no change was saved, the whole call fails, and its answer states how long to wait. */
function throwIfStoreUnavailable({ success, failed }: SyncAnswer): void {
  if (success.length === 0 && failed.some(({ code }) => code === "store_unavailable"))
    throw toStoreUnavailable(undefined);
}

/** The notification for other browsers; undefined if nothing visible changed. */
function toChange(table: SyncTable<SyncType>, request: SyncRequest, conflict: boolean): Change | undefined {
  const change = findRow(table, request).change?.(request);
  return (
    change && { kind: change.kind, ids: [...change.ids], requestId: request.id, ...(conflict ? { conflict } : {}) }
  );
}

/** A failure here does not affect the applied changes, because browsers compare digests when they reconnect. */
async function notifyOtherBrowsers({ own, log, requestId }: UserCtx, changes: readonly Change[]): Promise<void> {
  try {
    await publishChanges(own, changes);
  } catch (error) {
    log.error({ requestId, err: error }, "other browsers could not be notified");
  }
}

type ParsedRequest = { request: SyncRequest; failed?: never } | { request?: never; failed: FailedRequest };

const bySeq = (a: ParsedRequest, b: ParsedRequest) => (a.request?.seq ?? 0) - (b.request?.seq ?? 0);

function readRequest(raw: unknown): ParsedRequest {
  const parsed = SyncRequest.safeParse(raw);
  if (parsed.success) return { request: parsed.data };
  const id = (raw as { id?: unknown } | null)?.id;
  const failure = new Failure("bad_input", reasonOfIssue(parsed.error.issues[0], raw));
  return { failed: { id: typeof id === "string" ? id : "", ...failure.toEventFields(), retriable: false } };
}

const blockedFailure = (id: string): FailedRequest => ({
  id,
  ...new Failure("broken", "waits_for_earlier").toEventFields(),
  retriable: true,
});

type ApplyBatch = (ctx: UserCtx, requests: readonly SyncRequest[]) => Promise<void>;

/** Groups the requests that are applied in batches, in order, by the function that applies them. */
function groupBatches(table: SyncTable<SyncType>, parsedRequests: readonly ParsedRequest[]) {
  const batches = new Map<ApplyBatch, SyncRequest[]>();
  for (const { request } of parsedRequests) {
    const row = request && findRow(table, request);
    if (request && row && "applyBatch" in row)
      batches.set(row.applyBatch, [...(batches.get(row.applyBatch) ?? []), request]);
  }
  return batches;
}

/** Applies a batch at once, or one by one if that fails, so that a bad request fails alone. */
async function applyTogether(
  ctx: UserCtx,
  requests: readonly SyncRequest[],
  applyBatch: ApplyBatch,
): Promise<(FailedRequest | { id: string })[]> {
  try {
    const alreadyApplied = await Promise.all(requests.map(({ id }) => findApplied(ctx.own, id)));
    const newRequests = requests.filter((_, index) => !alreadyApplied[index]);
    await applyBatch(ctx, newRequests);
    await Promise.all(newRequests.map((request) => saveOutcome(ctx, request, {})));
    return requests.map(({ id }) => ({ id }));
  } catch (error) {
    if (requests.length === 1) return requests.map((request) => toFailed(ctx, request, error));
    const results: (FailedRequest | { id: string })[] = [];
    for (const request of requests) results.push(...(await applyTogether(ctx, [request], applyBatch)));
    return results;
  }
}

/** Requests of one type that are applied together, then independent requests, which are applied at the same time. */
interface Segment {
  together: ParsedRequest[];
  independent: ParsedRequest[];
}

const listRequests = (parsedRequests: readonly ParsedRequest[]) =>
  parsedRequests.flatMap(({ request }) => (request ? [request] : []));

const includesResource = (parsedRequests: readonly ParsedRequest[], resourceId: string) =>
  parsedRequests.some(({ request }) => request?.resourceId === resourceId);

/** How the request may be applied with others; undefined if it is applied alone. */
function findSharing(table: SyncTable<SyncType>, { request }: ParsedRequest): keyof Segment | undefined {
  const row = request && findRow(table, request);
  if (!row || "applyBatch" in row) return undefined;
  if (row.isIndependent?.(request) === true) return "independent";
  return row.together ? "together" : undefined;
}

/**
 * Whether the request may join the segment. A request that is applied together with others of its type precedes the
 * independent requests.
 */
function canJoin(table: SyncTable<SyncType>, { together, independent }: Segment, parsed: ParsedRequest): boolean {
  const { request } = parsed;
  const sharing = findSharing(table, parsed);
  if (!request || !sharing) return false;
  if (sharing === "independent") return !includesResource(independent, request.resourceId);
  if (includesResource([...together, ...independent], request.resourceId)) return false;
  const row = findRow(table, request);
  if (together.length === 0) return true;
  if (together.some((other) => other.request?.type !== request.type) || !("together" in row)) return false;
  return row.together?.canJoin(listRequests(together), request) ?? false;
}

/**
 * Splits the requests, in order, into runs that are applied together. A request that is joined with others of its type
 * may overtake independent requests for other resources.
 */
function groupRuns(table: SyncTable<SyncType>, parsedRequests: readonly ParsedRequest[]): ParsedRequest[][] {
  const runs: ParsedRequest[][] = [];
  let segment: Segment = { together: [], independent: [] };
  const endSegment = () => {
    for (const run of [segment.together, segment.independent]) if (run.length > 0) runs.push(run);
    segment = { together: [], independent: [] };
  };
  for (const parsed of parsedRequests) {
    if (!canJoin(table, segment, parsed)) endSegment();
    const sharing = findSharing(table, parsed);
    if (sharing) segment[sharing].push(parsed);
    else runs.push([parsed]);
  }
  endSegment();
  return runs;
}

type Outcomes = Map<string, AppliedChange | FailedRequest>;

/** Applies a run; requests for a blocked resource fail as retriable. */
async function applyRun(dispatch: Dispatch, run: readonly ParsedRequest[], blockedResourceIds: ReadonlySet<string>) {
  const unblocked = run.flatMap(({ request }) =>
    request && !blockedResourceIds.has(request.resourceId) ? request : [],
  );
  const outcomes = await applyUnblocked(dispatch, unblocked);
  return run.map(({ request, failed }): [SyncRequest | undefined, AppliedChange | FailedRequest] => [
    request,
    failed ?? outcomes.get(request.id) ?? blockedFailure(request.id),
  ]);
}

async function applyUnblocked(dispatch: Dispatch, run: readonly SyncRequest[]): Promise<Outcomes> {
  const isIndependent = (request: SyncRequest) => findSharing(dispatch.table, { request }) === "independent";
  if (run.every(isIndependent))
    return new Map(
      await Promise.all(run.map(async (request) => [request.id, await applyOne(dispatch, request)] as const)),
    );
  try {
    if (run.length > 1) return await applyJoined(dispatch, run);
  } catch {
    // Apply the requests one by one, to find out which of them fails.
  }
  const outcomes: Outcomes = new Map();
  for (const request of run) outcomes.set(request.id, await applyOne(dispatch, request));
  return outcomes;
}

/** Applies a run of one type; throws if its requests cannot be applied together. */
async function applyJoined({ ctx, table }: Dispatch, requests: readonly SyncRequest[]): Promise<Outcomes> {
  const [first] = requests;
  const row = first && findRow(table, first);
  if (!row || !("together" in row) || !row.together) throw new Error("this type is applied one by one");
  const alreadyApplied = await Promise.all(requests.map(({ id }) => findApplied(ctx.own, id)));
  const newRequests = requests.filter((_, index) => !alreadyApplied[index]);
  const applied = await row.together.apply(ctx, newRequests);
  const appliedById = new Map(newRequests.map(({ id }, index) => [id, applied[index]]));
  const results = requests.map(async (request, index): Promise<[string, AppliedChange | FailedRequest]> => {
    const appliedRecord = alreadyApplied[index];
    if (appliedRecord)
      return [request.id, (await row.answerRepeat?.(ctx, request.resourceId, appliedRecord.record)) ?? {}];
    const result = appliedById.get(request.id);
    if (result?.status !== "fulfilled") return [request.id, toFailed(ctx, request, result?.reason)];
    await saveOutcome(ctx, request, result.value);
    return [request.id, result.value];
  });
  return new Map(await Promise.all(results));
}

async function applyOne(
  { ctx, table, onRemoved }: Dispatch,
  request: SyncRequest,
): Promise<AppliedChange | FailedRequest> {
  const row = findRow(table, request);
  try {
    if ("applyBatch" in row) throw new Error("this type is applied in batches");
    const alreadyApplied = await findApplied(ctx.own, request.id);
    if (alreadyApplied) return (await row.answerRepeat?.(ctx, request.resourceId, alreadyApplied.record)) ?? {};
    const applied = await row.apply(ctx, request);
    if (row.isRemoval?.(request)) await onRemoved(ctx.own, request.resourceId, request.id);
    await saveOutcome(ctx, request, applied);
    return applied;
  } catch (error) {
    return toFailed(ctx, request, error);
  }
}

function saveOutcome({ own, clock }: UserCtx, { id, clientId, seq }: SyncRequest, applied: AppliedChange) {
  const { version, conflict, content } = applied;
  const appliedRecord =
    version === undefined ? {} : { version, conflict: conflict ?? false, isOther: content !== undefined };
  return saveApplied(own, { requestId: id, clientId, seq, appliedAt: clock.now(), record: { id, ...appliedRecord } });
}

function toFailed({ log, requestId }: UserCtx, { id, type }: SyncRequest, error: unknown): FailedRequest {
  const failure = toKnownFailure(error);
  if (failure) {
    const retriable = failure.status >= 500 || failure.status === 429 || failure.status === 408;
    return { id, ...failure.toEventFields(), retriable };
  }
  // Retrying cannot help: no store accepts this document.
  if (error instanceof InvalidDocumentError)
    return { id, ...new Failure("bad_input", "cannot_be_stored").toEventFields(), retriable: false };
  log.error({ requestId, type, err: error }, "a change could not be applied");
  return { id, ...new Failure("broken", "server_broken").toEventFields(), retriable: true };
}

function addToAnswer(answer: SyncAnswer, request: SyncRequest | undefined, applied: AppliedChange): void {
  if (!request) return;
  const { id: requestId, resourceId: componentId } = request;
  const { version, conflict = false, content, parcel } = applied;
  answer.success.push(requestId);
  if (parcel) answer.parcels.push({ requestId, componentId, ...parcel });
  if (version !== undefined)
    answer.versions.push({ requestId, componentId, version, conflict, ...(content ? { content } : {}) });
}
