import type { Streak } from "#shared/user/schema.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Null until loaded. The line is hidden until then, because a wrong streak would be worse than none. */
export const streakAtom = accountAtom<Streak | null>(null);

export async function loadStreak(): Promise<void> {
  try {
    store.set(streakAtom, await client.user.getStreak({}));
  } catch (error) {
    logWarning("Failed to load the streak", error);
  }
}
