import type { Component } from "#shared/pages/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";

/** Writes a page's edits to the sync queue; each promise resolves once the change is stored on this device. */
export interface PageKeeper {
  create(component: Component, index: number): Promise<unknown>;
  update(componentId: string, content: Record<string, unknown>, baseVersion: number | undefined): Promise<unknown>;
  remove(componentId: string): Promise<unknown>;
  arrange(componentIds: string[]): Promise<unknown>;
  move(componentId: string, way: { from: string; to: string; index?: number }): Promise<unknown>;
}

/** Bound to the queue of the account that opened the page, even if another account signs in before the write ends. */
export const keeperOf = (mine: SyncQueue, pageId: string): PageKeeper => ({
  create: (component, index) =>
    mine.enqueue("component_create", component._id, { component, parentId: component.pageId, index }),
  update: (id, newContent, baseVersion) =>
    mine.enqueue("component_content_update", id, { newContent }, baseVersion === undefined ? {} : { baseVersion }),
  remove: (id) => mine.enqueue("component_delete", id, {}),
  move: (id, { from: fromPageId, to: toPageId, index }) =>
    mine.enqueue("component_move", id, { fromPageId, toPageId, ...(index === undefined ? {} : { index }) }),
  arrange: (componentIds) => mine.enqueue("page_component_sort", pageId, { componentIds }),
});
