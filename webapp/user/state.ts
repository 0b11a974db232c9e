import { t } from "#shared/messages/translate.ts";
import type { Usage } from "#shared/user/schema.ts";
import { accountAtom } from "#webapp/kit/account-atom.ts";
import { notify } from "#webapp/kit/alerts.ts";
import { client } from "#webapp/kit/client.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import { setUser } from "#webapp/kit/session.ts";
import { store } from "#webapp/kit/store.ts";

/** Null until it was loaded once; a failed load keeps the old figures. */
export const usageAtom = accountAtom<Usage | null>(null);

export async function loadUsage(): Promise<void> {
  try {
    store.set(usageAtom, await client.user.getUsage({}));
  } catch (error) {
    logTrouble("Failed to load user usage data", error);
  }
}

/** Answers whether the server has taken it. */
export async function saveAccount(settings: { name: string; timezone: string }): Promise<boolean> {
  try {
    const { user } = await client.user.saveSettings(settings);
    setUser(user);
    return true;
  } catch (error) {
    logTrouble("Failed to update settings", error);
    notify({ message: t("failures.settings"), type: "error" });
    return false;
  }
}
