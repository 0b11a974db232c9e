import type { Component } from "#shared/pages/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { presentComponent } from "./present.ts";
import { findLiveComponent, findPage } from "./store.ts";

export async function findComponent(own: Own, id: string): Promise<Component | undefined> {
  const doc = await findLiveComponent(own, id);
  return doc && presentComponent(doc);
}

/** Title and emoji of a page that is neither archived nor deleted. */
export async function findPageHead(own: Own, id: string): Promise<{ title: string; emoji: string | null } | undefined> {
  const page = await findPage(own, id);
  return page && !page.archived ? { title: page.title, emoji: page.emoji } : undefined;
}

/** A component on such a page. */
export async function findActiveComponent(own: Own, id: string): Promise<Component | undefined> {
  const component = await findComponent(own, id);
  return component && (await findPageHead(own, component.pageId)) ? component : undefined;
}
