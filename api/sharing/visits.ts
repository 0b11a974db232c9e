const COUNTED_MS = 30 * 60_000;
const MAX_REMEMBERED = 20_000;

/** Latest look of each visitor at each share; in memory alone, since nobody's visits are kept. */
const looks = new Map<string, number>();

/** Whether this look counts: the first one of an address in half an hour. */
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
