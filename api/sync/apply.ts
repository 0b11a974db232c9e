import { Failure } from "#shared/contract/failure.ts";
import { SyncRequest, type Change, type SyncAnswer, type SyncRequestOf, type SyncType } from "#shared/sync/schema.ts";
import { BadDocument } from "#api/store/port.ts";
import type { Applied, Applier, Appliers } from "#api/store/applier.ts";
import { noteChanges } from "#api/store/changes.ts";
import { reasonOfIssue } from "#api/kit/issue-reason.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { appliers as library, leaveLists } from "#api/library/service.ts";
import { answerRepeat, appliers as pages, createComponents, pageOfNew } from "#api/pages/service.ts";
import { annotationAppliers } from "#api/pdf/service.ts";
import { moveMarks } from "#api/flashcards/service.ts";
import { applyStudy, moveStudy, type StudyEvent } from "#api/study/service.ts";
import { changeOf } from "./following.ts";
import { findApplied, saveApplied } from "./store.ts";

/** The applier of each request type. */
const appliers: Appliers<SyncType> = {
  ...pages,
  ...library,
  ...annotationAppliers,
  card_move: async (ctx, { resourceId: from, data: { cardIds, toComponentId: to } }) => {
    await moveStudy(ctx, { from, to, cardIds });
    await moveMarks(ctx.own, { from, to, cardIds });
    return {};
  },
  review_add: async (ctx, request) => {
    await applyStudy(ctx, [eventOf(request)]);
    return {};
  },
  review_undo: async (ctx, request) => {
    await applyStudy(ctx, [eventOf(request)]);
    return {};
  },
};

type StudyRequest = SyncRequestOf<"review_add" | "review_undo">;

const isStudy = (request: SyncRequest | undefined): request is StudyRequest =>
  request?.type === "review_add" || request?.type === "review_undo";

const eventOf = (request: StudyRequest): StudyEvent =>
  request.type === "review_add"
    ? { type: request.type, review: request.data }
    : { type: request.type, reviewId: request.data.reviewId };

type Failed = SyncAnswer["failed"][number];

const emptyAnswer = (): SyncAnswer => ({ success: [], num_failed: 0, failed: [], parcels: [], versions: [] });

/**
 * Applies requests in client order and independently; after a retriable failure, later requests for the same resource
 * are held back.
 */
export async function applyAll(ctx: UserCtx, sent: readonly unknown[]): Promise<SyncAnswer> {
  const answer = emptyAnswer();
  const held = new Set<string>();
  const inSequence = sent.map(readRequest).toSorted(bySeq);
  // Reviews are independent of other changes, so they are applied as one batch.
  const studied = inSequence.flatMap(({ request }) => (isStudy(request) ? request : []));
  for (const outcome of await applyStudied(ctx, studied)) {
    if ("code" in outcome) answer.failed.push(outcome);
    else answer.success.push(outcome.id);
  }
  const changes: Change[] = studied.slice(0, 1).flatMap((request) => changeOf(request, false) ?? []);
  for (const run of runsOf(inSequence.filter((one) => !isStudy(one.request)))) {
    for (const [request, outcome] of await applyRun(ctx, run, held)) {
      if ("code" in outcome) {
        answer.failed.push(outcome);
        if (outcome.retriable && request) held.add(request.resourceId);
      } else {
        report(answer, request, outcome);
        const change = request && changeOf(request, outcome.conflict ?? false);
        if (change) changes.push(change);
      }
    }
  }
  await tellOthers(ctx, changes);
  answer.num_failed = answer.failed.length;
  return answer;
}

/** A failure here does not affect what was applied: browsers compare again when they reconnect. */
async function tellOthers({ own, log, requestId }: UserCtx, changes: readonly Change[]): Promise<void> {
  try {
    await noteChanges(own, changes);
  } catch (error) {
    log.error({ requestId, err: error }, "other browsers could not be notified");
  }
}

type Read = { request: SyncRequest; failed?: never } | { request?: never; failed: Failed };

const bySeq = (a: Read, b: Read) => (a.request?.seq ?? 0) - (b.request?.seq ?? 0);

function readRequest(raw: unknown): Read {
  const parsed = SyncRequest.safeParse(raw);
  if (parsed.success) return { request: parsed.data };
  const id = (raw as { id?: unknown } | null)?.id;
  const failure = new Failure("bad_input", reasonOfIssue(parsed.error.issues[0], raw));
  return { failed: { id: typeof id === "string" ? id : "", ...failure.told(), retriable: false } };
}

const mustWait = (id: string): Failed => ({
  id,
  ...new Failure("broken", "waits_for_earlier").told(),
  retriable: true,
});

