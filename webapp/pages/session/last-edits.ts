import type { Block } from "#shared/pages/document.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import type { Changes } from "../editor/changes.ts";

const storageKey = (accountId: string, pageId: string) => `lamplight_last_edits_${accountId}_${pageId}`;

interface Stash extends Pick<Changes, "created" | "updated"> {
  /** The base version of each updated component. */
  bases: Record<string, number>;
}

export interface LastEdits extends Pick<Changes, "created"> {
  updated: { block: Block; baseVersion: number | undefined }[];
}

/**
 * Stores the last unsaved edits synchronously in local storage when a tab closes, because IndexedDB is too slow for
 * that. A tab removes only its own entry: another tab may have been killed.
 */
export function createEditStash(accountId: string, pageId: string) {
  let isStashed = false;
  const forget = () => {
    if (isStashed) removeLocal(storageKey(accountId, pageId));
    isStashed = false;
  };
  return {
    forget,
    stash: (batches: readonly Changes[], versions: ReadonlyMap<string, number>): void => {
      const created = batches.flatMap((changes) => changes.created);
      const updated = batches.flatMap((changes) => changes.updated);
      if (created.length + updated.length === 0) return forget();
      const bases = Object.fromEntries(updated.map(({ _id }) => [_id, versions.get(_id) ?? 0]));
      writeLocal(storageKey(accountId, pageId), JSON.stringify({ created, updated, bases } satisfies Stash));
      isStashed = true;
    },
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Recovers the edits of a tab that closed before they were saved, except for those that were. */
export function recoverLastEdits(accountId: string, pageId: string, { components }: PageState): LastEdits {
  const text = readLocal(storageKey(accountId, pageId));
  if (text === null) return { created: [], updated: [] };
  removeLocal(storageKey(accountId, pageId));
  const { created, updated, bases = {} } = JSON.parse(text) as Partial<Stash> & Omit<Stash, "bases">;
  const storedById = new Map(components.map((component) => [component._id, component]));
  const newest = new Map(updated.map((block): [string, Block] => [block._id, block]));
  return {
    created: created
      .filter(({ block }) => !storedById.has(block._id))
      .map(({ block, index }) => ({ block: newest.get(block._id) ?? block, index })),
    updated: [...newest.values()]
      .filter(({ _id, content }) => storedById.has(_id) && !isSame(storedById.get(_id)?.content, content))
      .map((block) => ({ block, baseVersion: bases[block._id] ?? storedById.get(block._id)?.version })),
  };
}
