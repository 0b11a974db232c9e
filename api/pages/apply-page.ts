import { Failure } from "#shared/contract/failure.ts";
import { changePage, freshPage } from "#shared/pages/present.ts";
import { insertInOrder, mergeOrder } from "#shared/pages/rules.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { Appliers } from "#api/store/applier.ts";
import { changeOnce, type Change } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned.ts";
import { findPage, pagesOf, type PageDoc } from "./store.ts";

/** Maximum nesting of pages. */
const MAX_DEPTH = 20;
const MAX_COMPONENTS = 20_000;

export const noSuchPage = () => new Failure("not_found", "no_page");

/** Applies a change to a page once; another account's page counts as missing. */
export function changePageOnce(own: Own, id: string, requestId: string, change: (doc: PageDoc) => Change<PageDoc>) {
  return changeOnce(pagesOf(own), { id, requestId, change });
}

interface Placing {
  requestId: string;
  /** Inserted in turn, each at its index or at the end. */
  places: readonly { id: string; index?: number | undefined }[];
}

/** Inserts components into the page order. */
export function placeOnPage(own: Own, pageId: string, { requestId, places }: Placing) {
  return changePageOnce(own, pageId, requestId, ({ components }) => {
    if (components.length + places.length > MAX_COMPONENTS) throw new Failure("too_large", "page_full");
    let order: string[] = components;
    for (const { id, index } of places) order = insertInOrder(order, id, index);
    return { set: { components: order } };
  });
}

async function checkParents(own: Own, parent: string | null): Promise<void> {
  let above = parent;
  for (let depth = 1; above !== null; depth += 1) {
    const page = await findPage(own, above);
    if (!page && depth === 1) throw noSuchPage();
    if (depth > MAX_DEPTH) throw new Failure("bad_input", "page_too_deep");
    above = page?.parent ?? null;
  }
}

async function createPage(own: Own, request: SyncRequestOf<"page_create">, now: number): Promise<void> {
  await checkParents(own, request.data.parent);
  const { ownedBy: _owner, children: _children, ...page } = freshPage(request, own.ownerId);
  const fresh = { ...page, lastUpdated: now, rev: 1, applied: [{ id: request.id }], deletedAt: null };
  if ((await pagesOf(own).insert(fresh)) === "inserted") return;
  // A repeated request, or a deleted page that is restored with everything on it.
  await changePageOnce(own, request.resourceId, request.id, (held) =>
    held.deletedAt === null ? { set: {} } : { set: { deletedAt: null, lastUpdated: now } },
  );
}

export const pageAppliers: Appliers<"page_create" | "page_delete" | "page_update" | "page_component_sort"> = {
  async page_create({ own, clock }, request) {
    await createPage(own, request, clock.now());
    return {};
  },
  async page_delete({ own, clock }, { id, resourceId }) {
    await changePageOnce(own, resourceId, id, () => ({ set: { deletedAt: clock.now() } }));
    return {};
  },
  async page_update({ own, clock }, request) {
    const now = clock.now();
    await changePageOnce(own, request.resourceId, request.id, (held) => {
      const { title, emoji, archived, archivedAt, order, lastOpened } = changePage(
        { ...held, ownedBy: own.ownerId, children: [] },
        { ...request, createdAt: now },
      );
      const isContent = request.data.title !== undefined || request.data.emoji !== undefined;
      const lastUpdated = isContent ? now : held.lastUpdated;
      return { set: { title, emoji, archived, archivedAt, order, lastOpened, lastUpdated } };
    });
    return {};
  },
  async page_component_sort({ own }, { id, resourceId, data }) {
    await changePageOnce(own, resourceId, id, ({ components }) => ({
      set: { components: mergeOrder(components, data.componentIds).slice(0, MAX_COMPONENTS) },
    }));
    return {};
  },
};
