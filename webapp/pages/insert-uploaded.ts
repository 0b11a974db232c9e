import type { Component } from "#shared/pages/schema.ts";
import type { Upload } from "#webapp/uploads/uploads.ts";
import { moveBlockBetween, type Neighbours } from "./editor/block-position.ts";
import type { PageSession } from "./session/page-session.ts";

/** Files that are already on the page, by upload batch. */
const placedByBatch = new Map<string, { index: number; id: string }[]>();

/**
 * Inserts an uploaded file. Uploads may finish out of order, but the files of a batch keep the order in which they were
 * chosen.
 */
export function insertUploaded(
  session: PageSession | undefined,
  { pageId, after, batch, index }: Upload,
  component: Component,
): void {
  if (session?.pageId !== pageId) return;
  const placed = (placedByBatch.get(batch) ?? []).toSorted((a, b) => a.index - b.index);
  const above = placed.findLast((file) => file.index < index)?.id;
  const below = placed.find((file) => file.index > index)?.id;
  insertOrMove(session, component, { after: above ?? after ?? undefined, before: above ? undefined : below });
  placedByBatch.set(batch, [...placed, { index, id: component._id }]);
}

/** If a reload already added the component at the end, moves it to its position. */
function insertOrMove(session: PageSession, component: Component, neighbours: Neighbours): void {
  if (session.contentOf(component._id) === undefined) session.insertStored(component, neighbours);
  else {
    const view = session.editor?.view;
    const tr = view && moveBlockBetween(view.state, component._id, neighbours);
    if (tr) view.dispatch(tr);
  }
  // Saved at once, because the server still has the component at the end of the page and would report that order.
  void session.saver.flush();
}
