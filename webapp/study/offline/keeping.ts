import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";

let isKeeping = false;

/** One answer after the other: a key that is pressed twice grades one card. */
export async function keeping<T>(work: () => Promise<T>): Promise<T | undefined> {
  if (isKeeping) return undefined;
  isKeeping = true;
  try {
    return await work();
  } catch (error) {
    logTrouble("An answer could not be kept", error);
    notify({ message: t("study.not_kept"), type: "error" });
    return undefined;
  } finally {
    isKeeping = false;
  }
}
