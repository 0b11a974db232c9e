import { Link } from "@tanstack/react-router";
import { Ellipsis, GripVertical } from "lucide-react";
import { useState, type DragEvent, type ReactNode } from "react";
import { canNestFolder, idsInFolder } from "#shared/library/rules.ts";
import type { Folder, FolderItem } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { isDragged, startDragging } from "../drag-and-drop.ts";
import { updateFolder, moveWithNotice, removeFromFolder } from "../folders.ts";
import type { LibraryItem } from "../library-items.ts";
import { FolderIcon } from "#webapp/ui/sidebar/folder-icon.tsx";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { TodayCountLabels, useTodayOnPages, type TodayCounts } from "./folder-today.tsx";
import "./list-controls.css";

interface Props {
  folder: Folder;
  folders: readonly Folder[];
  libraryItems: ReadonlyMap<string, LibraryItem>;
}

interface ShownItem {
  item: FolderItem;
  title: string;
  to: string;
  description: string;
  /** When the item, or the latest item in a folder, was opened; 0 if it was never opened. */
  openedAt: number;
  today: TodayCounts;
  icon: ReactNode;
  subfolder: Folder | undefined;
}

function toShownItem(
  item: FolderItem,
  { folders, libraryItems }: Props,
  countOnPages: ReturnType<typeof useTodayOnPages>,
): ShownItem | undefined {
  const subfolder = folders.find(({ _id }) => _id === item.item_id);
  if (subfolder) {
    const ids = idsInFolder(subfolder._id, folders);
    return {
      item,
      subfolder,
      title: subfolder.title || t("library.folder_untitled"),
      to: screenPath("folder", { id: subfolder._id }),
      description: t("library.count", { count: subfolder.items.length }),
      icon: <FolderIcon color={subfolder.color} />,
      openedAt: Math.max(0, ...[...ids].map((id) => libraryItems.get(id)?.openedAt ?? 0)),
      today: countOnPages(ids),
    };
  }
  const libraryItem = libraryItems.get(item.item_id);
  if (!libraryItem) return undefined;
  const { id, kind, label, emoji, to, openedAt } = libraryItem;
  const title = libraryItem.title || t("common.untitled");
  return {
    item,
    subfolder,
    title,
    to,
    description: t(`library.${label}`),
    icon: <LibraryItemIcon kind={kind} emoji={emoji} />,
    openedAt,
    today: countOnPages(new Set([id])),
  };
}

export function FolderItems(props: Props) {
  const { folder, folders } = props;
  const countOnPages = useTodayOnPages();
  const shown = folder.items.flatMap((item) => toShownItem(item, props, countOnPages) ?? []);
  const [dragged, setDragged] = useState<string>();
  const [itemsToFile, setItemsToFile] = useState<readonly FolderItem[]>();
  const saveOrder = (ids: readonly string[]) => {
    const byId = new Map(folder.items.map((item) => [item.item_id, item]));
    void updateFolder(folder._id, { items: ids.flatMap((id) => byId.get(id) ?? []) });
  };
  const ids = shown.map(({ item }) => item.item_id);
  const moveTo = (id: string, index: number) => {
    const rest = ids.filter((entry) => entry !== id);
    saveOrder(rest.toSpliced(index, 0, id));
  };
  /**
   * An item dropped onto a folder is moved into the folder. Dropped onto another item, it takes that item's position.
   */
  const drop = (target: ShownItem, index: number) => {
    const item = folder.items.find(({ item_id: id }) => id === dragged);
    setDragged(undefined);
    if (!item || item.item_id === target.item.item_id) return;
    const { subfolder } = target;
    const fits = subfolder && (item.item_type !== "folder" || canNestFolder(item.item_id, subfolder._id, folders));
    if (subfolder && fits) void moveWithNotice(subfolder._id, [item]);
    else moveTo(item.item_id, index);
  };
  return (
    <>
      <ul role="list" className="list-rows" aria-label={t("library.folder_items")}>
        {shown.map((entry, index) => (
          <ItemLine
            key={entry.item.item_id}
            shown={entry}
            isDragging={dragged === entry.item.item_id}
            onDragStart={(event) => {
              startDragging(event, entry.item);
              setDragged(entry.item.item_id);
            }}
            onDrop={() => drop(entry, index)}
            onDragEnd={() => setDragged(undefined)}
            actions={{
              up: index > 0 ? () => moveTo(entry.item.item_id, index - 1) : undefined,
              down: index < shown.length - 1 ? () => moveTo(entry.item.item_id, index + 1) : undefined,
              chooseFolder: () => setItemsToFile([entry.item]),
              takeOut: () => void removeFromFolder(folder._id, [entry.item]),
            }}
          />
        ))}
      </ul>
      <FolderPicker items={itemsToFile} from={folder._id} onClose={() => setItemsToFile(undefined)} />
    </>
  );
}

interface LineProps {
  shown: ShownItem;
  isDragging: boolean;
  onDragStart: (event: DragEvent) => void;
  onDrop: () => void;
  onDragEnd: () => void;
  actions: {
    up: (() => void) | undefined;
    down: (() => void) | undefined;
    chooseFolder: () => void;
    takeOut: () => void;
  };
}

const noop = () => undefined;

function ItemLine({ shown, isDragging, onDragStart, onDrop, onDragEnd, actions }: LineProps) {
  const { title, to, description, icon, openedAt, today } = shown;
  const now = useNow();
  const { up, down, chooseFolder, takeOut } = actions;
  return (
    // Dragging is optional, because the menu can also move items.
    <li
      className="folder-item"
      draggable
      data-dragging={isDragging}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragOver={(event) => {
        if (isDragged(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <GripVertical aria-hidden className="folder-grip" />
      {icon}
      <div className="folder-words">
        <Link className="list-name" to={to} draggable={false}>
          {title}
        </Link>
        <span className="folder-about">{description}</span>
      </div>
      <TodayCountLabels counts={today} />
      <span className="folder-when">
        {openedAt > 0 && t("library.opened", { when: formatRelativeDate(openedAt, now) })}
      </span>
      <Menu
        trigger={<IconButton label={t("library.more", { title })} icon={<Ellipsis aria-hidden />} />}
        groups={[
          [
            { label: t("library.move_up"), disabled: up === undefined, onSelect: up ?? noop },
            { label: t("library.move_down"), disabled: down === undefined, onSelect: down ?? noop },
          ],
          [
            { label: t("library.move_to_folder"), onSelect: chooseFolder },
            { label: t("library.remove_from_folder"), onSelect: takeOut },
          ],
        ]}
      />
    </li>
  );
}
