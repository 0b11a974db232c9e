import type { Block } from "#shared/pages/document.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import type { Changes } from "../editor/changes.ts";

const storageKey = (accountId: string, pageId: string) => `lamplight_last_edits_${accountId}_${pageId}`;

/** Edits that the sync queue does not have yet. */
export interface EditStash extends Pick<Changes, "created" | "updated" | "deleted" | "order"> {
  /** The base version of each updated component. */
  bases: Record<string, number>;
}

export interface LastEdits extends Pick<Changes, "created" | "deleted" | "order"> {
  updated: { block: Block; baseVersion: number | undefined }[];
}

/** Edits with their base versions; undefined if there are none. */
export function toEditStash(
  batches: readonly Changes[],
  versions: ReadonlyMap<string, number>,
  moves: ReadonlyMap<string, string> = new Map(),
): EditStash | undefined {
  const created = batches.flatMap((changes) => changes.created).filter(({ block }) => !moves.has(block._id));
  const updated = batches.flatMap((changes) => changes.updated);
  const deleted = batches.flatMap((changes) => changes.deleted).filter((id) => !moves.has(id));
  const order = batches.findLast((changes) => changes.order !== null)?.order ?? null;
  if (created.length + updated.length + deleted.length === 0 && order === null) return undefined;
  const bases = Object.fromEntries(updated.map(({ _id }) => [_id, versions.get(_id) ?? 0]));
  return { created, updated, deleted, order, bases };
}

/**
 * Stores the last unsaved edits synchronously in local storage when a tab closes, because IndexedDB is too slow for
 * that. A tab removes only an entry that it wrote, because the entry of a killed tab is still needed.
 */
export function createEditStash(accountId: string, pageId: string) {
  let isStashed = false;
  const forget = () => {
    if (isStashed) removeLocal(storageKey(accountId, pageId));
    isStashed = false;
  };
  return {
    forget,
    stash: (edits: EditStash | undefined): void => {
      if (!edits) return forget();
      writeLocal(storageKey(accountId, pageId), JSON.stringify(edits));
      isStashed = true;
    },
  };
}

/** The edits that a closing tab stored. Reading does not remove them. */
export function readStash(accountId: string, pageId: string): unknown {
  const text = readLocal(storageKey(accountId, pageId));
  return text === null ? undefined : JSON.parse(text);
}

export const removeStash = (accountId: string, pageId: string): void => removeLocal(storageKey(accountId, pageId));

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The order with each block added that was created after it, at the block's index. */
function withNewBlocks(order: readonly string[], created: Changes["created"]): string[] {
  const ids = [...order];
  for (const { block, index } of created) if (!ids.includes(block._id)) ids.splice(index, 0, block._id);
  return ids;
}

/** The edits of a tab that ended before it saved them. Edits that the page already has are left out. */
export function recoverEdits(stash: unknown, { components }: PageState): LastEdits {
  const { created = [], updated = [], deleted = [], order = null, bases = {} } = (stash ?? {}) as Partial<EditStash>;
  const storedById = new Map(components.map((component) => [component._id, component]));
  const newest = new Map(updated.map((block): [string, Block] => [block._id, block]));
  return {
    created: created
      .filter(({ block }) => !storedById.has(block._id))
      .map(({ block, index }) => ({ block: newest.get(block._id) ?? block, index })),
    updated: [...newest.values()]
      .filter(({ _id, content }) => storedById.has(_id) && !isSame(storedById.get(_id)?.content, content))
      .map((block) => ({ block, baseVersion: bases[block._id] ?? storedById.get(block._id)?.version })),
    deleted: deleted.filter((id) => storedById.has(id)),
    order: order && withNewBlocks(order, created),
  };
}
