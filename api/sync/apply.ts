import { Failure } from "#shared/contract/failure.ts";
import { SyncRequest, type Change, type SyncAnswer, type SyncRequestOf, type SyncType } from "#shared/sync/schema.ts";
import { InvalidDocument } from "#api/store/port.ts";
import type { AppliedChange, Applier, Appliers } from "#api/store/applier.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { toKnownFailure, toStoreUnavailable } from "#api/store/store-failures.ts";
import { reasonOfIssue } from "#api/http/issue-reason.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { appliers as library, removeFromLists } from "#api/library/service.ts";
import { answerRepeat, appliers as pages, createComponents, targetPageOf } from "#api/pages/service.ts";
import { annotationAppliers } from "#api/pdf/service.ts";
import { moveFavourites } from "#api/flashcards/service.ts";
import { applyStudy, moveStudy, type StudyEvent } from "#api/study/service.ts";
import { toChange } from "./change-stream.ts";
import { findApplied, saveApplied } from "./store.ts";

/** The applier of each request type. */
const appliers: Appliers<SyncType> = {
  ...pages,
  ...library,
  ...annotationAppliers,
  card_move: async (ctx, { resourceId: from, data: { cardIds, toComponentId: to } }) => {
    await moveStudy(ctx, { from, to, cardIds });
    await moveFavourites(ctx.own, { from, to, cardIds });
    return {};
  },
  review_add: async (ctx, request) => {
    await applyStudy(ctx, [toStudyEvent(request)]);
    return {};
  },
  review_undo: async (ctx, request) => {
    await applyStudy(ctx, [toStudyEvent(request)]);
    return {};
  },
};

type StudyRequest = SyncRequestOf<"review_add" | "review_undo">;

const isStudyRequest = (request: SyncRequest | undefined): request is StudyRequest =>
  request?.type === "review_add" || request?.type === "review_undo";

const toStudyEvent = (request: StudyRequest): StudyEvent =>
  request.type === "review_add"
    ? { type: request.type, review: request.data }
    : { type: request.type, reviewId: request.data.reviewId };

type FailedRequest = SyncAnswer["failed"][number];

const emptyAnswer = (): SyncAnswer => ({ success: [], num_failed: 0, failed: [], parcels: [], versions: [] });

/**
 * Applies requests in client order and independently; after a retriable failure, later requests for the same resource
 * are held back.
 */
export async function applyAll(ctx: UserCtx, rawRequests: readonly unknown[]): Promise<SyncAnswer> {
  const answer = emptyAnswer();
  const blockedResourceIds = new Set<string>();
  const inSequence = rawRequests.map(readRequest).toSorted(bySeq);
  // Reviews are independent of other changes, so they are applied as one batch.
  const studyRequests = inSequence.flatMap(({ request }) => (isStudyRequest(request) ? request : []));
  for (const outcome of await applyStudyRequests(ctx, studyRequests)) {
    if ("code" in outcome) answer.failed.push(outcome);
    else answer.success.push(outcome.id);
  }
  const changes: Change[] = studyRequests.slice(0, 1).flatMap((request) => toChange(request, false) ?? []);
  for (const run of groupRuns(inSequence.filter((parsed) => !isStudyRequest(parsed.request)))) {
    for (const [request, outcome] of await applyRun(ctx, run, blockedResourceIds)) {
      if ("code" in outcome) {
        answer.failed.push(outcome);
        if (outcome.retriable && request) blockedResourceIds.add(request.resourceId);
      } else {
        addToAnswer(answer, request, outcome);
        const change = request && toChange(request, outcome.conflict ?? false);
        if (change) changes.push(change);
      }
    }
  }
  throwIfStoreUnavailable(answer);
  await notifyOtherBrowsers(ctx, changes);
  answer.num_failed = answer.failed.length;
  return answer;
}

/** If nothing was saved, the client is told how long to wait. */
function throwIfStoreUnavailable({ success, failed }: SyncAnswer): void {
  if (success.length === 0 && failed.some(({ code }) => code === "store_unavailable"))
    throw toStoreUnavailable(undefined);
}

/** A failure here does not affect what was applied: browsers compare again when they reconnect. */
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

/** Applies all reviews at once, or one by one if that fails, so that a bad one fails alone. */
async function applyStudyRequests(
  ctx: UserCtx,
  requests: readonly StudyRequest[],
): Promise<(FailedRequest | { id: string })[]> {
  if (requests.length === 0) return [];
  try {
    const alreadyApplied = await Promise.all(requests.map(({ id }) => findApplied(ctx.own, id)));
    const newRequests = requests.filter((_, index) => !alreadyApplied[index]);
    await applyStudy(ctx, newRequests.map(toStudyEvent));
    await Promise.all(newRequests.map((request) => saveOutcome(ctx, request, {})));
    return requests.map(({ id }) => ({ id }));
  } catch (error) {
    if (requests.length === 1) return requests.map((request) => toFailed(ctx, request, error));
    const results: (FailedRequest | { id: string })[] = [];
    for (const request of requests) results.push(...(await applyStudyRequests(ctx, [request])));
    return results;
  }
}

