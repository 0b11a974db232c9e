import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { archivePodcast } from "#webapp/library/delete-items.ts";
import { podcastToLibraryItem } from "#webapp/library/library-items.ts";
import { FolderPicker } from "#webapp/library/parts/folder-picker.tsx";
import { usePinItem } from "#webapp/library/use-pin-item.tsx";
import { openShareDialog } from "#webapp/sharing/share-dialog-state.ts";
import { addToQueue } from "../queue.ts";
import { erasePodcast, renamePodcast, saveAudio, saveCaptions } from "../state.ts";

interface Props {
  podcast: Podcast;
  /** Called once the episode is archived or deleted, so that the student leaves its screen. */
  onGone?: () => void;
}

/** The menu of an episode. */
export function PodcastMenu({ podcast, onGone }: Props) {
  const { _id: id, title, status, is_archived: isArchived } = podcast;
  const share = { label: t("podcasts.share"), onSelect: () => openShareDialog({ type: "podcast", id, title }) };
  const queue = { label: t("podcasts.queue_add"), onSelect: () => addToQueue(podcast) };
  const download = { label: t("podcasts.download"), onSelect: () => void saveAudio(podcast) };
  const captions = { label: t("podcasts.captions"), onSelect: () => void saveCaptions(podcast) };
  const { label: pinLabel, onSelect: onPin } = usePinItem(podcastToLibraryItem(podcast));
  const [open, setOpen] = useState<"rename" | "folder" | "erase">();
  const close = () => setOpen(undefined);
  const leaveAfter = async (removal: Promise<boolean>) => {
    if (await removal) onGone?.();
  };
  return (
    <>
      <Menu
        trigger={<IconButton label={t("podcasts.more", { title })} icon={<Ellipsis aria-hidden />} />}
        groups={[
          [
            { label: t("podcasts.rename"), onSelect: () => setOpen("rename") },
            { label: t("podcasts.add_to_folder"), onSelect: () => setOpen("folder") },
            ...(isArchived ? [] : [{ label: pinLabel, onSelect: onPin }]),
            ...(status === "completed" && !isArchived ? [queue, share, download, captions] : []),
          ],
          [
            { label: t("podcasts.archive"), danger: true, onSelect: () => void leaveAfter(archivePodcast(id)) },
            { label: t("podcasts.erase"), danger: true, onSelect: () => setOpen("erase") },
          ],
        ]}
      />
      {open === "rename" && <RenameDialog podcast={podcast} onClose={close} />}
      {open === "erase" && (
        <EraseDialog
          onClose={close}
          onErase={() => {
            close();
            void leaveAfter(erasePodcast(id));
          }}
        />
      )}
      <FolderPicker
        items={open === "folder" ? [{ item_id: id, item_type: "podcast", created_at: podcast.created_at }] : undefined}
        onClose={close}
      />
    </>
  );
}

function RenameDialog({ podcast, onClose }: { podcast: Podcast; onClose: () => void }) {
  const [title, setTitle] = useState(podcast.title);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    if (await renamePodcast(podcast._id, title.trim())) onClose();
    else setSaving(false);
  };
  return (
    <Dialog open title={t("podcasts.rename_title")} onClose={onClose} closeLabel={t("common.close")}>
      <form
        className="podcast-rename"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim() !== "") void save();
        }}
      >
        <TextField
          ref={focusInDialog}
          label={t("podcasts.name")}
          value={title}
          maxLength={300}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Button type="submit" variant="primary" pending={isSaving} disabled={title.trim() === ""}>
          {t("podcasts.save")}
        </Button>
      </form>
    </Dialog>
  );
}

function EraseDialog({ onErase, onClose }: { onErase: () => void; onClose: () => void }) {
  return (
    <Dialog
      open
      title={t("podcasts.erase")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button variant="danger" onClick={onErase}>
            {t("podcasts.erase")}
          </Button>
        </>
      }
    >
      <p>{t("podcasts.erase_text")}</p>
    </Dialog>
  );
}
