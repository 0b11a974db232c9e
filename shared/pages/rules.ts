/** Whatever was made so lately was hardly opened: it is not noted as opened. */
export const VERY_RECENT_MS = 4_000;

/** `wanted` first to last, and what it leaves out behind the neighbour it stood behind: absence removes nothing. */
export function mergeOrder(held: readonly string[], wanted: readonly string[]): string[] {
  const named = new Set(wanted);
  const followers = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const id of held) {
    if (named.has(id)) anchor = id;
    else followers.set(anchor, [...(followers.get(anchor) ?? []), id]);
  }
  return [...(followers.get(null) ?? []), ...[...named].flatMap((id) => [id, ...(followers.get(id) ?? [])])];
}

/** Puts `id` at `index`, or at the end where there is none; an id that has a place keeps it. */
export function insertInOrder(held: readonly string[], id: string, index?: number): string[] {
  if (held.includes(id)) return [...held];
  return index === undefined ? [...held, id] : held.toSpliced(index, 0, id);
}

interface Ordered {
  _id: string;
  createdAt: number;
}

/** Things in the given order; those it does not name follow, oldest first. */
export function inOrder<T extends Ordered>(things: readonly T[], order: readonly string[]): T[] {
  // Things lie in their order nearly always, which is then all that has to be found out.
  if (things.length === order.length && things.every(({ _id }, index) => _id === order[index])) return [...things];
  const left = new Map(things.map((thing) => [thing._id, thing]));
  const named = order.flatMap((id) => {
    const thing = left.get(id);
    left.delete(id);
    return thing ? [thing] : [];
  });
  const rest = [...left.values()].toSorted((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1));
  return [...named, ...rest];
}

const PRIMES = [0x9e3779b1, 0x5f356495] as const;

/** A 64-bit fingerprint in hex, to compare texts; it guards against nothing but chance. */
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

/** What client and server compare after a flush: the components of a page, in order, each with its version. */
export function digestOf(components: readonly { _id: string; version: number }[]): {
  componentCount: number;
  hash: string;
} {
  const text = components.map(({ _id, version }) => `${_id}:${version}`).join("\n");
  return { componentCount: components.length, hash: fingerprint(text) };
}

/** Things by what they have in common, in the order in which they came. */
export function groupBy<K, T>(things: readonly T[], keyOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const group = groups.get(keyOf(thing));
    if (group) group.push(thing);
    else groups.set(keyOf(thing), [thing]);
  }
  return groups;
}