const isCreation = (request: SyncRequest | undefined): request is SyncRequestOf<"component_create"> =>
  request?.type === "component_create";

/** Creations of different components on one page can be applied together. */
const canJoinRun = (run: readonly ParsedRequest[], { request }: ParsedRequest) =>
  isCreation(request) &&
  run.every(
    (parsed) =>
      isCreation(parsed.request) &&
      parsed.request.resourceId !== request.resourceId &&
      targetPageOf(parsed.request) === targetPageOf(request),
  );

/** Splits the requests, in order, into runs that are applied together. */
function groupRuns(parsedRequests: readonly ParsedRequest[]): ParsedRequest[][] {
  const runs: ParsedRequest[][] = [];
  for (const parsed of parsedRequests) {
    const last = runs.at(-1);
    if (last && canJoinRun(last, parsed)) last.push(parsed);
    else runs.push([parsed]);
  }
  return runs;
}

type Outcomes = Map<string, AppliedChange | FailedRequest>;

/** Results of a run; requests for a blocked resource fail as retriable. */
async function applyRun(ctx: UserCtx, run: readonly ParsedRequest[], blockedResourceIds: ReadonlySet<string>) {
  const unblocked = run.flatMap(({ request }) =>
    request && !blockedResourceIds.has(request.resourceId) ? request : [],
  );
  const outcomes = await applyUnblocked(ctx, unblocked);
  return run.map(({ request, failed }): [SyncRequest | undefined, AppliedChange | FailedRequest] => [
    request,
    failed ?? outcomes.get(request.id) ?? blockedFailure(request.id),
  ]);
}

async function applyUnblocked(ctx: UserCtx, run: readonly SyncRequest[]): Promise<Outcomes> {
  try {
    if (run.length > 1) return await createTogether(ctx, run.filter(isCreation));
  } catch {
    // Applying them one by one shows which one failed.
  }
  const outcomes: Outcomes = new Map();
  for (const request of run) outcomes.set(request.id, await applyOne(ctx, request));
  return outcomes;
}

async function createTogether(ctx: UserCtx, requests: readonly SyncRequestOf<"component_create">[]): Promise<Outcomes> {
  const alreadyApplied = await Promise.all(requests.map(({ id }) => findApplied(ctx.own, id)));
  const newRequests = requests.filter((_, index) => !alreadyApplied[index]);
  const created = await createComponents(ctx, newRequests);
  const createdById = new Map(newRequests.map(({ id }, index) => [id, created[index]]));
  const results = requests.map(async (request, index): Promise<[string, AppliedChange | FailedRequest]> => {
    const appliedRecord = alreadyApplied[index];
    if (appliedRecord) return [request.id, await answerRepeat(ctx, request.resourceId, appliedRecord.mark)];
    const result = createdById.get(request.id);
    if (result?.status !== "fulfilled") return [request.id, toFailed(ctx, request, result?.reason)];
    await saveOutcome(ctx, request, result.value);
    return [request.id, result.value];
  });
  return new Map(await Promise.all(results));
}

async function applyOne(ctx: UserCtx, request: SyncRequest): Promise<AppliedChange | FailedRequest> {
  try {
    const alreadyApplied = await findApplied(ctx.own, request.id);
    if (alreadyApplied) return await answerRepeat(ctx, request.resourceId, alreadyApplied.mark);
    const apply = appliers[request.type] as Applier<typeof request.type>;
    const applied = await apply(ctx, request);
    if (isRemoval(request)) await removeFromLists(ctx.own, request.resourceId, request.id);
    await saveOutcome(ctx, request, applied);
    return applied;
  } catch (error) {
    return toFailed(ctx, request, error);
  }
}

/** Whether the change deletes or archives something. */
function isRemoval({ type, data }: SyncRequest): boolean {
  if (type === "page_delete" || type === "component_delete") return true;
  if (type === "page_update") return data.archived === true;
  return type === "component_content_update" && data.newContent["isArchived"] === true;
}

function saveOutcome({ own, clock }: UserCtx, { id, clientId, seq }: SyncRequest, applied: AppliedChange) {
  const { version, conflict, content } = applied;
  const appliedRecord =
    version === undefined ? {} : { version, conflict: conflict ?? false, isOther: content !== undefined };
  return saveApplied(own, { requestId: id, clientId, seq, appliedAt: clock.now(), mark: { id, ...appliedRecord } });
}

function toFailed({ log, requestId }: UserCtx, { id, type }: SyncRequest, error: unknown): FailedRequest {
  const failure = toKnownFailure(error);
  if (failure) {
    const retriable = failure.status >= 500 || failure.status === 429 || failure.status === 408;
    return { id, ...failure.toEventFields(), retriable };
  }
  // Retrying cannot help: no store accepts this document.
  if (error instanceof InvalidDocument)
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
