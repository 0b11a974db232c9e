import { Failure } from "#shared/contract/failure.ts";
import { applyPageUpdate, buildPage } from "#shared/pages/present.ts";
import { insertInOrder, mergeOrder } from "#shared/pages/rules.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { SyncTable } from "#api/sync/sync-table.ts";
import { changeOnce, type DocumentChange } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findPage, pagesOf, type PageDoc } from "../store.ts";

/** Maximum nesting of pages. */
const MAX_DEPTH = 20;
const MAX_COMPONENTS = 20_000;

export const pageNotFound = () => new Failure("not_found", "no_page");

/** Applies a change to a page once; another account's page counts as missing. */
export function updatePageOnce(
  own: Own,
  id: string,
  requestId: string,
  change: (doc: PageDoc) => DocumentChange<PageDoc>,
) {
  return changeOnce(pagesOf(own), { id, requestId, change });
}

interface OrderInsertion {
  requestId: string;
  /** Inserted in turn, each at its index or at the end. */
  positions: readonly { id: string; index?: number | undefined }[];
}

/** Inserts components into the page order. */
export function insertIntoPageOrder(own: Own, pageId: string, { requestId, positions }: OrderInsertion) {
  return updatePageOnce(own, pageId, requestId, ({ components }) => {
    if (components.length + positions.length > MAX_COMPONENTS) throw new Failure("too_large", "page_full");
    let order: string[] = components;
    for (const { id, index } of positions) order = insertInOrder(order, id, index);
    return { set: { components: order } };
  });
}

async function requireValidParents(own: Own, parent: string | null): Promise<void> {
  let ancestorId = parent;
  for (let depth = 1; ancestorId !== null; depth += 1) {
    const page = await findPage(own, ancestorId);
    if (!page && depth === 1) throw pageNotFound();
    if (depth > MAX_DEPTH) throw new Failure("bad_input", "page_too_deep");
    ancestorId = page?.parent ?? null;
  }
}

async function createPage(own: Own, request: SyncRequestOf<"page_create">, now: number): Promise<void> {
  await requireValidParents(own, request.data.parent);
  const { ownedBy: _owner, children: _children, ...page } = buildPage(request, own.ownerId);
  const newPage = { ...page, lastUpdated: now, rev: 1, applied: [{ id: request.id }], deletedAt: null };
  if ((await pagesOf(own).insert(newPage)) === "inserted") return;
  // A repeated request, or a deleted page that is restored with everything on it.
  await updatePageOnce(own, request.resourceId, request.id, (current) =>
    current.deletedAt === null ? { set: {} } : { set: { deletedAt: null, lastUpdated: now } },
  );
}

const change = ({ resourceId }: { resourceId: string }) => ({ kind: "page", ids: [resourceId] }) as const;

/** Opening a page changes only `lastOpened`, which other browsers do not show. */
const isOpenOnly = (data: object) => Object.keys(data).every((key) => key === "lastOpened");

type PageRequest = "page_create" | "page_delete" | "page_update" | "page_component_sort";

export const pageRows = {
  page_create: {
    async apply({ own, clock }, request) {
      await createPage(own, request, clock.now());
      return {};
    },
    change,
  },
  page_delete: {
    async apply({ own, clock }, { id, resourceId }) {
      await updatePageOnce(own, resourceId, id, () => ({ set: { deletedAt: clock.now() } }));
      return {};
    },
    isRemoval: () => true,
    change,
  },
  page_update: {
    async apply({ own, clock }, request) {
      const now = clock.now();
      await updatePageOnce(own, request.resourceId, request.id, (current) => {
        const { title, emoji, archived, archivedAt, order, lastOpened } = applyPageUpdate(
          { ...current, ownedBy: own.ownerId, children: [] },
          { ...request, createdAt: now },
        );
        const isContent = request.data.title !== undefined || request.data.emoji !== undefined;
        const lastUpdated = isContent ? now : current.lastUpdated;
        return { set: { title, emoji, archived, archivedAt, order, lastOpened, lastUpdated } };
      });
      return {};
    },
    isRemoval: ({ data }) => data.archived === true,
    change: (request) => (isOpenOnly(request.data) ? undefined : change(request)),
  },
  page_component_sort: {
    async apply({ own }, { id, resourceId, data }) {
      await updatePageOnce(own, resourceId, id, ({ components }) => ({
        set: { components: mergeOrder(components, data.componentIds).slice(0, MAX_COMPONENTS) },
      }));
      return {};
    },
    change,
  },
} satisfies SyncTable<PageRequest>;
