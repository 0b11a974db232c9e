export const PAGE_SIZE = 50;

/** A page of a list that was read with one item more than fits; `next` is null at the end. */
export function toPage<T>(found: readonly T[], keyOf: (item: T) => string): { items: T[]; next: string | null } {
  const items = found.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return { items, next: found.length > PAGE_SIZE && last !== undefined ? keyOf(last) : null };
}
