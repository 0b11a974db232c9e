import { useAtomValue } from "jotai/react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { rectsOfRange, type PageText } from "#shared/pdf/text-rects.ts";
import type { Match } from "../selection/find.ts";
import { findViewAtom, quoteHighlightAtom, type PagedDocument } from "../state.ts";
import { usePinchZoom } from "../viewer/use-pinch-zoom.ts";
import { PageView, type PageOverlay } from "./page-view.tsx";

const NO_OVERLAYS: readonly PageOverlay[] = [];

/** Overlays for the search matches on the rendered pages. */
function useMatchOverlays({ file }: PagedDocument, first: number, last: number): Map<number, PageOverlay[]> {
  const { matches, currentIndex } = useAtomValue(findViewAtom);
  const [texts, setTexts] = useState<ReadonlyMap<number, PageText>>(new Map());
  const shown = useMemo(
    () => matches.map((match, index) => ({ ...match, index })).filter(({ page }) => page >= first && page <= last),
    [matches, first, last],
  );
  const pages = [...new Set(shown.map(({ page }) => page))].join();
  useEffect(() => {
    if (pages === "") return undefined;
    let isCancelled = false;
    const read = async () => {
      const all = await Promise.all(pages.split(",").map((page) => file.getPageText(Number(page))));
      if (!isCancelled) setTexts(new Map(all.map((text) => [text.page, text])));
    };
    read().catch(() => undefined);
    return () => {
      isCancelled = true;
    };
  }, [file, pages]);
  return useMemo(() => createMatchOverlays(shown, texts, currentIndex), [shown, texts, currentIndex]);
}

function createMatchOverlays(
  shown: readonly (Match & { index: number })[],
  texts: ReadonlyMap<number, PageText>,
  currentIndex: number,
): Map<number, PageOverlay[]> {
  const overlays = new Map<number, PageOverlay[]>();
  for (const { page, start, end, index } of shown) {
    const text = texts.get(page);
    if (!text) continue;
    const className = index === currentIndex ? "pdf-find pdf-find-now" : "pdf-find";
    overlays.set(page, [
      ...(overlays.get(page) ?? []),
      { key: `find${start}`, className, rects: rectsOfRange(text, start, end) },
    ]);
  }
  return overlays;
}

interface Props {
  document: PagedDocument;
  annotationOverlays: ReadonlyMap<number, readonly PageOverlay[]>;
  children?: ReactNode;
}

/** Virtualised list of pages. */
export function PageList({ document, annotationOverlays, children }: Props) {
  const { flow, name } = document;
  const view = useSyncExternalStore(flow.subscribe, flow.view);
  const highlightState = useAtomValue(quoteHighlightAtom);
  const scroller = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  useEffect(
    () => (scroller.current && track.current ? flow.attach(scroller.current, track.current) : undefined),
    [flow],
  );
  // Focused at once, so that shortcuts work and Tab continues from the pages.
  useEffect(() => scroller.current?.focus({ preventScroll: true, focusVisible: false }), []);
  usePinchZoom(scroller, flow);
  const matchOverlays = useMatchOverlays(document, view.first, view.last);
  const overlaysOf = (page: number): readonly PageOverlay[] => {
    const highlightRects =
      highlightState.state === "shown"
        ? highlightState.highlight.pieces.filter((piece) => piece.page === page).map(({ rects }) => rects)
        : [];
    const pageOverlays: PageOverlay[] = [
      ...(annotationOverlays.get(page) ?? []),
      ...highlightRects.map((rects) => ({ key: "lit", className: "pdf-lit", rects })),
      ...(matchOverlays.get(page) ?? []),
    ];
    return pageOverlays.length === 0 ? NO_OVERLAYS : pageOverlays;
  };
  const pages: ReactNode[] = [];
  for (let page = view.first; page <= view.last; page += 1) {
    const box = view.layout.boxes[page - 1];
    const { scale, turn: rotation } = view;
    const shown = { document, scale, rotation, number: page, overlays: overlaysOf(page) };
    if (box) pages.push(<PageView key={page} box={box} {...shown} />);
  }
  return (
    // A scrollable region must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <main ref={scroller} id="content" className="pdf-scroller" tabIndex={0} aria-label={t("pdf.document", { name })}>
      <div ref={track} className="pdf-track">
        {pages}
      </div>
      {children}
    </main>
  );
}
