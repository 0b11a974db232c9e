import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { hidePartsAtom, type PictureToHide } from "#webapp/flashcards/hide-parts.ts";
import { useShownBlob } from "#webapp/app/browser/shown-blob.ts";
import { store } from "#webapp/app/store.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { copyPicture, keepPicture, pictureOf, type Area } from "../annotations/area.ts";
import { unturnRect } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

/** In window pixels. */
interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

const MIN_PX = 12;
const STEP_PX = 16;

interface Overlap {
  page: HTMLElement;
  left: number;
  top: number;
  width: number;
  height: number;
}

function overlapOf(page: HTMLElement, frame: Frame): Overlap | undefined {
  const box = page.getBoundingClientRect();
  const [left, top] = [Math.max(frame.left, box.left), Math.max(frame.top, box.top)];
  const width = Math.min(frame.left + frame.width, box.right) - left;
  const height = Math.min(frame.top + frame.height, box.bottom) - top;
  const isThere = width >= MIN_PX && height >= MIN_PX;
  return isThere ? { page, left: left - box.left, top: top - box.top, width, height } : undefined;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

/** The area under the frame on the page it overlaps most; undefined if it overlaps none. */
function areaUnder({ flow }: PagedDocument, frame: Frame): Area | undefined {
  const overlaps = [...document.querySelectorAll<HTMLElement>(".pdf-page")].flatMap(
    (page) => overlapOf(page, frame) ?? [],
  );
  const [most] = overlaps.toSorted((a, b) => b.width * b.height - a.width * a.height);
  if (!most) return undefined;
  const { scale, turn } = flow.view();
  const page = Number(most.page.dataset["page"]);
  const shown: PageRect = [most.left / scale, most.top / scale, most.width / scale, most.height / scale];
  const [x, y, width, height] = unturnRect(shown, flow.sizeOf(page), turn);
  return { page, rect: [tenth(x), tenth(y), tenth(width), tenth(height)] };
}

const pointOf = ({ clientX: x, clientY: y }: PointerEvent) => ({ x, y });

const spanned = (a: { x: number; y: number }, b: { x: number; y: number }): Frame => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

function middle(): Frame {
  const [width, height] = [Math.min(320, window.innerWidth * 0.6), Math.min(220, window.innerHeight * 0.3)];
  return { left: (window.innerWidth - width) / 2, top: (window.innerHeight - height) / 2, width, height };
}

/** Arrow keys move the frame; with Shift they move its far corner. */
function pushed(frame: Frame, { key, shiftKey }: KeyboardEvent): Frame | undefined {
  const x = key === "ArrowLeft" ? -STEP_PX : key === "ArrowRight" ? STEP_PX : 0;
  const y = key === "ArrowUp" ? -STEP_PX : key === "ArrowDown" ? STEP_PX : 0;
  if (x === 0 && y === 0) return undefined;
  if (!shiftKey) return { ...frame, left: frame.left + x, top: frame.top + y };
  return { ...frame, width: Math.max(MIN_PX, frame.width + x), height: Math.max(MIN_PX, frame.height + y) };
}

interface TakenActionsProps {
  picture: Blob | undefined;
  /** A document without a page cannot store pictures. */
  canKeep: boolean;
  isKeeping: boolean;
  onKeep: (then?: (kept: PictureToHide) => void) => Promise<void>;
}

const hide = (kept: PictureToHide) => store.set(hidePartsAtom, kept);

function TakenActions({ picture, canKeep, isKeeping, onKeep }: TakenActionsProps) {
  return (
    <>
      <Button disabled={!picture} onClick={() => picture && void copyPicture(picture)}>
        {t("pdf.area_copy")}
      </Button>
      {canKeep && (
        <Button disabled={!picture || isKeeping} onClick={() => void onKeep(hide)}>
          {t("flashcards.hide_parts")}
        </Button>
      )}
      {canKeep && (
        <Button variant="primary" disabled={!picture} pending={isKeeping} onClick={() => void onKeep()}>
          {t("pdf.area_to_page")}
        </Button>
      )}
    </>
  );
}

function Taken({ open, area, onClose }: { open: PagedDocument; area: Area; onClose: () => void }) {
  const [isKeeping, setKeeping] = useState(false);
  const take = useCallback(
    () =>
      pictureOf(open, area).catch((error: unknown) => {
        logTrouble("Could not paint an area", error);
        return undefined;
      }),
    [open, area],
  );
  const shown = useShownBlob(take);
  const picture = shown?.blob;
  const keep = async (then?: (kept: PictureToHide) => void) => {
    if (!picture) return;
    setKeeping(true);
    const kept = await keepPicture(open, area, picture);
    setKeeping(false);
    if (!kept) return;
    onClose();
    then?.(kept);
  };
  const title = t("pdf.area_title", { page: area.page });
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={<TakenActions picture={picture} canKeep={open.pageId !== ""} isKeeping={isKeeping} onKeep={keep} />}
    >
      {shown && <img className="pdf-taken" src={shown.address} alt={title} />}
    </Dialog>
  );
}

/** Selects a rectangle on the pages by pointer or arrow keys and captures it as a picture. */
export function AreaPicker({ open, onClose }: { open: PagedDocument; onClose: () => void }) {
  const [frame, setFrame] = useState<Frame>(middle);
  const [start, setStart] = useState<{ x: number; y: number } | null>(null);
  const [area, setArea] = useState<Area>();
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => surface.current?.focus(), []);
  if (area) return <Taken open={open} area={area} onClose={onClose} />;
  const take = (wanted: Frame) => {
    if (wanted.width >= MIN_PX && wanted.height >= MIN_PX) setArea(areaUnder(open, wanted));
  };
  return (
    // No standard ARIA role describes choosing an area by dragging or arrow keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex
    <div
      ref={surface}
      className="pdf-area"
      role="application"
      aria-label={t("pdf.area_help")}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(pointOf(event));
        setFrame({ left: event.clientX, top: event.clientY, width: 0, height: 0 });
      }}
      onPointerMove={(event) => {
        if (start) setFrame(spanned(start, pointOf(event)));
      }}
      onPointerUp={(event) => {
        if (start) take(spanned(start, pointOf(event)));
        setStart(null);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        // Otherwise the same key press would activate the first button of the dialog that opens.
        if (event.target === event.currentTarget && event.key !== "Tab") event.preventDefault();
        if (event.key === "Escape") return onClose();
        if (event.key === "Enter" && event.target === event.currentTarget) return take(frame);
        const next = pushed(frame, event);
        return next && setFrame(next);
      }}
    >
      <span className="pdf-area-frame" style={frame} />
      <p className="pdf-area-help">
        {t("pdf.area_help")}
        <Button onPointerDown={(event) => event.stopPropagation()} onClick={() => take(frame)}>
          {t("pdf.area_take")}
        </Button>
        <Button variant="quiet" onPointerDown={(event) => event.stopPropagation()} onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </p>
    </div>
  );
}
