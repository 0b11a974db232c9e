import { Failure } from "#shared/contract/failure.ts";
import { componentContents, type ComponentType, type ComponentVersion } from "#shared/pages/schema.ts";
import { fingerprint } from "#shared/pages/rules.ts";
import { decideUpdate, type UpdateDecision } from "#shared/pages/update.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { Applied, Appliers } from "#api/store/applier.ts";
import { changeOnce, type Change, type Mark } from "#api/store/change-once.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned.ts";
import { changePageOnce, noSuchPage, placeOnPage } from "./apply-page.ts";
import { freshDeckLog, listedOf } from "./present.ts";
import { componentsOf, findLastSavedAt, pagesOf, saveVersion, touchPage, type ComponentDoc } from "./store.ts";

/** Far below the document size limit of any store. */
const MAX_CONTENT_CHARS = 4_000_000;
/** Minimum time between stored versions of a replaced text, so that typing does not fill the history. */
const SNAPSHOT_MS = 600_000;

const noSuchComponent = () => new Failure("not_found", "no_component");

/** Validates content for a component type. */
export function readContent(type: ComponentType, content: unknown): Record<string, unknown> {
  const parsed = componentContents[type].safeParse(content);
  if (!parsed.success) throw new Failure("bad_input", "content_misfit");
  if (JSON.stringify(parsed.data).length > MAX_CONTENT_CHARS) throw new Failure("too_large", "component_too_large");
  return parsed.data;
}

const versionId = (componentId: string, version: number) => `${componentId}.${version}`;

const heldVersion = (held: ComponentDoc, reason: ComponentVersion["reason"], now: number): ComponentVersion => ({
  _id: versionId(held._id, held.version),
  componentId: held._id,
  version: held.version,
  content: held.content,
  savedAt: now,
  reason,
});

/** The fields that change together with the content. */
export function contentFields(held: ComponentDoc, content: Record<string, unknown>, now: number) {
  return { content, version: held.version + 1, modifiedAt: now, ...listedOf(held.type, content) };
}

/** Applies a change to a component once per request id, however often it arrives. */
export async function changeComponent(
  own: Own,
  id: string,
  requestId: string,
  change: (doc: ComponentDoc) => Change<ComponentDoc>,
) {
  if (!(await componentsOf(own).get(id))) throw noSuchComponent();
  return changeOnce(componentsOf(own), { id, requestId, change });
}

async function keepText({ own, clock }: UserCtx, kept: ComponentVersion): Promise<void> {
  const now = clock.now();
  if (kept.reason === "replaced") {
    const savedAt = await findLastSavedAt(own, kept.componentId);
    if (savedAt !== undefined && now - savedAt < SNAPSHOT_MS) return;
  }
  await saveVersion(own, kept);
}

async function updateContent(ctx: UserCtx, request: SyncRequestOf<"component_content_update">): Promise<Applied> {
  const { id, resourceId, clientId, seq, baseVersion } = request;
  const now = ctx.clock.now();
  const decide = (held: ComponentDoc): Change<ComponentDoc> => {
    const sent = readContent(held.type, request.data.newContent);
    const isDeleted = held.deletedAt !== null;
    const update = { content: sent, baseVersion, writer: { clientId, seq } };
    const decision = decideUpdate({ ...held, isDeleted }, update);
    const keep = keptVersion(held, decision, { requestId: id, sent, now });
    const { next, conflict } = decision;
    const version = next ? held.version + 1 : held.version;
    const isOther = JSON.stringify((next ?? held).content) !== JSON.stringify(sent);
    return {
      set: next
        ? { ...contentFields(held, next.content, now), deckLog: next.deckLog, writtenBy: { clientId, seq } }
        : {},
      mark: { version, conflict, isOther },
      ...(keep ? { before: () => keepText(ctx, keep) } : {}),
    };
  };
  const { doc, mark, isRepeat } = await changeComponent(ctx.own, resourceId, id, decide);
  if (!isRepeat) await touchPage(ctx.own, doc.pageId, now);
  return answerWith(doc, mark);
}

/** After a merge, returns the stored content with its version: it may have moved on since. */
function answerWith(
  doc: ComponentDoc,
  { version = doc.version, conflict = false, isOther }: Omit<Mark, "id">,
): Applied {
  if (!isOther) return { version, conflict };
  return { version: doc.version, conflict, ...(doc.deletedAt === null ? { content: doc.content } : {}) };
}

/** Answers a repeated request. */
export async function answerRepeat({ own }: UserCtx, componentId: string, mark: Mark): Promise<Applied> {
  const doc = mark.version === undefined ? undefined : await componentsOf(own).get(componentId);
  if (!doc) return {};
  const location = doc.fileId === null ? undefined : doc.content["url"];
  const parcel = typeof location === "string" ? { parcel: { location, content: doc.content } } : {};
  return { ...answerWith(doc, mark), ...parcel };
}

interface Incoming {
  requestId: string;
  sent: Record<string, unknown>;
  now: number;
}

function keptVersion(held: ComponentDoc, { kept }: UpdateDecision, { requestId, sent, now }: Incoming) {
  if (!kept) return undefined;
  const version = heldVersion(held, kept.reason, now);
  return kept.whose === "held" ? version : { ...version, _id: `${held._id}.${requestId}`, content: sent };
}

