import { t } from "#shared/messages/translate.ts";
import type { Content } from "#webapp/library/content.ts";
import { findItemsByTitle, type LibraryItemKind } from "#webapp/library/library-items.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import { insertReference } from "../references.ts";
import type { MenuEntry } from "./slash-entries.tsx";

const KINDS: readonly LibraryItemKind[] = ["page", "deck", "pdf"];
const MAX_RESULTS = 8;

/** Pages, decks and documents by title, most recently opened first. */
export const findReferenceEntries = (content: Content, text: string, pageId: string): MenuEntry[] =>
  findItemsByTitle(content, text, { kinds: KINDS, excludedId: pageId, most: MAX_RESULTS }).map((item) => ({
    id: item.id,
    label: item.title || t("common.untitled"),
    icon: <LibraryItemIcon kind={item.kind} emoji={item.emoji} />,
    group: t("pages.references"),
    about: t(`library.${item.label}`),
    run: (view) => insertReference(view, item),
  }));
