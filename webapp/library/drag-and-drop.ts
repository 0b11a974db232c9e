import type { DragEvent } from "react";
import { canNestFolder } from "#shared/library/rules.ts";
import { FolderItemType, type Folder, type FolderItem } from "#shared/library/schema.ts";
import { reasonsPages } from "#shared/messages/en/reasons/reasons-pages.ts";
import { addReasons, translateReason } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { moveWithNotice } from "./folders.ts";

// This reason is found here before a request, so its message must be registered here: no response contains it.
addReasons({ folder_in_itself: reasonsPages.folder_in_itself });

const DRAG_DATA_TYPE = "application/x-lamplight-item";

/** Starts dragging an item, which can be dropped on a folder. */
export function startDragging(event: DragEvent, item: FolderItem): void {
  event.dataTransfer.setData(DRAG_DATA_TYPE, JSON.stringify(item));
  event.dataTransfer.effectAllowed = "move";
}

/** During a drag, browsers expose only the data's type, not its content. */
export const isDragged = (event: DragEvent) => event.dataTransfer.types.includes(DRAG_DATA_TYPE);

/** The dropped item; undefined if the drag did not start in the app. */
export function readDroppedItem(event: DragEvent): FolderItem | undefined {
  try {
    const { item_id, item_type, created_at } = JSON.parse(event.dataTransfer.getData(DRAG_DATA_TYPE)) as Record<
      string,
      unknown
    >;
    const type = FolderItemType.safeParse(item_type).data;
    if (typeof item_id !== "string" || type === undefined) return undefined;
    return { item_id, item_type: type, created_at: Number(created_at) };
  } catch {
    return undefined;
  }
}

/** Moves the dropped item into a folder, unless that would create a cycle. */
export function dropIntoFolder(event: DragEvent, folder: Folder, folders: readonly Folder[]): void {
  event.preventDefault();
  event.stopPropagation();
  const item = readDroppedItem(event);
  if (!item) return;
  const canContain = item.item_type !== "folder" || canNestFolder(item.item_id, folder._id, folders);
  if (canContain) void moveWithNotice(folder._id, [item]);
  else notify({ message: translateReason({ reason: "folder_in_itself" }), type: "info" });
}
