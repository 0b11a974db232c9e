import { memo, useEffect, useRef, type CSSProperties } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import type { FlowView } from "../viewer/flow.ts";
import { layText } from "../viewer/lay-text.ts";
import { turned, turnRect, type Box, type Size } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

/** Rectangles over a page: a cited passage, a search match or a highlight. */
export interface Veil {
  key: string;
  className: string;
  rects: readonly PageRect[];
}

interface Props {
  open: PagedDocument;
  number: number;
  box: Box;
  scale: number;
  turn: FlowView["turn"];
  veils: readonly Veil[];
}

const boxStyle = ({ left, top, width, height }: Box, scale: number): CSSProperties & Record<string, unknown> => ({
  transform: `translate(${left}px, ${top}px)`,
  width,
  height,
  "--total-scale-factor": scale,
});

const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)}%`;

function veilStyle(rect: PageRect, size: Size, turn: FlowView["turn"]): CSSProperties {
  const [x, y, width, height] = turnRect(rect, size, turn);
  const page = turned(size, turn);
  return {
    left: share(x, page.width),
    top: share(y, page.height),
    width: share(width, page.width),
    height: share(height, page.height),
  };
}

function Veils({ veils, size, turn }: { veils: readonly Veil[]; size: Size; turn: FlowView["turn"] }) {
  // Even an empty overlay would make the browser blend the page in every frame.
  if (veils.length === 0) return null;
  return (
    <div className="pdf-veils" aria-hidden>
      {veils.map(({ key, className, rects }) =>
        rects.map((rect) => (
          <span key={`${key} ${rect.join()}`} className={className} style={veilStyle(rect, size, turn)} />
        )),
      )}
    </div>
  );
}

/** A page: its picture, overlays and text layer. */
export const PageView = memo(function PageView({ open, number, box, scale, turn, veils }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const { painter, texts, flow } = open;
  useEffect(() => (host.current ? painter.show(number, host.current) : undefined), [painter, number]);
  useEffect(() => {
    const place = words.current;
    return place ? texts.ask(number, () => layText(open, { page: number, turn }, place)) : undefined;
  }, [open, texts, number, turn]);
  return (
    <section
      className="pdf-page"
      aria-label={t("pdf.page_n", { page: number })}
      style={boxStyle(box, scale)}
      data-page={number}
    >
      <div ref={host} className="pdf-canvas" aria-hidden />
      <Veils veils={veils} size={flow.sizeOf(number)} turn={turn} />
      <div ref={words} />
    </section>
  );
});
