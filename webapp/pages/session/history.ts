import { client } from "#webapp/app/client.ts";
import { queue, reloadPage } from "#webapp/offline/sync.ts";
import { t } from "#shared/messages/translate.ts";
import type { ComponentVersion, HistoryEntry } from "#shared/pages/schema.ts";
import { componentText } from "#shared/pages/text-diff.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import type { PageSession } from "./page-session.ts";

/** Flushes unsaved edits first, so that the history includes them. */
async function flushAll(session: PageSession): Promise<void> {
  await session.saver.flush();
  await queue().flush();
}

export async function listEntries(session: PageSession, pageId: string): Promise<readonly HistoryEntry[]> {
  await flushAll(session);
  return (await client.pages.listPageHistory({ id: pageId })).entries;
}

/** The full text of a history entry, for comparison with the current one. */
export async function readVersion({ componentId, _id }: HistoryEntry): Promise<ComponentVersion | undefined> {
  const { versions } = await client.pages.listHistory({ id: componentId });
  return versions.find((version) => version._id === _id);
}

function reportError(error: unknown): void {
  logWarning("Could not restore an earlier version", error);
  notify({ message: toFailureMessage(error, "other")?.message ?? t("pages.history_failed"), type: "error" });
}

/** Restores an earlier version; the current text moves to the history. */
export async function restoreEntry(session: PageSession, pageId: string, entry: HistoryEntry): Promise<boolean> {
  try {
    await flushAll(session);
    await client.pages.restoreVersion({ id: entry.componentId, versionId: entry._id });
    await reloadPage(pageId);
    notify({ message: t("pages.history_restored"), type: "success" });
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

export const getVersionText = ({ content }: ComponentVersion): string =>
  componentText(content as Record<string, unknown>);
