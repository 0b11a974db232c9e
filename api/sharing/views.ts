const REPEAT_VIEW_MS = 30 * 60_000;
const MAX_VIEWS = 20_000;

/** Last view of each visitor by share; in memory only, because visits are not stored. */
const lastViews = new Map<string, number>();

/** Whether a view counts: the first one of a visitor, an account or else an address, in half an hour. */
export function isFirstView(shareId: string, visitor: string, now: number): boolean {
  const key = `${shareId} ${visitor}`;
  const last = lastViews.get(key);
  if (last !== undefined && now - last < REPEAT_VIEW_MS) return false;
  lastViews.delete(key);
  lastViews.set(key, now);
  const [oldest] = lastViews.keys();
  if (lastViews.size > MAX_VIEWS && oldest !== undefined) lastViews.delete(oldest);
  return true;
}
