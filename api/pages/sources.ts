import { groupBy, sortByIds } from "#shared/pages/rules.ts";
import type { Component, ComponentType, TextContent } from "#shared/pages/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { presentComponent } from "./present.ts";
import { componentsOf, findPage, listOnPage, listPages } from "./store.ts";

/** A page with a summary of its components: enough to detect what changed since it was indexed. */
export interface SourcePage {
  pageId: string;
  title: string;
  lastUpdated: number;
  parts: {
    _id: string;
    type: ComponentType;
    version: number;
    title: string;
    fileId: string | null;
    modifiedAt: number;
  }[];
}

const partFields = ["_id", "pageId", "type", "version", "title", "fileId", "isArchived", "modifiedAt"] as const;

/** Active pages, latest change first. */
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
      const ordered = sortByIds(onPage.get(pageId) ?? [], components);
      const summaries = ordered.map(({ _id, type, version, title: name, fileId, modifiedAt }) => {
        return { _id, type, version, title: name, fileId: fileId ?? null, modifiedAt };
      });
      return { pageId, title, lastUpdated, parts: summaries };
    });
}

/** Components of a page in page order; empty if there is no such page. */
export async function listComponents(own: Own, pageId: string): Promise<Component[]> {
  const page = await findPage(own, pageId);
  return page ? (await listOnPage(own, page)).map(presentComponent) : [];
}

type FileComponent = Extract<Component, { type: "image" | "video" }>;

/** Files and videos on active pages, with the page title. */
export async function listFileComponents(own: Own): Promise<{ component: FileComponent; pageTitle: string }[]> {
  const [pages, docs] = await Promise.all([
    listPages(own),
    componentsOf(own).find({ type: { in: ["image", "video"] }, deletedAt: null, isArchived: false }),
  ]);
  const titles = new Map(pages.filter((page) => !page.archived).map(({ _id, title }) => [_id, title]));
  return docs.flatMap((doc) => {
    const component = presentComponent(doc) as FileComponent;
    const pageTitle = titles.get(doc.pageId);
    const isEmpty = component.content.file.id === "" && component.content.url === "";
    return pageTitle === undefined || isEmpty ? [] : [{ component, pageTitle }];
  });
}

/** Decks on active pages, including their cards. */
export async function listDecks(own: Own): Promise<Component[]> {
  const [pages, decks] = await Promise.all([
    listPages(own),
    componentsOf(own).find({ type: "flash_cards", deletedAt: null }),
  ]);
  const shown = new Set(pages.filter((page) => !page.archived).map(({ _id }) => _id));
  return decks.filter(({ pageId }) => shown.has(pageId)).map(presentComponent);
}

/** Texts on the given pages. */
export async function listTexts(own: Own, pageIds: readonly string[]): Promise<TextContent[]> {
  if (pageIds.length === 0) return [];
  const docs = await componentsOf(own).find({ type: "text", pageId: { in: [...pageIds] }, deletedAt: null });
  return docs.flatMap((doc) => {
    const component = presentComponent(doc);
    return component.type === "text" ? component.content : [];
  });
}
