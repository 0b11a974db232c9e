import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { sampleFolderId, samplePageIds } from "./sample-ids.ts";
import { queue } from "#webapp/offline/sync.ts";

async function setGone(accountId: string, isGone: boolean): Promise<void> {
  for (const pageId of Object.values(samplePageIds(accountId)))
    await queue().enqueue("page_update", pageId, { archived: isGone });
  await queue().enqueue("folder_update", sampleFolderId(accountId), { is_archived: isGone });
}

/** Deletes the sample content, with an undo that also restores the student's edits to it. */
export async function removeSample(): Promise<void> {
  const { accountId } = queue();
  await setGone(accountId, true);
  const takeBack = async () => {
    await setGone(accountId, false);
    notify({ message: t("welcome.sample_back"), type: "success" });
  };
  notify({
    message: t("welcome.sample_gone"),
    type: "success",
    action: { label: t("common.undo"), run: () => void takeBack() },
  });
}
