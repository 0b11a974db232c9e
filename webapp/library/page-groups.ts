import type { Item, ItemSort } from "./items.ts";

/** A page with what is on it, or an item that is on no page. */
export interface ItemGroup {
  head: Item;
  /** Decks and files on the page, without pictures at first. */
  children: readonly Item[];
}

/** Children that are listed before the rest is folded. */
const CHILDREN_SHOWN = 5;

/**
 * The sorted items as groups, each page above its own decks and files. A group comes where its first item does, so that
 * a page moves up with its deck; by title, the page's title decides.
 */
export function groupByPage(items: readonly Item[], sort: ItemSort): ItemGroup[] {
  const heads = new Map(items.filter(({ kind }) => kind === "page").map((page) => [page.id, page]));
  const groups = new Map<string, { head: Item; children: Item[] }>();
  for (const item of items) {
    const page = heads.get(item.pageId);
    const head = page ?? item;
    const group = groups.get(head.id) ?? { head, children: [] };
    groups.set(head.id, group);
    if (item !== head) group.children.push(item);
  }
  const listed = [...groups.values()];
  return sort === "title" ? listed.toSorted((a, b) => a.head.title.localeCompare(b.head.title)) : listed;
}

/** Splits a page's items: pictures, and whatever exceeds a few rows, are folded. */
export function foldChildren(children: readonly Item[]): { shown: readonly Item[]; folded: readonly Item[] } {
  const shown = children.filter(({ kind }) => kind !== "image").slice(0, CHILDREN_SHOWN);
  const isShown = new Set(shown);
  return { shown, folded: children.filter((item) => !isShown.has(item)) };
}

/** The first groups with at least `rows` items, and the number of items that are left. */
export function takeGroups(groups: readonly ItemGroup[], rows: number): { shown: ItemGroup[]; rest: number } {
  const shown: ItemGroup[] = [];
  let rest = 0;
  let taken = 0;
  for (const group of groups) {
    const size = 1 + group.children.length;
    if (taken >= rows) rest += size;
    else shown.push(group);
    taken += size;
  }
  return { shown, rest };
}
