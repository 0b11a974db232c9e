import type { Block } from "#shared/pages/document.ts";
import type { PageState } from "#shared/sync/overlay.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/kit/local.ts";
import type { Changes } from "./editor/changes.ts";

const key = (accountId: string, pageId: string) => `lamplight_last_edits_${accountId}_${pageId}`;

type LastEdits = Pick<Changes, "created" | "updated">;

/**
 * What was typed in the last moments before a tab goes, written at once: the disk that the queue lies on answers later
 * than a closing tab waits.
 */
export function stashLastEdits(accountId: string, pageId: string, all: readonly Changes[]): void {
  const created = all.flatMap((changes) => changes.created);
  const updated = all.flatMap((changes) => changes.updated);
  if (created.length + updated.length === 0) removeLocal(key(accountId, pageId));
  else writeLocal(key(accountId, pageId), JSON.stringify({ created, updated } satisfies LastEdits));
}

export function forgetLastEdits(accountId: string, pageId: string): void {
  removeLocal(key(accountId, pageId));
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The edits of a tab that went too soon, as far as they did not reach the disk after all. */
export function takeLastEdits(accountId: string, pageId: string, { components }: PageState): LastEdits {
  const text = readLocal(key(accountId, pageId));
  if (text === null) return { created: [], updated: [] };
  removeLocal(key(accountId, pageId));
  const { created, updated } = JSON.parse(text) as LastEdits;
  const held = new Map(components.map((component) => [component._id, component]));
  const newest = new Map(updated.map((block): [string, Block] => [block._id, block]));
  return {
    created: created
      .filter(({ block }) => !held.has(block._id))
      .map(({ block, index }) => ({ block: newest.get(block._id) ?? block, index })),
    updated: [...newest.values()].filter(
      ({ _id, content }) => held.has(_id) && !isSame(held.get(_id)?.content, content),
    ),
  };
}
