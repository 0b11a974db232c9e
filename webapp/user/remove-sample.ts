import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { getSampleFolderId, getSamplePageIds } from "./sample-ids.ts";
import { queue } from "#webapp/offline/sync.ts";

async function setSampleArchived(accountId: string, isArchived: boolean): Promise<void> {
  for (const pageId of Object.values(getSamplePageIds(accountId)))
    await queue().enqueue("page_update", pageId, { archived: isArchived });
  await queue().enqueue("folder_update", getSampleFolderId(accountId), { is_archived: isArchived });
}

/** Deletes the sample content, with an undo that also restores the student's edits to it. */
export async function removeSample(): Promise<void> {
  const { accountId } = queue();
  await setSampleArchived(accountId, true);
  const undo = async () => {
    await setSampleArchived(accountId, false);
    notify({ message: t("welcome.sample_restored"), type: "success" });
  };
  notify({
    message: t("welcome.sample_removed"),
    type: "success",
    action: { label: t("common.undo"), run: () => void undo() },
  });
}
