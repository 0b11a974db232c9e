import { utcDay } from "#shared/user/days.ts";
import type { Usage } from "#shared/user/schema.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

/** Today's usage; null until first loaded. A failed load keeps the old figures. */
export const usageAtom = accountAtom<Usage | null>(null);

export const loadUsage = (): Promise<void> =>
  loadForAccount(
    () => client.user.getUsage({}),
    (usage) => store.set(usageAtom, usage),
    (error) => logWarning("Failed to load user usage data", error),
  );

/** Today's usage; empty if the figures are from an earlier day. */
export const todaysUsage = (usage: Usage | null, now: number): Partial<Usage> =>
  usage?.period === utcDay(now) ? usage : {};
