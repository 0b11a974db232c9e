import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/kit/alerts.ts";
import { client } from "#webapp/kit/client.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import { setUser } from "#webapp/kit/session.ts";

/** Resolves to whether the server accepted it. */
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
