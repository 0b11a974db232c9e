import { Failure } from "#shared/contract/failure.ts";
import {
  componentContents,
  type ComponentType,
  type ComponentVersion,
  type FileContent,
} from "#shared/pages/schema.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { withOwnAddresses } from "#shared/pages/file-address.ts";
import { fingerprint } from "#shared/pages/rules.ts";
import { isSameContent, resolveUpdate, type UpdateDecision } from "#shared/pages/update.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { AppliedChange, SyncTable } from "#api/sync/sync-table.ts";
import { changeOnce, type DocumentChange, type IdempotencyRecord } from "#api/store/change-once.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { rememberCardChanges } from "#api/store/figures/card-outcomes.ts";
import { countCardChanges } from "#api/store/figures/made-cards.ts";
import type { Own } from "#api/store/owned-store.ts";
import { getPreferences } from "#api/user/service.ts";
import { updatePageOnce, pageNotFound, insertIntoPageOrder } from "./apply-page.ts";
import { createDeckLog, summaryFieldsOf } from "../present.ts";
import { componentsOf, findLastSavedAt, pagesOf, saveVersion, touchPage, type ComponentDoc } from "../store.ts";

/** Far below the document size limit of any store. */
const MAX_CONTENT_CHARS = 4_000_000;
/** Minimum time between stored versions of a replaced text, so that typing does not fill the history. */
const SNAPSHOT_MS = 600_000;

const componentNotFound = () => new Failure("not_found", "no_component");

/** Validates content for a component type, and replaces media addresses by our own. */
export function readContent(type: ComponentType, content: unknown): Record<string, unknown> {
  const parsed = componentContents[type].safeParse(content);
  if (!parsed.success) throw new Failure("bad_input", "content_type_mismatch");
  if (JSON.stringify(parsed.data).length > MAX_CONTENT_CHARS) throw new Failure("too_large", "component_too_large");
  return type === "image" || type === "video" ? withOwnAddresses(parsed.data as FileContent) : parsed.data;
}

const versionId = (componentId: string, version: number) => `${componentId}.${version}`;

const toVersion = (current: ComponentDoc, reason: ComponentVersion["reason"], now: number): ComponentVersion => ({
  _id: versionId(current._id, current.version),
  componentId: current._id,
  version: current.version,
  content: current.content,
  savedAt: now,
  reason,
});

/** The fields that change together with the content. */
export function contentFields(current: ComponentDoc, content: Record<string, unknown>, now: number) {
  return { content, version: current.version + 1, modifiedAt: now, ...summaryFieldsOf(current.type, content) };
}

/** Applies a change to a component once per request id, however often it arrives. */
export async function changeComponent(
  own: Own,
  id: string,
  requestId: string,
  change: (doc: ComponentDoc) => DocumentChange<ComponentDoc>,
) {
  if (!(await componentsOf(own).get(id))) throw componentNotFound();
  return changeOnce(componentsOf(own), { id, requestId, change });
}

async function saveVersionUnlessRecent({ own, clock }: UserCtx, historyVersion: ComponentVersion): Promise<void> {
  const now = clock.now();
  if (historyVersion.reason === "replaced") {
    const savedAt = await findLastSavedAt(own, historyVersion.componentId);
    if (savedAt !== undefined && now - savedAt < SNAPSHOT_MS) return;
  }
  await saveVersion(own, historyVersion);
}

async function updateContent(ctx: UserCtx, request: SyncRequestOf<"component_content_update">): Promise<AppliedChange> {
  const { id, resourceId, clientId, seq, baseVersion } = request;
  const now = ctx.clock.now();
  const decide = (current: ComponentDoc): DocumentChange<ComponentDoc> => {
    const incoming = readContent(current.type, request.data.newContent);
    const isDeleted = current.deletedAt !== null;
    const update = { content: incoming, baseVersion, writer: { clientId, seq } };
    const decision = resolveUpdate({ ...current, isDeleted }, update);
    const historyVersion = historyVersionFor(current, decision, { requestId: id, sent: incoming, now });
    const { next, conflict } = decision;
    const version = next ? current.version + 1 : current.version;
    const isOther = !isSameContent((next ?? current).content, incoming);
    return {
      set: next
        ? { ...contentFields(current, next.content, now), deckLog: next.deckLog, writtenBy: { clientId, seq } }
        : {},
      record: { version, conflict, isOther },
      async before() {
        if (historyVersion) await saveVersionUnlessRecent(ctx, historyVersion);
        if (next) await recordDeckChange(ctx, current, next.content);
      },
    };
  };
  const { doc, record, isRepeat } = await changeComponent(ctx.own, resourceId, id, decide);
  if (!isRepeat) await touchPage(ctx.own, doc.pageId, now);
  return toApplied(doc, record);
}

