import type { Component } from "#shared/pages/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { presentComponent } from "./present.ts";
import { readInSlices } from "#api/store/read-in-slices.ts";
import { type ComponentDoc, componentsOf, findLiveComponent, findPage, listIdsOnPage, pagesOf } from "./store.ts";

export async function findComponent(own: Own, id: string): Promise<Component | undefined> {
  const doc = await findLiveComponent(own, id);
  return doc && presentComponent(doc);
}

interface PageHead {
  title: string;
  emoji: string | null;
  /** Increases with every change of the page and of what is on it. */
  rev: number;
}

/** Title and emoji of a page that is neither archived nor deleted. */
export async function findPageHead(own: Own, id: string): Promise<PageHead | undefined> {
  const fields = ["title", "emoji", "rev"] as const;
  const [page] = await pagesOf(own).find({ _id: id, deletedAt: null, archived: false }, { fields, limit: 1 });
  return page && { title: page.title, emoji: page.emoji ?? null, rev: page.rev };
}

const headFields = ["type", "pageId", "title", "isArchived", "rev", "cardCount"] as const;
export type ComponentHead = Pick<ComponentDoc, "_id" | (typeof headFields)[number]>;

/** A component on a page that is neither archived nor deleted, without its content. */
export async function findActiveHead(own: Own, id: string): Promise<ComponentHead | undefined> {
  const [head] = await componentsOf(own).find({ _id: id, deletedAt: null }, { fields: headFields, limit: 1 });
  return head && (await findPageHead(own, head.pageId)) ? head : undefined;
}

/** The components of a page, in page order, without their content. */
export async function listHeadsOnPage(own: Own, pageId: string): Promise<ComponentHead[]> {
  const page = await findPage(own, pageId);
  if (!page) return [];
  const heads: ComponentHead[] = [];
  const ids = await listIdsOnPage(own, page);
  for await (const head of readInSlices(componentsOf(own), ids, { fields: headFields })) heads.push(head);
  return heads;
}

/**
 * Reads components in the order of the ids, without those deleted meanwhile. The first slice has one component, because
 * each may be large.
 */
export async function* readComponents(own: Own, ids: readonly string[]): AsyncGenerator<Component> {
  for await (const doc of readInSlices(componentsOf(own), ids, { filter: { deletedAt: null }, first: 1 }))
    yield presentComponent(doc);
}

/**
 * Whether an active component, given by its id or page, is this file or shows it as its own. Pictures inside cards are
 * ignored.
 */
export const isFileShownIn = async (own: Own, scope: { _id: string } | { pageId: string }, fileId: string) =>
  (await componentsOf(own).count({ ...scope, fileId, deletedAt: null, isArchived: false })) > 0;

/** A component on a page that is neither archived nor deleted. */
export async function findActiveComponent(own: Own, id: string): Promise<Component | undefined> {
  const component = await findComponent(own, id);
  return component && (await findPageHead(own, component.pageId)) ? component : undefined;
}
