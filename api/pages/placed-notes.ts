import type { Component } from "#shared/pages/schema.ts";
import type { Own } from "#api/store/owned.ts";
import { changePageOnce } from "./apply-page.ts";
import { saveComponent, savePage } from "./copying.ts";
import { componentsOf, pagesOf } from "./store.ts";

export interface PlacedNote {
  pageId: string;
  title: string;
  emoji: string | null;
  components: readonly Component[];
  /** Ids of everything on the page, including files that are stored later. */
  order: readonly string[];
  now: number;
}

/** `known`: it existed and is left unchanged. `restored`: it was deleted and comes back as it was. */
export type NotePlacing = "made" | "known" | "restored";

/** Creates the page of a note once; later edits by the student are preserved. */
export async function placeNote(own: Own, note: PlacedNote): Promise<NotePlacing> {
  const { pageId, title, emoji, components, order, now } = note;
  const held = await pagesOf(own).get(pageId);
  if (held && held.deletedAt === null && !held.archived) return "known";
  if (held) {
    const back = { deletedAt: null, archived: false, archivedAt: null };
    await changePageOnce(own, pageId, `note:${now}`, () => ({ set: back }));
    return "restored";
  }
  for (const component of components) await saveComponent(own, component, now);
  await savePage(own, { pageId, title, emoji, now }, order);
  return "made";
}

/** Whether a file's component was never created, as after an interrupted import or a refused file. */
export const isMissing = async (own: Own, componentId: string): Promise<boolean> =>
  (await componentsOf(own).get(componentId)) === undefined;

/** Archives pages, as their student would; they can be restored. Returns the ids of those it archived. */
export async function archivePages(own: Own, pageIds: readonly string[], now: number): Promise<string[]> {
  const gone: string[] = [];
  for (const id of pageIds) {
    const page = await pagesOf(own).get(id);
    if (!page || page.deletedAt !== null || page.archived) continue;
    await changePageOnce(own, id, `undo:${now}`, () => ({ set: { archived: true, archivedAt: now } }));
    gone.push(id);
  }
  return gone;
}
