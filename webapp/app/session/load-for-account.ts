import { store } from "../store.ts";
import { accountIdAtom } from "./account-atom.ts";
import { getSessionCount } from "./session.ts";

/** Returns whether the session in which it was created is still the current one. */
export type SessionCheck = () => boolean;

/**
 * Returns a check of whether this session still lasts. What was requested in an earlier session belongs to another
 * account, and must neither be shown nor cached. An account that is only identified meanwhile is no change.
 */
export function watchSession(): SessionCheck {
  const sessionCount = getSessionCount();
  const accountId = store.get(accountIdAtom);
  return () =>
    getSessionCount() === sessionCount && (accountId === undefined || store.get(accountIdAtom) === accountId);
}

/**
 * Loads something of this account. An answer or a failure that arrives after the session has ended is dropped.
 * Whatever `fail` awaits, it must check the session again before it shows or caches anything.
 */
export async function loadForAccount<T>(
  load: () => Promise<T>,
  apply: (loaded: T) => void,
  fail: (error: unknown, isCurrent: SessionCheck) => void | Promise<void>,
): Promise<void> {
  const isCurrent = watchSession();
  try {
    const loaded = await load();
    if (isCurrent()) apply(loaded);
  } catch (error) {
    if (isCurrent()) await fail(error, isCurrent);
  }
}
