/**
 * The ids in the `requested` order. Ids missing from it stay after their previous neighbour instead of being removed.
 */
export function mergeOrder(current: readonly string[], requested: readonly string[]): string[] {
  const named = new Set(requested);
  const followers = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const id of current) {
    if (named.has(id)) anchor = id;
    else followers.set(anchor, [...(followers.get(anchor) ?? []), id]);
  }
  return [...(followers.get(null) ?? []), ...[...named].flatMap((id) => [id, ...(followers.get(id) ?? [])])];
}

/** Inserts `id` at `index`, or at the end; an id that is already present keeps its position. */
export function insertInOrder(current: readonly string[], id: string, index?: number): string[] {
  if (current.includes(id)) return [...current];
  return index === undefined ? [...current, id] : current.toSpliced(index, 0, id);
}

interface Ordered {
  _id: string;
  createdAt: number;
}

/** Items in the given order, followed by items that the order does not contain, oldest first. */
export function sortByIds<T extends Ordered>(things: readonly T[], order: readonly string[]): T[] {
  // Fast path: items are nearly always in order already.
  if (things.length === order.length && things.every(({ _id }, index) => _id === order[index])) return [...things];
  const remaining = new Map(things.map((thing) => [thing._id, thing]));
  const named = order.flatMap((id) => {
    const thing = remaining.get(id);
    remaining.delete(id);
    return thing ? [thing] : [];
  });
  const rest = [...remaining.values()].toSorted((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1));
  return [...named, ...rest];
}

const PRIMES = [0x9e3779b1, 0x5f356495] as const;

/** A 64-bit fingerprint in hex for comparing texts; not cryptographically secure. */
export function fingerprint(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, PRIMES[0]);
    low = Math.imul(low ^ unit, PRIMES[1]);
  }
  high = Math.imul(high ^ (high >>> 16), PRIMES[1]) ^ Math.imul(low ^ (low >>> 13), PRIMES[0]);
  low = Math.imul(low ^ (low >>> 16), PRIMES[1]) ^ Math.imul(high ^ (high >>> 13), PRIMES[0]);
  return [high, low].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}

/** A digest of a page's components and their versions, which client and server compare after a flush. */
export function pageDigest(components: readonly { _id: string; version: number }[]): {
  componentCount: number;
  hash: string;
} {
  const text = components.map(({ _id, version }) => `${_id}:${version}`).join("\n");
  return { componentCount: components.length, hash: fingerprint(text) };
}

/** Groups items by key, keeping their order. */
export function groupBy<K, T>(things: readonly T[], keyOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const group = groups.get(keyOf(thing));
    if (group) group.push(thing);
    else groups.set(keyOf(thing), [thing]);
  }
  return groups;
}