type CreateRequest = SyncRequestOf<"component_create">;

/** The page that a new component belongs to. */
export const pageOfNew = ({ data }: CreateRequest): string =>
  data.parentType === "page" ? data.parentId : data.component.pageId;

/** Stores a new component without adding it to the page order. */
async function putComponent(ctx: UserCtx, request: CreateRequest): Promise<Applied> {
  const { own, clock } = ctx;
  const { id, resourceId, clientId, seq, data } = request;
  const now = clock.now();
  const pageId = pageOfNew(request);
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
    deckLog: freshDeckLog(type, content, 1),
    ...listedOf(type, content),
    rev: 1,
    applied: [{ id, version: 1, conflict: false }],
  });
  if (inserted !== "duplicate") return { version: 1, conflict: false };
  const { doc, mark } = await changeComponent(own, resourceId, id, (held) => revive(ctx, held, request, content));
  return answerWith(doc, mark);
}

/**
 * Creates components of one page, as when pasting: each succeeds or fails on its own, and the page order is written
 * once. Returns results in request order.
 */
export async function createComponents(
  ctx: UserCtx,
  requests: readonly CreateRequest[],
): Promise<PromiseSettledResult<Applied>[]> {
  const { own, clock } = ctx;
  const pageId = requests[0] && pageOfNew(requests[0]);
  if (pageId === undefined) return [];
  if (!(await pagesOf(own).get(pageId))) throw noSuchPage();
  const put = await Promise.allSettled(requests.map((request) => putComponent(ctx, request)));
  const stored = requests.filter((_, at) => put[at]?.status === "fulfilled");
  if (stored.length === 0) return put;
  const places = stored.map(({ resourceId, data }) => ({ id: resourceId, index: data.index }));
  // An id derived from the requests, so that a repeat adds nothing twice.
  const requestId = stored.length === 1 ? (stored[0]?.id ?? "") : fingerprint(stored.map(({ id }) => id).join());
  await placeOnPage(own, pageId, { requestId, places });
  await touchPage(own, pageId, clock.now());
  return put;
}

async function createComponent(ctx: UserCtx, request: CreateRequest): Promise<Applied> {
  const [made] = await createComponents(ctx, [request]);
  if (made?.status !== "fulfilled") throw made?.reason;
  return made.value;
}

/**
 * Restores a deleted component with the new content; an existing one keeps its content, and the new one becomes a
 * version.
 */
function revive(
  ctx: UserCtx,
  held: ComponentDoc,
  { id, data, clientId, seq }: CreateRequest,
  content: Record<string, unknown>,
): Change<ComponentDoc> {
  const now = ctx.clock.now();
  if (held.type !== data.component.type) throw new Failure("already_exists", "id_taken");
  if (held.deletedAt === null) {
    const isSame = JSON.stringify(held.content) === JSON.stringify(content);
    const kept = { ...heldVersion(held, "conflict", now), _id: `${held._id}.${id}`, content };
    const mark = { version: held.version, conflict: !isSame, isOther: !isSame };
    return { set: {}, mark, ...(isSame ? {} : { before: () => saveVersion(ctx.own, kept) }) };
  }
  const version = held.version + 1;
  const deckLog = freshDeckLog(held.type, content, version);
  const pageId = data.parentType === "page" ? data.parentId : data.component.pageId;
  return {
    set: { ...contentFields(held, content, now), pageId, deckLog, deletedAt: null, writtenBy: { clientId, seq } },
    mark: { version, conflict: false },
  };
}

async function moveComponent({ own }: UserCtx, request: SyncRequestOf<"component_move">): Promise<Applied> {
  const { id, resourceId, data } = request;
  if (!(await pagesOf(own).get(data.toPageId))) throw noSuchPage();
  const held = await componentsOf(own).get(resourceId);
  if (!held) throw noSuchComponent();
  // Page order first, component last: until the component moves, its entry on the new page shows nothing.
  await placeOnPage(own, data.toPageId, { requestId: id, places: [{ id: resourceId, index: data.index }] });
  await changeComponent(own, resourceId, id, () => ({ set: { pageId: data.toPageId } }));
  if (data.fromPageId === data.toPageId || !(await pagesOf(own).get(data.fromPageId))) return {};
  await changePageOnce(own, data.fromPageId, id, ({ components }) => ({
    set: { components: components.filter((other) => other !== resourceId) },
  }));
  return {};
}

async function deleteComponent(
  { own, clock }: UserCtx,
  { id, resourceId }: SyncRequestOf<"component_delete">,
): Promise<Applied> {
  const now = clock.now();
  const { doc, isRepeat } = await changeComponent(own, resourceId, id, (held) => ({
    set: held.deletedAt === null ? { deletedAt: now } : {},
    mark: { version: held.version },
    before: () => saveVersion(own, heldVersion(held, "deleted", now)),
  }));
  if (!isRepeat) await touchPage(own, doc.pageId, now);
  return {};
}

export const componentAppliers: Appliers<
  "component_create" | "component_delete" | "component_content_update" | "component_move"
> = {
  component_create: createComponent,
  component_delete: deleteComponent,
  component_content_update: updateContent,
  component_move: moveComponent,
};