/** Applies all reviews at once, or one by one if that fails, so that a bad one fails alone. */
async function applyStudied(ctx: UserCtx, requests: readonly StudyRequest[]): Promise<(Failed | { id: string })[]> {
  if (requests.length === 0) return [];
  try {
    const seen = await Promise.all(requests.map(({ id }) => findApplied(ctx.own, id)));
    const fresh = requests.filter((_, at) => !seen[at]);
    await applyStudy(ctx, fresh.map(eventOf));
    await Promise.all(fresh.map((request) => remember(ctx, request, {})));
    return requests.map(({ id }) => ({ id }));
  } catch (error) {
    if (requests.length === 1) return requests.map((request) => refusal(ctx, request, error));
    const each: (Failed | { id: string })[] = [];
    for (const request of requests) each.push(...(await applyStudied(ctx, [request])));
    return each;
  }
}

const isCreation = (request: SyncRequest | undefined): request is SyncRequestOf<"component_create"> =>
  request?.type === "component_create";

/** Creations of different components on one page can be applied together. */
const goesWith = (run: readonly Read[], { request }: Read) =>
  isCreation(request) &&
  run.every(
    (one) =>
      isCreation(one.request) &&
      one.request.resourceId !== request.resourceId &&
      pageOfNew(one.request) === pageOfNew(request),
  );

/** Splits the requests, in order, into runs that are applied together. */
function runsOf(read: readonly Read[]): Read[][] {
  const runs: Read[][] = [];
  for (const one of read) {
    const last = runs.at(-1);
    if (last && goesWith(last, one)) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

type Outcomes = Map<string, Applied | Failed>;

/** Results of a run; requests for a blocked resource fail as retriable. */
async function applyRun(ctx: UserCtx, run: readonly Read[], held: ReadonlySet<string>) {
  const free = run.flatMap(({ request }) => (request && !held.has(request.resourceId) ? request : []));
  const outcomes = await applyFree(ctx, free);
  return run.map(({ request, failed }): [SyncRequest | undefined, Applied | Failed] => [
    request,
    failed ?? outcomes.get(request.id) ?? mustWait(request.id),
  ]);
}

async function applyFree(ctx: UserCtx, run: readonly SyncRequest[]): Promise<Outcomes> {
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
  const seen = await Promise.all(requests.map(({ id }) => findApplied(ctx.own, id)));
  const fresh = requests.filter((_, at) => !seen[at]);
  const made = await createComponents(ctx, fresh);
  const madeById = new Map(fresh.map(({ id }, at) => [id, made[at]]));
  const told = requests.map(async (request, at): Promise<[string, Applied | Failed]> => {
    const known = seen[at];
    if (known) return [request.id, await answerRepeat(ctx, request.resourceId, known.mark)];
    const result = madeById.get(request.id);
    if (result?.status !== "fulfilled") return [request.id, refusal(ctx, request, result?.reason)];
    await remember(ctx, request, result.value);
    return [request.id, result.value];
  });
  return new Map(await Promise.all(told));
}

async function applyOne(ctx: UserCtx, request: SyncRequest): Promise<Applied | Failed> {
  try {
    const seen = await findApplied(ctx.own, request.id);
    if (seen) return await answerRepeat(ctx, request.resourceId, seen.mark);
    const apply = appliers[request.type] as Applier<typeof request.type>;
    const applied = await apply(ctx, request);
    if (isGone(request)) await leaveLists(ctx.own, request.resourceId, request.id);
    await remember(ctx, request, applied);
    return applied;
  } catch (error) {
    return refusal(ctx, request, error);
  }
}

/** Whether the change deletes or archives something. */
function isGone({ type, data }: SyncRequest): boolean {
  if (type === "page_delete" || type === "component_delete") return true;
  if (type === "page_update") return data.archived === true;
  return type === "component_content_update" && data.newContent["isArchived"] === true;
}

function remember({ own, clock }: UserCtx, { id, clientId, seq }: SyncRequest, applied: Applied) {
  const { version, conflict, content } = applied;
  const known = version === undefined ? {} : { version, conflict: conflict ?? false, isOther: content !== undefined };
  return saveApplied(own, { requestId: id, clientId, seq, appliedAt: clock.now(), mark: { id, ...known } });
}

function refusal({ log, requestId }: UserCtx, { id, type }: SyncRequest, error: unknown): Failed {
  if (error instanceof Failure) {
    const retriable = error.status >= 500 || error.status === 429 || error.status === 408;
    return { id, ...error.told(), retriable };
  }
  // Retrying cannot help: no store accepts this document.
  if (error instanceof BadDocument)
    return { id, ...new Failure("bad_input", "cannot_be_stored").told(), retriable: false };
  log.error({ requestId, type, err: error }, "a change could not be applied");
  return { id, ...new Failure("broken", "server_broken").told(), retriable: true };
}

function report(answer: SyncAnswer, request: SyncRequest | undefined, applied: Applied): void {
  if (!request) return;
  const { id: requestId, resourceId: componentId } = request;
  const { version, conflict = false, content, parcel } = applied;
  answer.success.push(requestId);
  if (parcel) answer.parcels.push({ requestId, componentId, ...parcel });
  if (version !== undefined)
    answer.versions.push({ requestId, componentId, version, conflict, ...(content ? { content } : {}) });
}
