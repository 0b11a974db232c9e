import type { Component } from "#shared/pages/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { updatePageOnce } from "../sync/apply-page.ts";
import { saveNewComponent, saveNewPage } from "./copy-page.ts";
import { componentsOf, pagesOf, refuseForeignPageId } from "../store.ts";

export interface NoteToStore {
  pageId: string;
  title: string;
  emoji: string | null;
  components: readonly Component[];
  /** Ids of everything on the page, including files that are stored later. */
  order: readonly string[];
  now: number;
}

/**
 * `known`: the page exists and is left unchanged. `restored`: the page was deleted or archived, and is restored
 * unchanged.
 */
export type NoteOutcome = "made" | "known" | "restored";

/** Creates the page of a note once; later edits by the student are preserved. */
export async function createNotePage(own: Own, note: NoteToStore): Promise<NoteOutcome> {
  const { pageId, title, emoji, components, order, now } = note;
  const existing = await pagesOf(own).get(pageId);
  if (existing && existing.deletedAt === null && !existing.archived) return "known";
  if (existing) {
    const restored = { deletedAt: null, archived: false, archivedAt: null };
    await updatePageOnce(own, pageId, `note:${now}`, () => ({ set: restored }));
    return "restored";
  }
  await refuseForeignPageId(own, pageId);
  for (const component of components) await saveNewComponent(own, component, now);
  await saveNewPage(own, { pageId, title, emoji, now }, order);
  return "made";
}

/** Whether a file's component was never created, as after an interrupted import or a refused file. */
export const isComponentMissing = async (own: Own, componentId: string): Promise<boolean> =>
  (await componentsOf(own).get(componentId)) === undefined;

/** Archives pages as their student would, so that they can be restored. Returns the ids of the archived pages. */
export async function archivePages(own: Own, pageIds: readonly string[], now: number): Promise<string[]> {
  const archivedIds: string[] = [];
  for (const id of pageIds) {
    const page = await pagesOf(own).get(id);
    if (!page || page.deletedAt !== null || page.archived) continue;
    await updatePageOnce(own, id, `undo:${now}`, () => ({ set: { archived: true, archivedAt: now } }));
    archivedIds.push(id);
  }
  return archivedIds;
}
