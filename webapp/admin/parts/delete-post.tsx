import { useState } from "react";
import type { AdminPost } from "#shared/admin/posts-contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { removeStoredDraft } from "../post-draft.ts";

/** Deletes a post after a confirmation, because a deleted post cannot be restored. */
export function DeletePost({ post: { _id: id }, onDeleted }: { post: AdminPost; onDeleted: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [isPending, setPending] = useState(false);
  const remove = async () => {
    setPending(true);
    try {
      await adminClient.deletePost({ id });
      removeStoredDraft(id);
      notify({ type: "success", message: t("posts.deleted") });
      onDeleted();
    } catch (error) {
      notify({ type: "error", message: toFailureMessage(error)?.message ?? t("admin.change_failed") });
      setPending(false);
    }
  };
  const confirm = (
    <Button variant="danger" pending={isPending} onClick={() => void remove()}>
      {t("posts.delete")}
    </Button>
  );
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {t("posts.delete")}
      </Button>
      <Dialog
        open={isOpen}
        title={t("posts.delete_title")}
        onClose={() => setOpen(false)}
        closeLabel={t("common.close")}
        footer={confirm}
      >
        <p>{t("posts.delete_text")}</p>
      </Dialog>
    </>
  );
}
