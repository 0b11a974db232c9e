import { memo, useEffect, useRef, type CSSProperties } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import type { FlowView } from "../viewer/flow.ts";
import { renderTextLayer } from "../viewer/render-text-layer.ts";
import { rotateSize, rotateRect, type Box, type Size } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

/** Rectangles over a page: a cited passage, a search match or a highlight. */
export interface PageOverlay {
  key: string;
  className: string;
  rects: readonly PageRect[];
}

interface Props {
  document: PagedDocument;
  number: number;
  box: Box;
  scale: number;
  rotation: FlowView["turn"];
  overlays: readonly PageOverlay[];
}

const createBoxStyle = ({ left, top, width, height }: Box, scale: number): CSSProperties & Record<string, unknown> => ({
  transform: `translate(${left}px, ${top}px)`,
  width,
  height,
  "--total-scale-factor": scale,
});

const toPercent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)}%`;

function createOverlayStyle(rect: PageRect, size: Size, rotation: FlowView["turn"]): CSSProperties {
  const [x, y, width, height] = rotateRect(rect, size, rotation);
  const page = rotateSize(size, rotation);
  return {
    left: toPercent(x, page.width),
    top: toPercent(y, page.height),
    width: toPercent(width, page.width),
    height: toPercent(height, page.height),
  };
}

function PageOverlays({
  overlays,
  size,
  rotation,
}: {
  overlays: readonly PageOverlay[];
  size: Size;
  rotation: FlowView["turn"];
}) {
  // Even an empty overlay would make the browser blend the page in every frame.
  if (overlays.length === 0) return null;
  return (
    <div className="pdf-veils" aria-hidden>
      {overlays.map(({ key, className, rects }) =>
        rects.map((rect) => (
          <span key={`${key} ${rect.join()}`} className={className} style={createOverlayStyle(rect, size, rotation)} />
        )),
      )}
    </div>
  );
}

/** A page: its picture, overlays and text layer. */
export const PageView = memo(function PageView({ document, number, box, scale, rotation, overlays }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const textRef = useRef<HTMLDivElement>(null);
  const { painter, texts, flow } = document;
  useEffect(() => (host.current ? painter.attach(number, host.current) : undefined), [painter, number]);
  useEffect(() => {
    const textHost = textRef.current;
    return textHost
      ? texts.enqueue(number, () => renderTextLayer(document, { page: number, turn: rotation }, textHost))
      : undefined;
  }, [document, texts, number, rotation]);
  return (
    <section
      className="pdf-page"
      aria-label={t("pdf.page_n", { page: number })}
      style={createBoxStyle(box, scale)}
      data-page={number}
    >
      <div ref={host} className="pdf-canvas" aria-hidden />
      <PageOverlays overlays={overlays} size={flow.sizeOf(number)} rotation={rotation} />
      <div ref={textRef} />
    </section>
  );
});
