import type { Item, ItemSort } from "./items.ts";

/** A page with its decks and files, or an item that is not on a listed page. */
export interface ItemGroup {
  head: Item;
  /** The decks and files on the page. */
  children: readonly Item[];
}

/** The maximum number of children that are shown before the page is unfolded. */
const CHILDREN_SHOWN = 5;

/**
 * Groups sorted items by page. A group has the position of its first item, so that a page moves up with its deck. When
 * sorted by title, the page's title decides the position instead.
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

/**
 * Splits a page's items into the first few, which are shown, and the other items and all pictures, which are folded.
 */
export function foldChildren(children: readonly Item[]): { shown: readonly Item[]; folded: readonly Item[] } {
  const shown = children.filter(({ kind }) => kind !== "image").slice(0, CHILDREN_SHOWN);
  const isShown = new Set(shown);
  return { shown, folded: children.filter((item) => !isShown.has(item)) };
}

/** The first groups that together have at least `rows` items, and the number of items in the remaining groups. */
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
