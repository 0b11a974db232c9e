import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { ChevronDown, ChevronRight, FolderPlus } from "lucide-react";
import { useState, type DragEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Folder, FolderItem } from "#shared/library/schema.ts";
import { MAX_FOLDER_DEPTH } from "#shared/library/rules.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { dropIntoFolder, isDragged, startDragging } from "#webapp/library/drag-and-drop.ts";
import {
  updateFolder,
  createFolder,
  foldersAtom,
  foldersFailedAtom,
  loadFolders,
  topFoldersAtom,
} from "#webapp/library/folders.ts";
import type { LibraryItem } from "#webapp/library/library-items.ts";
import { FolderIcon } from "./folder-icon.tsx";
import { LibraryItemIcon } from "./library-item-icon.tsx";
import { SidebarRow } from "./sidebar-row.tsx";
import { SidebarSection } from "./sidebar-section.tsx";

export function SidebarFolders({ libraryItems }: { libraryItems: ReadonlyMap<string, LibraryItem> }) {
  const folders = useAtomValue(foldersAtom);
  const haveFailed = useAtomValue(foldersFailedAtom);
  const top = useAtomValue(topFoldersAtom);
  const navigate = useNavigate();
  const create = async () => {
    const id = await createFolder("", "BLUE");
    await navigate({ to: screenPath("folder", { id }) });
  };
  if (folders === undefined) return null;
  return (
    <SidebarSection
      title={t("library.folders")}
      preference="folders_minimized"
      action={
        <IconButton label={t("library.new_folder")} icon={<FolderPlus aria-hidden />} onClick={() => void create()} />
      }
    >
      {haveFailed && (
        <div className="sidebar-failed">
          <p>{t("library.folders_failed")}</p>
          <Button variant="quiet" onClick={() => void loadFolders()}>
            {t("common.retry")}
          </Button>
        </div>
      )}
      {top.length === 0 && !haveFailed && <p className="sidebar-empty">{t("library.folders_empty")}</p>}
      <ul role="list">
        {top.map((folder) => (
          <FolderRow key={folder._id} folder={folder} folders={folders} libraryItems={libraryItems} depth={0} />
        ))}
      </ul>
    </SidebarSection>
  );
}

interface RowProps {
  folder: Folder;
  folders: readonly Folder[];
  libraryItems: ReadonlyMap<string, LibraryItem>;
  depth: number;
}

/** Props for a folder's row that move dropped items into the folder. */
function useDrop(folder: Folder, folders: readonly Folder[]) {
  const [isOver, setOver] = useState(false);
  return {
    "data-over": isOver,
    onDragOver: (event: DragEvent) => {
      if (!isDragged(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      dropIntoFolder(event, folder, folders);
    },
  };
}

/** Starts dragging this row only, not its parent folders. */
const onDragStartOf = (item: FolderItem) => (event: DragEvent) => {
  event.stopPropagation();
  startDragging(event, item);
};

function FolderRow({ folder, folders, libraryItems, depth }: RowProps) {
  const { _id: id, is_expanded: isOpen } = folder;
  const title = folder.title || t("library.folder_untitled");
  const dropProps = useDrop(folder, folders);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    // Dragging is optional, because each item's menu can also move the item.
    <li className="sidebar-folder" {...dropProps}>
      <ul role="list">
        <SidebarRow
          to={screenPath("folder", { id })}
          label={title}
          icon={<FolderIcon color={folder.color} />}
          onDragStart={onDragStartOf({ item_id: id, item_type: "folder", created_at: folder.created_at })}
          action={
            folder.items.length > 0 && (
              <IconButton
                label={t(isOpen ? "library.collapse" : "library.expand", { title })}
                icon={<Arrow aria-hidden />}
                aria-expanded={isOpen}
                onClick={() => void updateFolder(id, { is_expanded: !isOpen })}
              />
            )
          }
        />
      </ul>
      {isOpen && depth < MAX_FOLDER_DEPTH && (
        <ul role="list" className="sidebar-inside">
          {folder.items.map((item) => {
            const { item_id: itemId } = item;
            const subfolder = folders.find(({ _id }) => _id === itemId);
            if (subfolder)
              return (
                <FolderRow
                  key={itemId}
                  folder={subfolder}
                  folders={folders}
                  libraryItems={libraryItems}
                  depth={depth + 1}
                />
              );
            const libraryItem = libraryItems.get(itemId);
            return (
              libraryItem && (
                <SidebarRow
                  key={itemId}
                  to={libraryItem.to}
                  label={libraryItem.title || t("common.untitled")}
                  icon={<LibraryItemIcon kind={libraryItem.kind} emoji={libraryItem.emoji} />}
                  onDragStart={onDragStartOf(item)}
                />
              )
            );
          })}
        </ul>
      )}
    </li>
  );
}