const cardsOf = ({ cards }: Record<string, unknown>) => (cards ?? []) as Flashcard[];

/**
 * Counts the cards that a change edits or removes, and remembers the edits if the student allows learning from them.
 * Runs before the deck is written. It is idempotent, so a retry after a crash does not count twice.
 */
export async function recordDeckChange(
  { own, clock }: UserCtx,
  current: ComponentDoc,
  content: Record<string, unknown>,
) {
  if (current.type !== "flash_cards") return;
  const change = {
    deckId: current._id,
    before: cardsOf(current.content),
    after: cardsOf(content),
    now: clock.now(),
  };
  const changes = await countCardChanges(own, change);
  if (changes.length === 0 || !(await getPreferences(own)).flashcards.learn_from_edits) return;
  await rememberCardChanges(own, changes, clock.now());
}

/** After a merge, returns the stored content and its version, which may be newer than the merged one. */
function toApplied(
  doc: ComponentDoc,
  { version = doc.version, conflict = false, isOther }: Omit<IdempotencyRecord, "id">,
): AppliedChange {
  if (!isOther) return { version, conflict };
  return { version: doc.version, conflict, ...(doc.deletedAt === null ? { content: doc.content } : {}) };
}

/** Answers a repeated request. */
export async function answerRepeat(
  { own }: UserCtx,
  componentId: string,
  record: IdempotencyRecord,
): Promise<AppliedChange> {
  const doc = record.version === undefined ? undefined : await componentsOf(own).get(componentId);
  if (!doc) return {};
  const location = doc.fileId === null ? undefined : doc.content["url"];
  const parcel = typeof location === "string" ? { parcel: { location, content: doc.content } } : {};
  return { ...toApplied(doc, record), ...parcel };
}

interface IncomingContent {
  requestId: string;
  sent: Record<string, unknown>;
  now: number;
}

function historyVersionFor(
  current: ComponentDoc,
  { history }: UpdateDecision,
  { requestId, sent: incoming, now }: IncomingContent,
) {
  if (!history) return undefined;
  const version = toVersion(current, history.reason, now);
  return history.side === "stored" ? version : { ...version, _id: `${current._id}.${requestId}`, content: incoming };
}

type CreateRequest = SyncRequestOf<"component_create">;

/** The page that a new component belongs to. */
const targetPageOf = ({ data }: CreateRequest): string =>
  data.parentType === "page" ? data.parentId : data.component.pageId;

/** Stores a new component without adding it to the page order. */
async function insertComponent(ctx: UserCtx, request: CreateRequest): Promise<AppliedChange> {
  const { own, clock } = ctx;
  const { id, resourceId, clientId, seq, data } = request;
  const now = clock.now();
  const pageId = targetPageOf(request);
  if (data.component._id !== resourceId) throw new Failure("bad_input", "component_other_id");
  const { type, createdAt } = data.component;
  const content = readContent(type, data.component.content);
  const inserted = await componentsOf(own).insert({
    _id: resourceId,
    pageId,
    type,
    content,
    createdAt,
    modifiedAt: now,
    createdBy: own.ownerId,
    lastOpenedAt: null,
    version: 1,
    deletedAt: null,
    writtenBy: { clientId, seq },
    deckLog: createDeckLog(type, content, 1),
    ...summaryFieldsOf(type, content),
    rev: 1,
    applied: [{ id, version: 1, conflict: false }],
  });
  if (inserted !== "duplicate") return { version: 1, conflict: false };
  const { doc, record } = await changeComponent(own, resourceId, id, (current) =>
    resolveDuplicateCreate(ctx, current, request, content),
  );
  return toApplied(doc, record);
}

/**
 * Creates components of one page, as when pasting: each succeeds or fails on its own, and the page order is written
 * once. Returns results in request order.
 */
async function createComponents(
  ctx: UserCtx,
  requests: readonly CreateRequest[],
): Promise<PromiseSettledResult<AppliedChange>[]> {
  const { own, clock } = ctx;
  const pageId = requests[0] && targetPageOf(requests[0]);
  if (pageId === undefined) return [];
  if (!(await pagesOf(own).get(pageId))) throw pageNotFound();
  const results = await Promise.allSettled(requests.map((request) => insertComponent(ctx, request)));
  const storedRequests = requests.filter((_, index) => results[index]?.status === "fulfilled");
  if (storedRequests.length === 0) return results;
  const positions = storedRequests.map(({ resourceId, data }) => ({ id: resourceId, index: data.index }));
  // An id derived from the requests, so that a repeat adds nothing twice.
  const requestId =
    storedRequests.length === 1
      ? (storedRequests[0]?.id ?? "")
      : fingerprint(storedRequests.map(({ id }) => id).join());
  await insertIntoPageOrder(own, pageId, { requestId, positions });
  await touchPage(own, pageId, clock.now());
  return results;
}

