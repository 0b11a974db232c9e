import type { Component } from "#shared/pages/schema.ts";
import type { SyncQueue } from "#shared/sync/queue.ts";

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
