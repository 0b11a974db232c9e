import { useAtomValue } from "jotai/react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { rectsOf, type PageText } from "#shared/pdf/text-rects.ts";
import type { Match } from "../selection/find.ts";
import { findViewAtom, lightStateAtom, type PagedDocument } from "../state.ts";
import { usePinch } from "../viewer/use-pinch.ts";
import { PageView, type Veil } from "./page-view.tsx";

const NO_VEILS: readonly Veil[] = [];

/** Overlays for the search matches on the rendered pages. */
function useFindVeils({ file }: PagedDocument, first: number, last: number): Map<number, Veil[]> {
  const { matches, at } = useAtomValue(findViewAtom);
  const [texts, setTexts] = useState<ReadonlyMap<number, PageText>>(new Map());
  const shown = useMemo(
    () => matches.map((match, index) => ({ ...match, index })).filter(({ page }) => page >= first && page <= last),
    [matches, first, last],
  );
  const pages = [...new Set(shown.map(({ page }) => page))].join();
  useEffect(() => {
    if (pages === "") return undefined;
    let isGone = false;
    const read = async () => {
      const all = await Promise.all(pages.split(",").map((page) => file.textOf(Number(page))));
      if (!isGone) setTexts(new Map(all.map((text) => [text.page, text])));
    };
    read().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [file, pages]);
  return useMemo(() => veilsOf(shown, texts, at), [shown, texts, at]);
}

function veilsOf(
  shown: readonly (Match & { index: number })[],
  texts: ReadonlyMap<number, PageText>,
  at: number,
): Map<number, Veil[]> {
  const veils = new Map<number, Veil[]>();
  for (const { page, start, end, index } of shown) {
    const text = texts.get(page);
    if (!text) continue;
    const className = index === at ? "pdf-find pdf-find-now" : "pdf-find";
    veils.set(page, [...(veils.get(page) ?? []), { key: `find${start}`, className, rects: rectsOf(text, start, end) }]);
  }
  return veils;
}

interface Props {
  open: PagedDocument;
  marks: ReadonlyMap<number, readonly Veil[]>;
  children?: ReactNode;
}

/** Virtualised list of pages. */
export function PageList({ open, marks, children }: Props) {
  const { flow, name } = open;
  const view = useSyncExternalStore(flow.subscribe, flow.view);
  const light = useAtomValue(lightStateAtom);
  const scroller = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  useEffect(
    () => (scroller.current && track.current ? flow.attach(scroller.current, track.current) : undefined),
    [flow],
  );
  // Shortcuts work at once, and Tab continues from here.
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);
  usePinch(scroller, flow);
  const finds = useFindVeils(open, view.first, view.last);
  const veilsAt = (page: number): readonly Veil[] => {
    const lit =
      light.state === "lit" ? light.lit.pieces.filter((piece) => piece.page === page).map(({ rects }) => rects) : [];
    const made: Veil[] = [
      ...(marks.get(page) ?? []),
      ...lit.map((rects) => ({ key: "lit", className: "pdf-lit", rects })),
      ...(finds.get(page) ?? []),
    ];
    return made.length === 0 ? NO_VEILS : made;
  };
  const pages: ReactNode[] = [];
  for (let page = view.first; page <= view.last; page += 1) {
    const box = view.layout.boxes[page - 1];
    const { scale, turn } = view;
    const shown = { open, scale, turn, number: page, veils: veilsAt(page) };
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
