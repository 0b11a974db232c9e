import { useAtomValue } from "jotai/react";
import { MoreHorizontal } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { favoritesAtom, movePin, unpin } from "#webapp/library/favorites.ts";
import type { Place } from "#webapp/library/places.ts";
import { PlaceIcon } from "./place-icon.tsx";
import { SidebarRow } from "./sidebar-row.tsx";
import { SidebarSection } from "./sidebar-section.tsx";

/** Pinned items; hidden if there are none. */
export function SidebarPins({ places }: { places: ReadonlyMap<string, Place> }) {
  const pinned = useAtomValue(favoritesAtom).flatMap(({ itemId }) => places.get(itemId) ?? []);
  if (pinned.length === 0) return null;
  return (
    <SidebarSection title={t("library.favorites")} remembered="favorites_minimized">
      <ul role="list">
        {pinned.map((place, at) => (
          <PinRow key={place.id} place={place} isFirst={at === 0} isLast={at === pinned.length - 1} />
        ))}
      </ul>
    </SidebarSection>
  );
}

function PinRow({ place, isFirst, isLast }: { place: Place; isFirst: boolean; isLast: boolean }) {
  const { id, kind, emoji, to } = place;
  const title = place.title || t("common.untitled");
  return (
    <SidebarRow
      to={to}
      label={title}
      icon={<PlaceIcon kind={kind} emoji={emoji} />}
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

/** Recently opened items of any kind. */
export function SidebarRecents({ places }: { places: ReadonlyMap<string, Place> }) {
  const recent = [...places.values()]
    .filter(({ openedAt }) => openedAt > 0)
    .toSorted((a, b) => b.openedAt - a.openedAt)
    .slice(0, RECENTS_SHOWN);
  if (recent.length === 0) return null;
  return (
    <SidebarSection title={t("library.recents")} remembered="recents_minimized">
      <ul role="list">
        {recent.map(({ id, kind, emoji, title, to }) => (
          <SidebarRow
            key={id}
            to={to}
            label={title || t("common.untitled")}
            icon={<PlaceIcon kind={kind} emoji={emoji} />}
          />
        ))}
      </ul>
    </SidebarSection>
  );
}
