import { t } from "#shared/messages/translate.ts";
import { notify } from "./alerts.ts";
import { readLocal, removeLocal, writeLocal } from "./browser/local-storage.ts";

/** Differences up to this are ignored. */
const MAX_SKEW_MS = 5 * 60_000;
/** Set while the clock is wrong and the student has been notified. */
const NOTIFIED_KEY = "lamplight_clock_notified";

/** The correction of this device's clock; 0 if the clock is right. */
let skewMs = 0;

/** The time by the server's clock, as far as it is known. Reviews and listening positions are dated with it. */
export const serverNow = (): number => Date.now() + skewMs;

/**
 * Compares this device's clock with the server's. If it is wrong, `serverNow` corrects it and the student is notified.
 */
export function learnServerTime(serverTime: number): void {
  const skew = serverTime - Date.now();
  if (Math.abs(skew) <= MAX_SKEW_MS) {
    skewMs = 0;
    if (readLocal(NOTIFIED_KEY) !== null) removeLocal(NOTIFIED_KEY);
    return;
  }
  const isNews = skewMs === 0 && readLocal(NOTIFIED_KEY) === null;
  skewMs = skew;
  if (!isNews) return;
  writeLocal(NOTIFIED_KEY, "1");
  notify({ message: t("shell.clock_wrong"), type: "error" });
}
