import { FileText, Film, Headphones, Image, Layers, NotebookText, Telescope } from "lucide-react";
import type { LibraryItem, LibraryItemKind } from "#webapp/library/library-items.ts";

const icons: Record<LibraryItemKind, typeof FileText> = {
  page: NotebookText,
  deck: Layers,
  pdf: FileText,
  image: Image,
  video: Film,
  podcast: Headphones,
  research: Telescope,
};

/** The page's emoji, or the icon of the item's kind. */
export function LibraryItemIcon({ kind, emoji }: Pick<LibraryItem, "kind" | "emoji">) {
  const Icon = icons[kind];
  return emoji ? <span aria-hidden>{emoji}</span> : <Icon aria-hidden />;
}
