import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { occlusionPictureAtom, type OcclusionPicture } from "#webapp/flashcards/occlusion-picture.ts";
import { useBlobUrl } from "#webapp/app/browser/use-blob-url.ts";
import { store } from "#webapp/app/store.ts";
import { logWarning } from "#webapp/app/log.ts";
import { copyPicture, savePicture, renderArea, type Area } from "../annotations/area.ts";
import { unrotateRect } from "../viewer/page-layout.ts";
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

function measureOverlap(page: HTMLElement, frame: Frame): Overlap | undefined {
  const box = page.getBoundingClientRect();
  const [left, top] = [Math.max(frame.left, box.left), Math.max(frame.top, box.top)];
  const width = Math.min(frame.left + frame.width, box.right) - left;
  const height = Math.min(frame.top + frame.height, box.bottom) - top;
  const isLargeEnough = width >= MIN_PX && height >= MIN_PX;
  return isLargeEnough ? { page, left: left - box.left, top: top - box.top, width, height } : undefined;
}

const roundToTenth = (value: number) => Math.round(value * 10) / 10;

/** The area inside the frame, on the page that it overlaps most; undefined if it overlaps no page. */
function findArea({ flow }: PagedDocument, frame: Frame): Area | undefined {
  const overlaps = [...document.querySelectorAll<HTMLElement>(".pdf-page")].flatMap(
    (page) => measureOverlap(page, frame) ?? [],
  );
  const [largest] = overlaps.toSorted((a, b) => b.width * b.height - a.width * a.height);
  if (!largest) return undefined;
  const { scale, turn } = flow.view();
  const page = Number(largest.page.dataset["page"]);
  const shown: PageRect = [largest.left / scale, largest.top / scale, largest.width / scale, largest.height / scale];
  const [x, y, width, height] = unrotateRect(shown, flow.sizeOf(page), turn);
  return { page, rect: [roundToTenth(x), roundToTenth(y), roundToTenth(width), roundToTenth(height)] };
}

const pointOf = ({ clientX: x, clientY: y }: PointerEvent) => ({ x, y });

const frameBetween = (a: { x: number; y: number }, b: { x: number; y: number }): Frame => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

function createCentredFrame(): Frame {
  const [width, height] = [Math.min(320, window.innerWidth * 0.6), Math.min(220, window.innerHeight * 0.3)];
  return { left: (window.innerWidth - width) / 2, top: (window.innerHeight - height) / 2, width, height };
}

/** Arrow keys move the frame; with Shift they move its far corner. */
function moveByKey(frame: Frame, { key, shiftKey }: KeyboardEvent): Frame | undefined {
  const x = key === "ArrowLeft" ? -STEP_PX : key === "ArrowRight" ? STEP_PX : 0;
  const y = key === "ArrowUp" ? -STEP_PX : key === "ArrowDown" ? STEP_PX : 0;
  if (x === 0 && y === 0) return undefined;
  if (!shiftKey) return { ...frame, left: frame.left + x, top: frame.top + y };
  return { ...frame, width: Math.max(MIN_PX, frame.width + x), height: Math.max(MIN_PX, frame.height + y) };
}

interface CaptureActionsProps {
  picture: Blob | undefined;
  /** A document without a page cannot store pictures. */
  canSave: boolean;
  isSaving: boolean;
  onSave: (then?: (saved: OcclusionPicture) => void) => Promise<void>;
}

const openOcclusion = (saved: OcclusionPicture) => store.set(occlusionPictureAtom, saved);

function CaptureActions({ picture, canSave, isSaving, onSave }: CaptureActionsProps) {
  return (
    <>
      <Button disabled={!picture} onClick={() => picture && void copyPicture(picture)}>
        {t("pdf.area_copy")}
      </Button>
      {canSave && (
        <Button disabled={!picture || isSaving} onClick={() => void onSave(openOcclusion)}>
          {t("flashcards.hide_parts")}
        </Button>
      )}
      {canSave && (
        <Button variant="primary" disabled={!picture} pending={isSaving} onClick={() => void onSave()}>
          {t("pdf.area_to_page")}
        </Button>
      )}
    </>
  );
}

function CaptureDialog({ open, area, onClose }: { open: PagedDocument; area: Area; onClose: () => void }) {
  const [isSaving, setSaving] = useState(false);
  const capture = useCallback(
    () =>
      renderArea(open, area).catch((error: unknown) => {
        logWarning("Could not paint an area", error);
        return undefined;
      }),
    [open, area],
  );
  const shown = useBlobUrl(capture);
  const picture = shown?.blob;
  const save = async (then?: (saved: OcclusionPicture) => void) => {
    if (!picture) return;
    setSaving(true);
    const saved = await savePicture(open, area, picture);
    setSaving(false);
    if (!saved) return;
    onClose();
    then?.(saved);
  };
  const title = t("pdf.area_title", { page: area.page });
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={<CaptureActions picture={picture} canSave={open.pageId !== ""} isSaving={isSaving} onSave={save} />}
    >
      {shown && <img className="pdf-taken" src={shown.url} alt={title} />}
    </Dialog>
  );
}

/** Selects a rectangle on the pages by pointer or arrow keys and captures it as a picture. */
export function AreaPicker({ open, onClose }: { open: PagedDocument; onClose: () => void }) {
  const [frame, setFrame] = useState<Frame>(createCentredFrame);
  const [start, setStart] = useState<{ x: number; y: number } | null>(null);
  const [area, setArea] = useState<Area>();
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => surface.current?.focus(), []);
  if (area) return <CaptureDialog open={open} area={area} onClose={onClose} />;
  const capture = (selectedFrame: Frame) => {
    if (selectedFrame.width >= MIN_PX && selectedFrame.height >= MIN_PX) setArea(findArea(open, selectedFrame));
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
        if (start) setFrame(frameBetween(start, pointOf(event)));
      }}
      onPointerUp={(event) => {
        if (start) capture(frameBetween(start, pointOf(event)));
        setStart(null);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        // Otherwise the same key press would activate the first button of the dialog that opens.
        if (event.target === event.currentTarget && event.key !== "Tab") event.preventDefault();
        if (event.key === "Escape") return onClose();
        if (event.key === "Enter" && event.target === event.currentTarget) return capture(frame);
        const next = moveByKey(frame, event);
        return next && setFrame(next);
      }}
    >
      <span className="pdf-area-frame" style={frame} />
      <p className="pdf-area-help">
        {t("pdf.area_help")}
        <Button onPointerDown={(event) => event.stopPropagation()} onClick={() => capture(frame)}>
          {t("pdf.area_capture")}
        </Button>
        <Button variant="quiet" onPointerDown={(event) => event.stopPropagation()} onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </p>
    </div>
  );
}
