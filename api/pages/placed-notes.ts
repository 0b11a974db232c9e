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
  /** Ids of all that will stand on the page, files that are still to come included. */
  order: readonly string[];
  now: number;
}

/** `known`: it was here and stays as it is. `restored`: it was deleted, and comes back as it was then. */
export type NotePlacing = "made" | "known" | "restored";

/** A page of a note, made once: whatever its student did with it since stays. */
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

/** Whether a file's component was never made, as where an import broke off or a file was refused. */
export const isMissing = async (own: Own, componentId: string): Promise<boolean> =>
  (await componentsOf(own).get(componentId)) === undefined;

/** Marks pages as deleted, as their student would; they can be restored. Answers those that it found. */
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
