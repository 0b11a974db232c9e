import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { addCards } from "../../card-target.ts";
import { occlusionPictureAtom } from "../../occlusion-picture.ts";
import { usePagePort, type PagePicture } from "#webapp/pages/page-port.tsx";
import { store } from "#webapp/app/store.ts";
import { ListDialog } from "../list-dialog.tsx";

/** More pictures would crowd the dialog; each picture's menu offers the same. */
const MAX_PICTURES = 4;

/** Ways to make cards without generating: from a list, or by image occlusion. */
export function ManualCards({ onList, onClose }: { onList: () => void; onClose: () => void }) {
  const pagePort = usePagePort();
  const [pictures] = useState(() => pagePort.listPictures());
  const openOcclusion = (picture: PagePicture) => {
    onClose();
    store.set(occlusionPictureAtom, { pageId: pagePort.pageId, ...picture });
  };
  return (
    <section className="maker-by-hand" aria-label={t("cardDialogs.by_hand")}>
      <span>{t("cardDialogs.by_hand")}</span>
      <Button onClick={onList}>{t("cardDialogs.list_cards")}</Button>
      {pictures.slice(0, MAX_PICTURES).map((picture) => (
        <Button key={picture.fileId} onClick={() => openOcclusion(picture)}>
          {t("cardDialogs.occlude_picture", { name: picture.name })}
        </Button>
      ))}
    </section>
  );
}

/** Adds the list as a new deck on the page. */
export function PageListDialog({ onClose }: { onClose: () => void }) {
  const pagePort = usePagePort();
  return (
    <ListDialog
      onCards={(cards, title) =>
        void addCards({ pageId: pagePort.pageId, newDeck: title || t("flashcards.untitled") }, cards)
      }
      onClose={onClose}
    />
  );
}
