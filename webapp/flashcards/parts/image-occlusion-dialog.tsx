import { useAtomValue } from "jotai/react";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ulid } from "ulid";
import { middleRegion } from "#shared/flashcards/occlusion-regions.ts";
import { buildOcclusionCards } from "#shared/flashcards/card-builders.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { RegionLabels, RegionEditor, useRegions } from "#shared/ui/content/region-editor.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { CardImage } from "../card-text.tsx";
import { addCards, listDeckChoices } from "../card-target.ts";
import { contentAtom } from "#webapp/library/content.ts";
import type { OcclusionPicture } from "../occlusion-picture.ts";
import { logWarning } from "#webapp/app/log.ts";
import "./image-occlusion-dialog.css";

const NEW_DECK = "new";

function useSaveOcclusionCards({ pageId, fileId, name, citation }: OcclusionPicture, onClose: () => void) {
  const decks = listDeckChoices(useAtomValue(contentAtom), pageId);
  const [chosen, setChosen] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const deck = decks.find(({ id }) => id === (chosen ?? decks.find((choice) => choice.pageId === pageId)?.id));
  const save = async (regions: readonly Region[], hidesAll: boolean) => {
    setSaving(true);
    const image = `/v1/files/${fileId}`;
    const question = t("cardDialogs.hide_question", { name });
    const cards = buildOcclusionCards({ image, question, regions, hidesAll, citation }, ulid);
    try {
      await addCards(deck ? { pageId: deck.pageId, componentId: deck.id } : { pageId, newDeck: name }, cards);
      notify({ message: t("cardDialogs.hide_made", { count: cards.length }), type: "success" });
      onClose();
    } catch (error) {
      logWarning("Could not save image occlusion cards", error);
      notify({ message: t("cardDialogs.hide_failed"), type: "error" });
      setSaving(false);
    }
  };
  const options = [
    ...decks.map(({ id, title }) => ({ value: id, label: title })),
    { value: NEW_DECK, label: t("cardDialogs.hide_new_deck") },
  ];
  return { deck: deck?.id ?? NEW_DECK, options, choose: setChosen, isSaving, save };
}

/** Image occlusion: makes one card for each covered part of a picture. */
export function ImageOcclusionDialog({ picture, onClose }: { picture: OcclusionPicture; onClose: () => void }) {
  const regions = useRegions();
  const [hidesAll, setHidesAll] = useState(true);
  const saving = useSaveOcclusionCards(picture, onClose);
  const count = regions.all.length;
  const isReady = count > 0 && regions.all.every(({ label }) => label.trim() !== "");
  return (
    <Dialog
      open
      title={t("flashcards.hide_parts")}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            variant="primary"
            disabled={!isReady}
            pending={saving.isSaving}
            onClick={() => void saving.save(regions.all, hidesAll)}
          >
            {t("cardDialogs.hide_make", { count })}
          </Button>
        </>
      }
    >
      <div className="hide-dialog">
        <p className="hide-help">{t("cardDialogs.hide_help")}</p>
        <RegionEditor
          label={t("flashcards.hide_parts")}
          regions={regions}
          partLabel={(number) => t("cardDialogs.hide_part", { number })}
        >
          <CardImage address={`/v1/files/${picture.fileId}`} />
        </RegionEditor>
        <Button icon={<Plus aria-hidden />} onClick={() => regions.add(middleRegion())}>
          {t("cardDialogs.hide_add")}
        </Button>
        <RegionLabels
          regions={regions}
          fieldLabel={(number) => t("cardDialogs.hide_label", { number })}
          removeLabel={(number) => t("cardDialogs.hide_remove", { number })}
        />
        <Checkbox label={t("cardDialogs.hide_others")} checked={hidesAll} onValue={setHidesAll} />
        <Select
          label={t("cardDialogs.hide_deck")}
          value={saving.deck}
          options={saving.options}
          onValue={saving.choose}
        />
      </div>
    </Dialog>
  );
}
