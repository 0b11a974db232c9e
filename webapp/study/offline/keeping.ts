import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";

let isKeeping = false;

/** Single flight: ignores calls while one is running, so that a double key press grades one card. */
export async function keeping<T>(work: () => Promise<T>): Promise<T | undefined> {
  if (isKeeping) return undefined;
  isKeeping = true;
  try {
    return await work();
  } catch (error) {
    logTrouble("Could not store a review", error);
    notify({ message: t("study.not_kept"), type: "error" });
    return undefined;
  } finally {
    isKeeping = false;
  }
}
