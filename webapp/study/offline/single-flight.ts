import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";

let isRunning = false;

/** Single flight: ignores calls while one is running, so that a double key press grades one card. */
export async function runSingleFlight<T>(work: () => Promise<T>): Promise<T | undefined> {
  if (isRunning) return undefined;
  isRunning = true;
  try {
    return await work();
  } catch (error) {
    logWarning("Could not store a review", error);
    notify({ message: t("study.not_saved"), type: "error" });
    return undefined;
  } finally {
    isRunning = false;
  }
}
