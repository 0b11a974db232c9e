import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { addCards } from "../card-target.ts";
import { hidePartsAtom } from "../hide-parts.ts";
import { usePageDoor, type PagePicture } from "#webapp/pages/page-door.tsx";
import { store } from "#webapp/app/store.ts";
import { ListDialog } from "./list-dialog.tsx";

/** A page of more pictures has their own menus. */
const MAX_PICTURES = 4;

/** Cards that are no matter of an engine: of a list, and of the parts of a picture. */
export function ByHand({ onList, onClose }: { onList: () => void; onClose: () => void }) {
  const door = usePageDoor();
  const [pictures] = useState(() => door.pictures());
  const hide = (picture: PagePicture) => {
    onClose();
    store.set(hidePartsAtom, { pageId: door.pageId, ...picture });
  };
  return (
    <section className="maker-by-hand" aria-label={t("making.by_hand")}>
      <span>{t("making.by_hand")}</span>
      <Button onClick={onList}>{t("making.list_cards")}</Button>
      {pictures.slice(0, MAX_PICTURES).map((picture) => (
        <Button key={picture.fileId} onClick={() => hide(picture)}>
          {t("making.hide_of", { name: picture.name })}
        </Button>
      ))}
    </section>
  );
}

/** A list becomes a deck of its own on the page. */
export function ListOfPage({ onClose }: { onClose: () => void }) {
  const door = usePageDoor();
  return (
    <ListDialog
      onCards={(cards, title) =>
        void addCards({ pageId: door.pageId, newDeck: title || t("flashcards.untitled") }, cards)
      }
      onClose={onClose}
    />
  );
}
