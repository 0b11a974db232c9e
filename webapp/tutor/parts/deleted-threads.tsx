import { useAtomValue } from "jotai/react";
import { RotateCcw, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Thread } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { deletedThreadsAtom, deleteThreadPermanently, loadDeletedThreads, restoreThread } from "../state.ts";

/** The trash of conversations. */
export function DeletedThreads({ onClose }: { onClose: () => void }) {
  const deleted = useAtomValue(deletedThreadsAtom);
  const [chosen, setChosen] = useState<Thread | null>(null);
  useEffect(() => void loadDeletedThreads(), []);
  if (chosen) return <ConfirmDelete thread={chosen} onDone={() => setChosen(null)} />;
  return (
    <Dialog open title={t("tutor.trash")} onClose={onClose} closeLabel={t("common.close")}>
      {deleted.state === "loading" && <Skeleton label={t("common.loading")} lines={[80, 60]} height={14} />}
      {deleted.state === "failed" && (
        <div className="thread-note">
          <p>{t("tutor.threads_failed")}</p>
          <Button onClick={() => void loadDeletedThreads()}>{t("common.retry")}</Button>
        </div>
      )}
      {deleted.state === "ready" && deleted.threads.length === 0 && (
        <p className="thread-note">{t("tutor.trash_empty")}</p>
      )}
      {deleted.state === "ready" && deleted.threads.length > 0 && (
        <ul role="list" className="deleted-threads">
          {deleted.threads.map((thread) => {
            const title = thread.title || t("tutor.untitled");
            return (
              <li key={thread._id} className="thread-row">
                <span className="deleted-thread-title" dir="auto">
                  {title}
                </span>
                <IconButton
                  label={t("tutor.restore_thread", { title })}
                  icon={<RotateCcw aria-hidden />}
                  onClick={() => void restoreThread(thread._id)}
                />
                <IconButton
                  label={t("tutor.delete_thread", { title })}
                  icon={<Trash2 aria-hidden />}
                  onClick={() => setChosen(thread)}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}

function ConfirmDelete({ thread, onDone }: { thread: Thread; onDone: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  const remove = async () => {
    setDeleting(true);
    await deleteThreadPermanently(thread._id);
    onDone();
  };
  return (
    <Dialog
      open
      title={t("tutor.delete_title")}
      onClose={onDone}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button variant="quiet" onClick={onDone}>
            {t("common.cancel")}
          </Button>
          <Button variant="danger" pending={isDeleting} onClick={() => void remove()}>
            {t("tutor.delete_permanently")}
          </Button>
        </>
      }
    >
      <p>{t("tutor.delete_text", { title: thread.title || t("tutor.untitled") })}</p>
    </Dialog>
  );
}
