import { t } from "#shared/messages/translate.ts";
import { notify } from "./alerts.ts";

const MIN_NOTICE_INTERVAL_MS = 30_000;
let noticedAt = -MIN_NOTICE_INTERVAL_MS;

/** Called when a file could not be loaded. If the server responds, the file is missing because of a deployment. */
export async function notifyOfUpdate(): Promise<void> {
  if (performance.now() - noticedAt < MIN_NOTICE_INTERVAL_MS) return;
  const response = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (!response?.ok || performance.now() - noticedAt < MIN_NOTICE_INTERVAL_MS) return;
  noticedAt = performance.now();
  notify({ message: t("failures.app_updated"), type: "info" });
}

/** Browser error messages for a module that could not be loaded. */
const MISSING_MODULE = /dynamically imported module|importing a module script failed|unable to preload/i;
export const isMissingModule = (error: unknown): boolean =>
  error instanceof Error && MISSING_MODULE.test(error.message);
