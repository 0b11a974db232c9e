import { t } from "#shared/messages/translate.ts";
import { notify } from "./alerts.ts";

const NOTICE_EVERY_MS = 30_000;
let noticedAt = -NOTICE_EVERY_MS;

/** After a deployment, files of the previous version are missing on the server. Offline they are only unreachable. */
export async function noticeUpdate(): Promise<void> {
  if (performance.now() - noticedAt < NOTICE_EVERY_MS) return;
  const answer = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (!answer?.ok || performance.now() - noticedAt < NOTICE_EVERY_MS) return;
  noticedAt = performance.now();
  notify({ message: t("failures.app_updated"), type: "info" });
}

/** Browser error messages for a module that could not be loaded. */
const MISSING_PART = /dynamically imported module|importing a module script failed|unable to preload/i;
export const isMissingPart = (error: unknown): boolean => error instanceof Error && MISSING_PART.test(error.message);
