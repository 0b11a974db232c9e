import { groupBy, inOrder } from "#shared/pages/rules.ts";
import type { Component, ComponentType } from "#shared/pages/schema.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { presentComponent } from "./present.ts";
import { componentsOf, findPage, listOnPage, listPages } from "./store.ts";

/** A page with what stands on it, in short: enough to know what changed since it was last read. */
export interface SourcePage {
  pageId: string;
  title: string;
  lastUpdated: number;
  parts: { _id: string; type: ComponentType; version: number; title: string; fileId: string | null }[];
}

const partFields = ["_id", "pageId", "type", "version", "title", "fileId", "isArchived"] as const;

/** The caller's pages that are neither archived nor deleted, the one that changed last first. */
export async function listSourcePages(own: Own): Promise<SourcePage[]> {
  const [pages, parts] = await Promise.all([
    listPages(own),
    componentsOf(own).find({ deletedAt: null }, { fields: partFields }),
  ]);
  const onPage = groupBy(
    parts.filter((part) => !part.isArchived),
    (part) => part.pageId,
  );
  return pages
    .filter((page) => !page.archived)
    .toSorted((a, b) => b.lastUpdated - a.lastUpdated)
    .map(({ _id: pageId, title, lastUpdated, components }) => {
      const held = inOrder(onPage.get(pageId) ?? [], components);
      const short = held.map(({ _id, type, version, title: name, fileId }) => {
        return { _id, type, version, title: name, fileId: fileId ?? null };
      });
      return { pageId, title, lastUpdated, parts: short };
    });
}

/** What stands on a page, in its order; nothing where there is no such page. */
export async function listComponents(own: Own, pageId: string): Promise<Component[]> {
  const page = await findPage(own, pageId);
  return page ? (await listOnPage(own, page)).map(presentComponent) : [];
}
