import { memo, useEffect, useRef, useState, type CSSProperties } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import type { FlowView } from "../flow.ts";
import { turned, turnRect, type Box, type Size } from "../page-layout.ts";
import { TextLayer } from "../pdfjs.ts";
import type { PagedDocument } from "../state.ts";

/** Rectangles over a page that mean something: a lit passage, a find, a highlight. */
export interface Veil {
  key: string;
  className: string;
  rects: readonly PageRect[];
}

interface Props {
  open: PagedDocument;
  number: number;
  box: Box;
  view: Pick<FlowView, "scale" | "turn">;
  veils: readonly Veil[];
}

/** Selects and reads out the text of a page; made once for each turn, and scaled by the style sheet. */
function useTextLayer({ file, flow }: PagedDocument, number: number, turn: number) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const layer = ref.current;
    if (!layer) return undefined;
    let isGone = false;
    const make = async () => {
      const page = await file.page(number);
      const viewport = page.getViewport({ scale: 1, rotation: (page.rotate + turn) % 360 });
      const size = page.getViewport({ scale: 1 });
      flow.learnSize(number, { width: size.width, height: size.height });
      const content = await file.contentOf(number);
      if (isGone) return;
      layer.replaceChildren();
      await new TextLayer({ textContentSource: content, container: layer, viewport }).render();
    };
    make().catch((error: unknown) => {
      if (!isGone) logTrouble("The text of a page could not be laid out", error);
    });
    return () => {
      isGone = true;
    };
  }, [file, flow, number, turn]);
  return ref;
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

/** The text is laid out once the page has stood still for a moment: pages that fly by need none. */
const CALM_MS = 80;

export const PageView = memo(function PageView({ open, number, box, view, veils }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [isCalm, setCalm] = useState(false);
  const { painter, flow } = open;
  useEffect(() => {
    const timer = setTimeout(() => setCalm(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => (host.current ? painter.show(number, host.current) : undefined), [painter, number]);
  return (
    <section
      className="pdf-page"
      aria-label={t("pdf.page_n", { page: number })}
      style={boxStyle(box, view.scale)}
      data-page={number}
    >
      <div ref={host} className="pdf-canvas" aria-hidden />
      <Veils veils={veils} size={flow.sizeOf(number)} turn={view.turn} />
      {isCalm && <PageText open={open} number={number} turn={view.turn} />}
    </section>
  );
});

function PageText({ open, number, turn }: { open: PagedDocument; number: number; turn: FlowView["turn"] }) {
  const layer = useTextLayer(open, number, turn);
  return <div ref={layer} className="textLayer" />;
}