async function createComponent(ctx: UserCtx, request: CreateRequest): Promise<AppliedChange> {
  const [result] = await createComponents(ctx, [request]);
  if (result?.status !== "fulfilled") throw result?.reason;
  return result.value;
}

/**
 * Resolves the creation of a component whose id exists. A deleted component is restored with the new content; otherwise
 * the stored content stays, and the new content is saved in the history.
 */
function resolveDuplicateCreate(
  ctx: UserCtx,
  current: ComponentDoc,
  request: CreateRequest,
  content: Record<string, unknown>,
): DocumentChange<ComponentDoc> {
  const { id, data, clientId, seq } = request;
  const now = ctx.clock.now();
  if (current.type !== data.component.type) throw new Failure("already_exists", "id_taken");
  if (current.deletedAt === null) {
    const isSame = isSameContent(current.content, content);
    const historyVersion = { ...toVersion(current, "conflict", now), _id: `${current._id}.${id}`, content };
    const record = { version: current.version, conflict: !isSame, isOther: !isSame };
    return { set: {}, record, ...(isSame ? {} : { before: () => saveVersion(ctx.own, historyVersion) }) };
  }
  const version = current.version + 1;
  const deckLog = createDeckLog(current.type, content, version);
  const pageId = targetPageOf(request);
  return {
    set: { ...contentFields(current, content, now), pageId, deckLog, deletedAt: null, writtenBy: { clientId, seq } },
    record: { version, conflict: false },
  };
}

async function moveComponent({ own }: UserCtx, request: SyncRequestOf<"component_move">): Promise<AppliedChange> {
  const { id, resourceId, data } = request;
  if (!(await pagesOf(own).get(data.toPageId))) throw pageNotFound();
  const current = await componentsOf(own).get(resourceId);
  if (!current) throw componentNotFound();
  // Page order first, component last: until the component moves, its entry on the new page shows nothing.
  await insertIntoPageOrder(own, data.toPageId, { requestId: id, positions: [{ id: resourceId, index: data.index }] });
  await changeComponent(own, resourceId, id, () => ({ set: { pageId: data.toPageId } }));
  const fromPageId = data.fromPageId ?? current.pageId;
  if (fromPageId === data.toPageId || !(await pagesOf(own).get(fromPageId))) return {};
  await updatePageOnce(own, fromPageId, id, ({ components }) => ({
    set: { components: components.filter((other) => other !== resourceId) },
  }));
  return {};
}

async function deleteComponent(
  { own, clock }: UserCtx,
  { id, resourceId }: SyncRequestOf<"component_delete">,
): Promise<AppliedChange> {
  const now = clock.now();
  const { doc, isRepeat } = await changeComponent(own, resourceId, id, (current) => ({
    set: current.deletedAt === null ? { deletedAt: now } : {},
    record: { version: current.version },
    before: () => saveVersion(own, toVersion(current, "deleted", now)),
  }));
  if (!isRepeat) await touchPage(own, doc.pageId, now);
  return {};
}

type ComponentRequest = "component_create" | "component_delete" | "component_content_update" | "component_move";

const isArchiving = ({ data }: SyncRequestOf<"component_content_update">) => data.newContent["isArchived"] === true;

export const componentRows = {
  component_create: {
    apply: createComponent,
    answerRepeat,
    together: {
      canJoin: (run, next) =>
        run.every((other) => other.resourceId !== next.resourceId && targetPageOf(other) === targetPageOf(next)),
      apply: createComponents,
    },
    change: ({ resourceId, data }) => ({ kind: "page", ids: [data.parentId, resourceId] }),
  },
  component_delete: {
    apply: deleteComponent,
    isRemoval: () => true,
    change: ({ resourceId }) => ({ kind: "page", ids: [resourceId] }),
  },
  component_content_update: {
    apply: updateContent,
    answerRepeat,
    isRemoval: isArchiving,
    // Archiving also changes lists, so it must run in the order it was sent.
    isIndependent: (request) => !isArchiving(request),
    change: ({ resourceId }) => ({ kind: "content", ids: [resourceId] }),
  },
  component_move: {
    apply: moveComponent,
    change: ({ resourceId, data }) => ({
      kind: "page",
      ids: [...(data.fromPageId === undefined ? [] : [data.fromPageId]), data.toPageId, resourceId],
    }),
  },
} satisfies SyncTable<ComponentRequest>;
