import { Link } from "@tanstack/react-router";
import { Ellipsis, GripVertical } from "lucide-react";
import { useState, type DragEvent, type ReactNode } from "react";
import { mayNest } from "#shared/library/rules.ts";
import type { Folder, FolderItem } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { isDragged, startDragging } from "../dragged-item.ts";
import { changeFolder, moveToFolder, takeOut } from "../folders.ts";
import type { Place } from "../places.ts";
import { FolderIcon } from "#webapp/ui/sidebar/folder-icon.tsx";
import { PlaceIcon } from "#webapp/ui/sidebar/place-icon.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import "./list-parts.css";

interface Props {
  folder: Folder;
  folders: readonly Folder[];
  places: ReadonlyMap<string, Place>;
}

interface Shown {
  item: FolderItem;
  title: string;
  to: string;
  about: string;
  icon: ReactNode;
  inner: Folder | undefined;
}

function shownItem(item: FolderItem, { folders, places }: Props): Shown | undefined {
  const inner = folders.find(({ _id }) => _id === item.item_id);
  if (inner)
    return {
      item,
      inner,
      title: inner.title || t("library.folder_untitled"),
      to: screenPath("folder", { id: inner._id }),
      about: t("library.count", { count: inner.items.length }),
      icon: <FolderIcon color={inner.color} />,
    };
  const place = places.get(item.item_id);
  if (!place) return undefined;
  const { kind, called, emoji, to } = place;
  const title = place.title || t("common.untitled");
  return { item, inner, title, to, about: t(`library.${called}`), icon: <PlaceIcon kind={kind} emoji={emoji} /> };
}

export function FolderItems(props: Props) {
  const { folder, folders } = props;
  const shown = folder.items.flatMap((item) => shownItem(item, props) ?? []);
  const [dragged, setDragged] = useState<string>();
  const [filing, setFiling] = useState<readonly FolderItem[]>();
  const order = (ids: readonly string[]) => {
    const byId = new Map(folder.items.map((item) => [item.item_id, item]));
    void changeFolder(folder._id, { items: ids.flatMap((id) => byId.get(id) ?? []) });
  };
  const ids = shown.map(({ item }) => item.item_id);
  const moveTo = (id: string, index: number) => {
    const rest = ids.filter((one) => one !== id);
    order(rest.toSpliced(index, 0, id));
  };
  /** Dropping onto a folder moves the item inside; onto anything else takes that position. */
  const drop = (onto: Shown, at: number) => {
    const item = folder.items.find(({ item_id: id }) => id === dragged);
    setDragged(undefined);
    if (!item || item.item_id === onto.item.item_id) return;
    const fits = onto.inner && (item.item_type !== "folder" || mayNest(item.item_id, onto.inner._id, folders));
    if (onto.inner && fits) void moveToFolder(onto.inner._id, [item], folder._id);
    else moveTo(item.item_id, at);
  };
  return (
    <>
      <ul role="list" className="list-rows" aria-label={t("library.folder_items")}>
        {shown.map((one, at) => (
          <ItemLine
            key={one.item.item_id}
            shown={one}
            isDragging={dragged === one.item.item_id}
            onDragStart={(event) => {
              startDragging(event, one.item, folder._id);
              setDragged(one.item.item_id);
            }}
            onDrop={() => drop(one, at)}
            onDragEnd={() => setDragged(undefined)}
            actions={{
              up: at > 0 ? () => moveTo(one.item.item_id, at - 1) : undefined,
              down: at < shown.length - 1 ? () => moveTo(one.item.item_id, at + 1) : undefined,
              file: () => setFiling([one.item]),
              out: () => void takeOut(folder._id, [one.item]),
            }}
          />
        ))}
      </ul>
      <FolderPicker items={filing} from={folder._id} onClose={() => setFiling(undefined)} />
    </>
  );
}

interface LineProps {
  shown: Shown;
  isDragging: boolean;
  onDragStart: (event: DragEvent) => void;
  onDrop: () => void;
  onDragEnd: () => void;
  actions: { up: (() => void) | undefined; down: (() => void) | undefined; file: () => void; out: () => void };
}

const nowhere = () => undefined;

function ItemLine({ shown, isDragging, onDragStart, onDrop, onDragEnd, actions }: LineProps) {
  const { title, to, about, icon } = shown;
  const { up, down, file, out } = actions;
  return (
    // Dragging is optional: the menu moves items by keyboard.
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
      <Link className="list-name folder-link" to={to} draggable={false}>
        {title}
      </Link>
      <span className="folder-about">{about}</span>
      <Menu
        trigger={<IconButton label={t("library.more", { title })} icon={<Ellipsis aria-hidden />} />}
        groups={[
          [
            { label: t("library.move_up"), disabled: up === undefined, onSelect: up ?? nowhere },
            { label: t("library.move_down"), disabled: down === undefined, onSelect: down ?? nowhere },
          ],
          [
            { label: t("library.move_to_folder"), onSelect: file },
            { label: t("library.take_out"), onSelect: out },
          ],
        ]}
      />
    </li>
  );
}
