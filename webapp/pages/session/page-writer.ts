import type { Component } from "#shared/pages/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";
import type { Changes } from "../editor/changes.ts";

/** Writes a page's edits to the sync queue; each promise resolves once the change is stored on this device. */
export interface PageWriter {
  create(component: Component, index: number): Promise<unknown>;
  update(componentId: string, content: Record<string, unknown>, baseVersion: number | undefined): Promise<unknown>;
  remove(componentId: string): Promise<unknown>;
  reorder(componentIds: string[]): Promise<unknown>;
  move(componentId: string, target: { from: string; to: string; index?: number }): Promise<unknown>;
}

/** Bound to the queue of the account that opened the page, even if another account signs in before the write ends. */
export const createPageWriter = (syncQueue: SyncQueue, pageId: string): PageWriter => ({
  create: (component, index) =>
    syncQueue.enqueue("component_create", component._id, { component, parentId: component.pageId, index }),
  update: (id, newContent, baseVersion) =>
    syncQueue.enqueue("component_content_update", id, { newContent }, baseVersion === undefined ? {} : { baseVersion }),
  remove: (id) => syncQueue.enqueue("component_delete", id, {}),
  move: (id, { from: fromPageId, to: toPageId, index }) =>
    syncQueue.enqueue("component_move", id, { fromPageId, toPageId, ...(index === undefined ? {} : { index }) }),
  reorder: (componentIds) => syncQueue.enqueue("page_component_sort", pageId, { componentIds }),
});

interface WriteContext {
  writer: PageWriter;
  pageId: string;
  userId: string;
  /** The target page of moved components. */
  moves: ReadonlyMap<string, string>;
  versionOf: (componentId: string) => number | undefined;
  learnVersion: (componentId: string, version: number) => void;
}

/** Writes an editor's changes; resolves when all of them are stored on this device. */
export async function writeChanges(
  { created, updated, deleted, order }: Changes,
  context: WriteContext,
): Promise<void> {
  const { writer, pageId, userId, moves } = context;
  const now = Date.now();
  const writes: Promise<unknown>[] = [];
  for (const id of deleted) {
    const to = moves.get(id);
    writes.push(to === undefined ? writer.remove(id) : writer.move(id, { from: pageId, to }));
  }
  for (const { block, index } of created) {
    const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: userId, lastOpenedAt: null, version: 1 };
    const from = moves.get(block._id);
    if (from !== undefined) {
      writes.push(writer.move(block._id, { from, to: pageId, index }));
      continue;
    }
    context.learnVersion(block._id, 1);
    writes.push(writer.create({ ...block, ...meta } as Component, index));
  }
  for (const { _id, content } of updated) writes.push(writer.update(_id, content, context.versionOf(_id)));
  if (order) writes.push(writer.reorder(order));
  await Promise.all(writes);
}
