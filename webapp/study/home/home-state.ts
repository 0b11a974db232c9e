import type { Streak } from "#shared/user/schema.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Null until loaded. The line is hidden until then, because a wrong streak would be worse than none. */
export const streakAtom = accountAtom<Streak | null>(null);

export const loadStreak = (): Promise<void> =>
  loadForAccount(
    () => client.user.getStreak({}),
    (streak) => store.set(streakAtom, streak),
    (error) => logWarning("Failed to load the streak", error),
  );
