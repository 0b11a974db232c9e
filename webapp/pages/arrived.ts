import type { Component } from "#shared/pages/schema.ts";
import type { Upload } from "#webapp/uploads/uploads.ts";
import { bringTo, type Between } from "./editor/placing.ts";
import type { PageSession } from "./session/page-session.ts";

/** Of files that were brought together, which stand on the page already. */
const placed = new Map<string, { index: number; id: string }[]>();

/** Files may arrive in another order than they were brought in; they stand in the one they were brought in. */
export function showArrived(
  session: PageSession | undefined,
  { pageId, after, batch, index }: Upload,
  component: Component,
): void {
  if (session?.pageId !== pageId) return;
  const others = (placed.get(batch) ?? []).toSorted((a, b) => a.index - b.index);
  const above = others.findLast((other) => other.index < index)?.id;
  const below = others.find((other) => other.index > index)?.id;
  putAt(session, component, { after: above ?? after ?? undefined, before: above ? undefined : below });
  placed.set(batch, [...others, { index, id: component._id }]);
}

/** A page that was fetched meanwhile shows it already, at its end: then it is brought to its place. */
function putAt(session: PageSession, component: Component, place: Between): void {
  if (session.contentOf(component._id) === undefined) session.insertStored(component, place);
  else {
    const view = session.editor?.view;
    const tr = view && bringTo(view.state, component._id, place);
    if (tr) view.dispatch(tr);
  }
  // At once: the server has it at the page's end, and tells so before long to whoever has not said otherwise.
  void session.saver.flush();
}
