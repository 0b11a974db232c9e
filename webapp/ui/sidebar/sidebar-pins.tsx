import { useAtomValue } from "jotai/react";
import { MoreHorizontal } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { pinsAtom, movePin, unpin } from "#webapp/library/pins.ts";
import type { LibraryItem } from "#webapp/library/library-items.ts";
import { LibraryItemIcon } from "./library-item-icon.tsx";
import { SidebarRow } from "./sidebar-row.tsx";
import { SidebarSection } from "./sidebar-section.tsx";

/** The pinned items; hidden if there are none. */
export function SidebarPins({ libraryItems }: { libraryItems: ReadonlyMap<string, LibraryItem> }) {
  const pinned = useAtomValue(pinsAtom).flatMap(({ itemId }) => libraryItems.get(itemId) ?? []);
  if (pinned.length === 0) return null;
  return (
    <SidebarSection title={t("library.favorites")} preference="favorites_minimized">
      <ul role="list">
        {pinned.map((item, index) => (
          <PinRow key={item.id} item={item} isFirst={index === 0} isLast={index === pinned.length - 1} />
        ))}
      </ul>
    </SidebarSection>
  );
}

function PinRow({ item, isFirst, isLast }: { item: LibraryItem; isFirst: boolean; isLast: boolean }) {
  const { id, kind, emoji, to } = item;
  const title = item.title || t("common.untitled");
  return (
    <SidebarRow
      to={to}
      label={title}
      icon={<LibraryItemIcon kind={kind} emoji={emoji} />}
      action={
        <Menu
          trigger={<IconButton label={t("library.pin_more", { title })} icon={<MoreHorizontal aria-hidden />} />}
          groups={[
            [
              { label: t("library.pin_up"), disabled: isFirst, onSelect: () => void movePin(id, -1) },
              { label: t("library.pin_down"), disabled: isLast, onSelect: () => void movePin(id, 1) },
            ],
            [{ label: t("library.unpin"), onSelect: () => void unpin(id) }],
          ]}
        />
      }
    />
  );
}

const RECENTS_SHOWN = 6;

/**
 * The most recently opened items of any kind, without those that another section lists. A page and the items made from
 * its file often have the same title, so only the most recent of such items is listed.
 */
export function listRecents(
  libraryItems: ReadonlyMap<string, LibraryItem>,
  listed: readonly LibraryItem[],
): LibraryItem[] {
  const opened = [...libraryItems.values()]
    .filter((item) => item.openedAt > 0 && !listed.includes(item))
    .toSorted((a, b) => b.openedAt - a.openedAt);
  const seenTitles = new Set<string>();
  const recent = opened.filter(({ id, pageId, title }) => {
    const key = `${pageId || id} ${title}`;
    const isNew = !seenTitles.has(key);
    seenTitles.add(key);
    return isNew;
  });
  return recent.slice(0, RECENTS_SHOWN);
}

/** Recently opened items of any kind. */
export function SidebarRecents({ recent }: { recent: readonly LibraryItem[] }) {
  if (recent.length === 0) return null;
  return (
    <SidebarSection title={t("library.recents")} preference="recents_minimized">
      <ul role="list">
        {recent.map(({ id, kind, emoji, title, to }) => (
          <SidebarRow
            key={id}
            to={to}
            label={title || t("common.untitled")}
            icon={<LibraryItemIcon kind={kind} emoji={emoji} />}
          />
        ))}
      </ul>
    </SidebarSection>
  );
}
