import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { updateUser } from "#webapp/app/session/session.ts";

/** Saves the name and time zone; resolves to whether the server accepted them. */
export async function saveAccount(settings: { name: string; timezone: string }): Promise<boolean> {
  try {
    const { user } = await client.user.saveSettings(settings);
    updateUser(user);
    return true;
  } catch (error) {
    logWarning("Failed to update settings", error);
    notify({ message: t("failures.settings"), type: "error" });
    return false;
  }
}
