import { Folder } from "lucide-react";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import type { Item } from "../items.ts";

export function ItemIcon({ item: { kind, emoji } }: { item: Item }) {
  if (kind === "folder") return <Folder aria-hidden />;
  return emoji ? <span className="content-emoji">{emoji}</span> : <LibraryItemIcon kind={kind} emoji={null} />;
}
