export const PAGE_SIZE = 50;

/**
 * Cuts a list that was read with a limit of `PAGE_SIZE + 1`; the extra item only shows that there is a next page. `next` is
 * null at the end.
 */
export function toPage<T>(found: readonly T[], cursorOf: (item: T) => string): { items: T[]; next: string | null } {
  const items = found.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  return { items, next: found.length > PAGE_SIZE && last !== undefined ? cursorOf(last) : null };
}
