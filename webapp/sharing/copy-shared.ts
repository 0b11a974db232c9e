import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { queue } from "#webapp/offline/sync.ts";
import { goTo } from "#webapp/app/navigation.ts";

/** The copy id of each item until the copy succeeds, so that a retry after a lost response opens the same copy. */
const copyIds = new Map<string, string>();

function getCopyId(id: string): string {
  const copyId = copyIds.get(id) ?? ulid();
  copyIds.set(id, copyId);
  return copyId;
}

interface CopyResult {
  pageId: string;
  resultContentId: string;
}

async function copyItem(type: ShareType, id: string): Promise<CopyResult> {
  const copyId = getCopyId(id);
  if (type === "page") {
    const { page } = await client.sharing.duplicatePage({ id, copyId });
    return { pageId: page._id, resultContentId: page._id };
  }
  const { component } = await client.sharing.duplicateComponent({ type, id, copyId });
  return { pageId: component.pageId, resultContentId: component._id };
}

/** Copies an item into the user's library and opens the copy; resolves to whether it succeeded. */
export async function copyAndOpen(type: ShareType, id: string): Promise<boolean> {
  try {
    const { pageId, resultContentId } = await copyItem(type, id);
    copyIds.delete(id);
    // Counting the copy is best effort.
    client.sharing.recordDuplicate({ type, id, resultContentId }).catch((error: unknown) => {
      if (!(error instanceof Failure && error.code === "not_found")) logWarning("Failed to count a copy", error);
    });
    notify({ type: "success", message: t(type === "page" ? "sharing.page_copied" : "sharing.item_copied") });
    goTo(screenPath("page", { id: pageId }));
    return true;
  } catch (error) {
    notify({ type: "error", message: copyErrorMessage(type, error) });
    return false;
  }
}

/** Sends pending changes, copies one of the user's own pages, and opens the copy. */
export async function duplicateOwnPage(id: string): Promise<void> {
  await queue().flush();
  await copyAndOpen("page", id);
}

function copyErrorMessage(type: ShareType, error: unknown): string {
  if (type === "page") return t("sharing.page_failed");
  const isRefused = error instanceof Failure && error.code === "not_found";
  if (type === "component_pdf") return t(isRefused ? "sharing.pdf_refused" : "sharing.pdf_failed");
  return t(isRefused ? "sharing.item_refused" : "sharing.item_failed");
}
