const COUNTED_MS = 30 * 60_000;
const MAX_REMEMBERED = 20_000;

/** Last view of each visitor by share; in memory only, because visits are not stored. */
const looks = new Map<string, number>();

/** Whether a view counts: the first one of an address in half an hour. */
export function isFirstLook(shareId: string, address: string, now: number): boolean {
  const key = `${shareId} ${address}`;
  const last = looks.get(key);
  if (last !== undefined && now - last < COUNTED_MS) return false;
  looks.delete(key);
  looks.set(key, now);
  const [oldest] = looks.keys();
  if (looks.size > MAX_REMEMBERED && oldest !== undefined) looks.delete(oldest);
  return true;
}
