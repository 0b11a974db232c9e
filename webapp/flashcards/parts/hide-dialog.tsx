import { useAtomValue } from "jotai/react";
import { Plus, Trash2 } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { ulid } from "ulid";
import { hiddenCards } from "#shared/flashcards/making.ts";
import type { Region } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/button.tsx";
import { Checkbox } from "#shared/ui/checkbox.tsx";
import { Dialog } from "#shared/ui/dialog.tsx";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { Select } from "#shared/ui/select.tsx";
import { TextField } from "#shared/ui/text-field.tsx";
import { notify } from "#webapp/kit/alerts.ts";
import { CardImage } from "#webapp/kit/card-text.tsx";
import { addCards, decksOf } from "#webapp/kit/card-target.ts";
import { contentAtom } from "#webapp/kit/content.ts";
import type { PictureToHide } from "#webapp/kit/hide-parts.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import { middleRegion, type Point, pushed, regionBetween } from "../hiding.ts";
import "./hide-dialog.css";

const NEW = "new";

interface Regions {
  all: readonly Region[];
  add: (region: Region) => void;
  change: (region: Region) => void;
  remove: (id: string) => void;
}

function useRegions(): Regions {
  const [all, setAll] = useState<readonly Region[]>([]);
  return {
    all,
    add: (region) => setAll((held) => [...held, region].slice(0, 100)),
    change: (region) => setAll((held) => held.map((one) => (one.id === region.id ? region : one))),
    remove: (id) => setAll((held) => held.filter((one) => one.id !== id)),
  };
}

const percent = (share: number) => `${share * 100}%`;
const placeOf = ({ x, y, w, h }: Pick<Region, "x" | "y" | "w" | "h">) => ({
  left: percent(x),
  top: percent(y),
  width: percent(w),
  height: percent(h),
});

const share = (value: number) => Math.min(1, Math.max(0, value));

function pointOn(stage: HTMLElement, { clientX, clientY }: PointerEvent): Point {
  const box = stage.getBoundingClientRect();
  return { x: share((clientX - box.left) / box.width), y: share((clientY - box.top) / box.height) };
}

/** The picture, on which parts are drawn by hand or moved by keys. */
function Stage({ image, regions }: { image: string; regions: Regions }) {
  const stage = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState<Point | null>(null);
  const [to, setTo] = useState<Point | null>(null);
  const drawn = from && to ? regionBetween(from, to) : undefined;
  const onKeyDown = (event: KeyboardEvent, region: Region) => {
    if (event.key === "Delete" || event.key === "Backspace") regions.remove(region.id);
    const next = pushed(region, event.key, event.shiftKey);
    if (next) regions.change(next);
    if (next || event.key === "Delete" || event.key === "Backspace") event.preventDefault();
  };
  return (
    <div
      ref={stage}
      className="hide-stage"
      role="group"
      aria-label={t("flashcards.hide_parts")}
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest(".hide-region")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(pointOn(event.currentTarget, event));
        setTo(null);
      }}
      onPointerMove={(event) => from && setTo(pointOn(event.currentTarget, event))}
      onPointerUp={() => {
        if (drawn) regions.add(drawn);
        setFrom(null);
        setTo(null);
      }}
    >
      <CardImage address={image} />
      {regions.all.map((region, at) => (
        <button
          key={region.id}
          type="button"
          className="hide-region"
          style={placeOf(region)}
          aria-label={t("making.hide_part", { number: at + 1 })}
          onKeyDown={(event) => onKeyDown(event, region)}
        >
          {at + 1}
        </button>
      ))}
      {drawn && <span className="hide-region hide-drawn" style={placeOf(drawn)} />}
    </div>
  );
}

function Labels({ regions }: { regions: Regions }) {
  return (
    <ol className="hide-labels" role="list">
      {regions.all.map((region, at) => (
        <li key={region.id}>
          <TextField
            label={t("making.hide_label", { number: at + 1 })}
            value={region.label}
            maxLength={500}
            onChange={(event) => regions.change({ ...region, label: event.target.value })}
          />
          <IconButton
            label={t("making.hide_remove", { number: at + 1 })}
            icon={<Trash2 aria-hidden />}
            onClick={() => regions.remove(region.id)}
          />
        </li>
      ))}
    </ol>
  );
}

function useSaving({ pageId, fileId, name, citation }: PictureToHide, onClose: () => void) {
  const decks = decksOf(useAtomValue(contentAtom), pageId);
  const [chosen, setChosen] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const deck = decks.find(({ id }) => id === (chosen ?? decks.find((each) => each.pageId === pageId)?.id));
  const save = async (regions: readonly Region[], hidesAll: boolean) => {
    setSaving(true);
    const image = `/v1/files/${fileId}`;
    const question = t("making.hide_question", { name });
    const cards = hiddenCards({ image, question, regions, hidesAll, citation }, ulid);
    try {
      await addCards(deck ? { pageId: deck.pageId, componentId: deck.id } : { pageId, newDeck: name }, cards);
      notify({ message: t("making.hide_made", { count: cards.length }), type: "success" });
      onClose();
    } catch (error) {
      logTrouble("Cards of a picture could not be kept", error);
      notify({ message: t("making.hide_failed"), type: "error" });
      setSaving(false);
    }
  };
  const options = [
    ...decks.map(({ id, title }) => ({ value: id, label: title })),
    { value: NEW, label: t("making.hide_new_deck") },
  ];
  return { deck: deck?.id ?? NEW, options, choose: setChosen, isSaving, save };
}

/** Cards of a picture: each asks for one of the parts that are covered on it. */
export function HideDialog({ picture, onClose }: { picture: PictureToHide; onClose: () => void }) {
  const regions = useRegions();
  const [hidesAll, setHidesAll] = useState(true);
  const saving = useSaving(picture, onClose);
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
            {t("making.hide_make", { count })}
          </Button>
        </>
      }
    >
      <div className="hide-dialog">
        <p className="hide-help">{t("making.hide_help")}</p>
        <Stage image={`/v1/files/${picture.fileId}`} regions={regions} />
        <Button icon={<Plus aria-hidden />} onClick={() => regions.add(middleRegion())}>
          {t("making.hide_add")}
        </Button>
        <Labels regions={regions} />
        <Checkbox label={t("making.hide_others")} checked={hidesAll} onValue={setHidesAll} />
        <Select label={t("making.hide_deck")} value={saving.deck} options={saving.options} onValue={saving.choose} />
      </div>
    </Dialog>
  );
}
