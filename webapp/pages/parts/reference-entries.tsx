import { t } from "#shared/messages/translate.ts";
import type { Content } from "#webapp/library/content.ts";
import { indexLibraryItems, type LibraryItemKind } from "#webapp/library/library-items.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import { insertReference } from "../references.ts";
import type { MenuEntry } from "./slash-entries.tsx";

const KINDS: readonly LibraryItemKind[] = ["page", "deck", "pdf"];
const MAX_RESULTS = 8;

const normalizeText = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Pages, decks and documents by title, most recently opened first. */
export function findReferenceEntries(content: Content, text: string, pageId: string): MenuEntry[] {
  const query = normalizeText(text.trim());
  return [...indexLibraryItems(content).values()]
    .filter(({ id, kind, title }) => KINDS.includes(kind) && id !== pageId && normalizeText(title).includes(query))
    .toSorted((a, b) => b.openedAt - a.openedAt)
    .slice(0, MAX_RESULTS)
    .map((item) => ({
      id: item.id,
      label: item.title || t("common.untitled"),
      icon: <LibraryItemIcon kind={item.kind} emoji={item.emoji} />,
      group: t("pages.references"),
      run: (view) => insertReference(view, item),
    }));
}
