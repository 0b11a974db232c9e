import type { DragEvent } from "react";
import { mayNest } from "#shared/library/rules.ts";
import { FolderItemType, type Folder, type FolderItem } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { moveToFolder } from "./folders.ts";

const DRAGGED = "application/x-lamplight-item";

/** Lets a thing be dragged to a folder, and out of the one it lies in. */
export function startDragging(event: DragEvent, item: FolderItem, from?: string): void {
  event.dataTransfer.setData(DRAGGED, JSON.stringify({ ...item, from }));
  event.dataTransfer.effectAllowed = "move";
}

/** While something is dragged only its kind is told, not which one it is. */
export const isDragged = (event: DragEvent) => event.dataTransfer.types.includes(DRAGGED);

/** What was dropped; undefined for anything that did not begin here. */
export function droppedItem(event: DragEvent): { item: FolderItem; from: string | undefined } | undefined {
  try {
    const { item_id, item_type, created_at, from } = JSON.parse(event.dataTransfer.getData(DRAGGED)) as Record<
      string,
      unknown
    >;
    const type = FolderItemType.safeParse(item_type).data;
    if (typeof item_id !== "string" || type === undefined) return undefined;
    const item = { item_id, item_type: type, created_at: Number(created_at) };
    return { item, from: typeof from === "string" ? from : undefined };
  } catch {
    return undefined;
  }
}

/** Puts what was dropped into a folder, unless that would lie inside itself. */
export function dropIntoFolder(event: DragEvent, folder: Folder, folders: readonly Folder[]): void {
  event.preventDefault();
  event.stopPropagation();
  const dropped = droppedItem(event);
  if (!dropped) return;
  const { item, from } = dropped;
  const mayLie = item.item_type !== "folder" || mayNest(item.item_id, folder._id, folders);
  if (mayLie) void moveToFolder(folder._id, [item], from);
  else notify({ message: t("library.folder_in_itself"), type: "info" });
}
