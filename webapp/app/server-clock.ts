import { t } from "#shared/messages/translate.ts";
import { notify } from "./alerts.ts";
import { readLocal, removeLocal, writeLocal } from "./browser/local-storage.ts";

/** A difference up to this is nobody's concern. */
const MAX_SKEW_MS = 5 * 60_000;
/** Set while the clock is wrong and the student has been notified. */
const NOTIFIED_KEY = "lamplight_clock_notified";

/** What this device's clock has to be corrected by; 0 if it is right. */
let skewMs = 0;

/** The time by the server's clock, as far as it is known: what is answered now is dated by it. */
export const serverNow = (): number => Date.now() + skewMs;

/** Compares this device's clock with a response; a wrong one is corrected for, and announced once. */
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
