import { client } from "#webapp/app/client.ts";
import { queue, reloadPage } from "#webapp/offline/sync.ts";
import { t } from "#shared/messages/translate.ts";
import type { ComponentVersion, HistoryEntry } from "#shared/pages/schema.ts";
import { wordsOf } from "#shared/pages/words.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";
import type { PageSession } from "./page-session.ts";

/** Flushes unsaved edits first, so that the history includes them. */
async function saveAll(session: PageSession): Promise<void> {
  await session.saver.flush();
  await queue().flush();
}

export async function listEntries(session: PageSession, pageId: string): Promise<readonly HistoryEntry[]> {
  await saveAll(session);
  return (await client.pages.listPageHistory({ id: pageId })).entries;
}

/** The full text of a history entry, for comparison with the current one. */
export async function readVersion({ componentId, _id }: HistoryEntry): Promise<ComponentVersion | undefined> {
  const { versions } = await client.pages.listHistory({ id: componentId });
  return versions.find((version) => version._id === _id);
}

function tellTrouble(error: unknown): void {
  logTrouble("Could not restore an earlier version", error);
  notify({ message: friendlyFailure(error, "other")?.message ?? t("pages.history_failed"), type: "error" });
}

/** Restores an earlier version; the current text moves to the history. */
export async function restoreEntry(session: PageSession, pageId: string, entry: HistoryEntry): Promise<boolean> {
  try {
    await saveAll(session);
    await client.pages.restoreVersion({ id: entry.componentId, versionId: entry._id });
    await reloadPage(pageId);
    notify({ message: t("pages.history_restored"), type: "success" });
    return true;
  } catch (error) {
    tellTrouble(error);
    return false;
  }
}

export const wordsOfVersion = ({ content }: ComponentVersion): string => wordsOf(content as Record<string, unknown>);
