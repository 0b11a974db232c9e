import { Link, useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Ellipsis } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { folderPathOf, foldersAtom } from "../folders.ts";
import { startDragging } from "../drag-and-drop.ts";
import { pinsAtom, pin, unpin } from "../pins.ts";
import { usePending } from "#webapp/offline/use-pending.ts";
import { canPin, labelOfFile, toFolderItemType, toPinInput, libraryItemPath } from "../library-items.ts";
import { duplicateOwnPage } from "#webapp/sharing/copy-shared.ts";
import { openShareDialog } from "#webapp/sharing/share-dialog-state.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { toFolderItem, type Item } from "../items.ts";
import { removeItem, restoreItem } from "../delete-items.ts";
import { ItemThumbnail } from "./item-thumbnail.tsx";

interface Props {
  item: Item;
  /** `page` is a page above its own items. `part` is an item below its page, so the row does not name the page. */
  level?: "page" | "part";
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onAddToFolder: (item: Item) => void;
}

export function ItemRow({ item, level, isSelected, onSelect, onAddToFolder }: Props) {
  const now = useNow();
  const navigate = useNavigate();
  const isPinned = useAtomValue(pinsAtom).some(({ itemId }) => itemId === item.id);
  const isPending = usePending(item.id, item.kind === "page" ? "page" : "component");
  const title = itemTitle(item);
  const folderItem = toFolderItem(item);
  const folders = useAtomValue(foldersAtom);
  const folder = level === "page" && folderPathOf(item.id, folders ?? []).at(-1);
  const Row = level === "page" ? "div" : "li";
  return (
    // Dragging is optional, because the menu can also add items to a folder.
    <Row
      className="content-item"
      data-selected={isSelected}
      draggable={folderItem !== undefined && !item.isArchived}
      onDragStart={(event) => folderItem && startDragging(event, folderItem)}
    >
      <span className="content-select">
        <Checkbox
          label={<span className="visually-hidden">{t("library.select_item", { title })}</span>}
          checked={isSelected}
          onValue={onSelect}
        />
      </span>
      <ItemThumbnail item={item} />
      <div className="content-words">
        {item.isArchived || item.kind === "folder" ? (
          <span className="list-name">{title}</span>
        ) : (
          <Link className="list-name" to={libraryItemPath({ ...item, kind: item.kind })}>
            {title}
          </Link>
        )}
        <span className="content-about">
          {isPending ? t("common.pending") : (folder && folder.title) || describeItem(item, level)}
        </span>
      </div>
      <span className="content-when">{formatRelativeDate(item.editedAt, now)}</span>
      {item.isArchived ? (
        <Button onClick={() => void restoreItem(item)} aria-label={t("library.restore_item", { title })}>
          {t("library.restore")}
        </Button>
      ) : (
        <Menu
          trigger={<IconButton label={t("library.more", { title })} icon={<Ellipsis aria-hidden />} />}
          groups={createMenuGroups(item, { isPinned, onNavigate: (to) => void navigate({ to }), onAddToFolder })}
        />
      )}
    </Row>
  );
}

export const itemTitle = (item: Item) =>
  item.title || t(item.kind === "folder" ? "library.folder_untitled" : "common.untitled");

/** Kinds that are not on another page, so there is no page to open. */
const KINDS_WITHOUT_PAGE: ReadonlySet<Item["kind"]> = new Set(["page", "podcast", "research"]);

interface Actions {
  isPinned: boolean;
  onNavigate: (to: string) => void;
  onAddToFolder: (item: Item) => void;
}

/** The kinds that can be shared. An image can only be shared with its page. */
const shareTypes: Partial<Record<Item["kind"], ShareType>> = {
  page: "page",
  deck: "component_flashcards",
  pdf: "component_pdf",
  video: "component_video",
  research: "research_session",
};

function createMenuGroups(item: Item, { isPinned, onNavigate, onAddToFolder }: Actions): MenuItem[][] {
  const { id, kind, pageId } = item;
  if (kind === "folder") return [];
  const open = { label: t("library.open"), onSelect: () => onNavigate(libraryItemPath({ id, kind, pageId })) };
  const study = {
    label: t("library.study"),
    onSelect: () => onNavigate(screenPath("study", { id: pageId, flashcard: id })),
  };
  const page = { label: t("library.open_page"), onSelect: () => onNavigate(screenPath("page", { id: pageId })) };
  const pinning = isPinned
    ? { label: t("library.unpin"), onSelect: () => void unpin(id) }
    : { label: t("library.pin"), onSelect: () => void pin(toPinInput({ ...item, kind })) };
  const folder = { label: t("library.add_to_folder"), onSelect: () => onAddToFolder(item) };
  const remove = { label: t("library.delete"), danger: true, onSelect: () => void removeItem(item) };
  const shareType = shareTypes[kind];
  const share = {
    label: t("common.share"),
    onSelect: () => shareType && openShareDialog({ type: shareType, id, title: itemTitle(item) }),
  };
  const duplicate = { label: t("common.duplicate"), onSelect: () => void duplicateOwnPage(id) };
  const opening = kind === "deck" ? [study, page] : KINDS_WITHOUT_PAGE.has(kind) ? [open] : [open, page];
  return [
    opening,
    [
      ...(canPin(kind) ? [pinning] : []),
      ...(toFolderItemType(kind) === undefined ? [] : [folder]),
      ...(kind === "page" ? [duplicate] : []),
      ...(shareType ? [share] : []),
    ],
    [remove],
  ];
}

function describeItem({ kind, cardCount, fileId, pageTitle }: Item, level: Props["level"]): string {
  if (kind === "page" || kind === "folder" || kind === "podcast" || kind === "research") return t(`library.${kind}`);
  const label =
    kind === "deck" ? t("library.cards", { count: cardCount ?? 0 }) : t(`library.${labelOfFile(kind, fileId)}`);
  if (level === "part") return label;
  return [label, t("library.on_page", { page: pageTitle || t("common.untitled") })].join(" · ");
}
