import { useAtomValue } from "jotai/react";
import { FolderPlus } from "lucide-react";
import { useState, type FormEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { canNestFolder } from "#shared/library/rules.ts";
import type { Folder, FolderItem } from "#shared/library/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { createFolder, foldersAtom, foldersFailedAtom, loadFolders, moveWithNotice } from "../folders.ts";
import { FolderIcon } from "#webapp/ui/sidebar/folder-icon.tsx";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import "./folder-picker.css";

interface Props {
  /** Items to move; undefined while the picker is closed. */
  items: readonly FolderItem[] | undefined;
  /** The folder that contains the items. It is not offered as a target. */
  from?: string | undefined;
  onClose: () => void;
}

/** False for the current folder, and if the move would create a cycle. */
const canMoveTo = (folder: Folder, { items = [], from }: Props, folders: readonly Folder[]) =>
  folder._id !== from &&
  items.every(
    ({ item_id: id, item_type: type }) =>
      type !== "folder" || (id !== folder._id && canNestFolder(id, folder._id, folders)),
  );

/** Moves items to an existing or a new folder. */
export function FolderPicker(props: Props) {
  const { items, onClose } = props;
  const folders = useAtomValue(foldersAtom) ?? [];
  const haveFailed = useAtomValue(foldersFailedAtom);
  const [title, setTitle] = useState("");
  if (!items) return null;
  const moveTo = async (folderId: string) => {
    await moveWithNotice(folderId, items);
    onClose();
  };
  const createAndMove = async (event: FormEvent) => {
    event.preventDefault();
    const folderId = await createFolder(title.trim(), "BLUE");
    setTitle("");
    await moveTo(folderId);
  };
  return (
    <Dialog open title={t("library.choose_folder")} closeLabel={t("library.close")} onClose={onClose}>
      {haveFailed && (
        <ListLoadError
          className="folder-picker-failed"
          message={t("library.folders_failed")}
          onRetry={() => void loadFolders()}
        />
      )}
      <ul role="list" className="folder-picker">
        {folders
          .filter((folder) => canMoveTo(folder, props, folders))
          .map((folder) => (
            <li key={folder._id}>
              <button type="button" onClick={() => void moveTo(folder._id)}>
                <FolderIcon color={folder.color} />
                <span>{folder.title || t("library.folder_untitled")}</span>
              </button>
            </li>
          ))}
      </ul>
      <form className="folder-picker-new" onSubmit={(event) => void createAndMove(event)}>
        <TextField
          label={t("library.new_folder")}
          value={title}
          maxLength={300}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Button type="submit" icon={<FolderPlus aria-hidden />}>
          {t("library.folder_create")}
        </Button>
      </form>
    </Dialog>
  );
}
