import { FileText, Film, Image, Layers, NotebookText } from "lucide-react";
import type { Place, PlaceKind } from "#webapp/library/places.ts";

const icons: Record<PlaceKind, typeof FileText> = {
  page: NotebookText,
  deck: Layers,
  pdf: FileText,
  image: Image,
  video: Film,
};

/** The page's emoji, or the icon of the item's kind. */
export function PlaceIcon({ kind, emoji }: Pick<Place, "kind" | "emoji">) {
  const Icon = icons[kind];
  return emoji ? <span aria-hidden>{emoji}</span> : <Icon aria-hidden />;
}
