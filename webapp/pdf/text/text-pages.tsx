import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode, type RefObject } from "react";
import type { Anchor } from "#shared/pdf/anchoring/quote-anchoring.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { computeHeadingLevels } from "../heading-levels.ts";
import type { Match } from "../selection/find.ts";
import type { PagedDocument, TextDocument } from "../state.ts";

/** A part of a passage that is highlighted. */
export interface TextRange {
  start: number;
  end: number;
  className: string;
  annotationId?: string;
}

/** Splits a passage at range boundaries; each segment gets the last range that covers it. */
function PassageSegments({ text, ranges }: { text: string; ranges: readonly TextRange[] }): ReactNode {
  const boundaries = [...new Set([0, text.length, ...ranges.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  );
  return boundaries.slice(0, -1).map((start, index) => {
    const end = boundaries[index + 1] ?? text.length;
    const covering = ranges.findLast((range) => range.start <= start && range.end >= end);
    const words = text.slice(start, end);
    return covering ? (
      <span key={start} className={covering.className} data-mark={covering.annotationId}>
        {words}
      </span>
    ) : (
      words
    );
  });
}

interface PassageBlockProps {
  passage: Passage;
  index: number;
  ranges: readonly TextRange[];
  /** Heading level, for headings only. */
  level: number | undefined;
}

function PassageBlock({ passage, index, ranges, level }: PassageBlockProps) {
  const content = <PassageSegments text={passage.text} ranges={ranges} />;
  const shared = { "data-passage": index, className: `pdf-text-${passage.kind}`, dir: "auto" };
  if (passage.kind === "heading") {
    const Heading = `h${level ?? 2}` as "h2";
    return <Heading {...shared}>{content}</Heading>;
  }
  if (passage.kind === "code")
    return (
      <pre {...shared} dir="ltr">
        {content}
      </pre>
    );
  return <p {...shared}>{content}</p>;
}

const NO_RANGES: readonly TextRange[] = [];

interface TextPage {
  page: number;
  /** Index of its first passage in the document. */
  first: number;
  passages: Passage[];
}

function groupByPage(passages: readonly Passage[]): TextPage[] {
  const pages: TextPage[] = [];
  for (const [index, passage] of passages.entries()) {
    const page = passage.locator.page ?? 1;
    const last = pages.at(-1);
    if (last?.page === page) last.passages.push(passage);
    else pages.push({ page, first: index, passages: [passage] });
  }
  return pages;
}

/** The index of the first passage that is visible in the window. */
export function findVisiblePassage(): number {
  const main = document.querySelector(".pdf-text");
  const top = main?.getBoundingClientRect().top ?? 0;
  const isBelow = (element: Element) => element.getBoundingClientRect().bottom > top + 1;
  // Finds the page first, because the passages of pages outside the viewport have no layout.
  const page = [...(main?.querySelectorAll("section") ?? [])].find(isBelow);
  const first = [...(page?.querySelectorAll<HTMLElement>("[data-passage]") ?? [])].find(isBelow);
  // If the view is scrolled past the end, the last passage counts as visible.
  const shown = first ?? [...(main?.querySelectorAll<HTMLElement>("[data-passage]") ?? [])].at(-1);
  return Number(shown?.dataset["passage"] ?? 0);
}

/** The first passage that `isReached` accepts, otherwise the last, because the pages after it have no text. */
function findPassageOrLast(passages: readonly Passage[], isReached: (passage: Passage) => boolean): number {
  const index = passages.findIndex(isReached);
  return index < 0 ? passages.length - 1 : index;
}

/** The passage at the scroll position of the pages. */
function findPassageInPages({ flow }: PagedDocument, passages: readonly Passage[]): number {
  const { page, at } = flow.viewport();
  const top = at * flow.sizeOf(page).height;
  const isReached = ({ locator: { page: number = 1, rect } }: Passage) =>
    number > page || (number === page && (!rect || rect[1] + rect[3] > top));
  return findPassageOrLast(passages, isReached);
}

/** In documents with more passages, only visible pages are laid out. */
const LONG_PASSAGES = 1_500;

export function scrollToPassage(index: number): void {
  const scroll = () => document.querySelector(`[data-passage="${index}"]`)?.scrollIntoView({ block: "start" });
  scroll();
  // In a long document, the pages around the passage have their final height only after this layout.
  requestAnimationFrame(() => requestAnimationFrame(scroll));
}

const SETTLE_MS = 150;

/** Starts at the scroll position of the PDF's pages, and scrolls the pages along with the text. */
function useSharedPosition(
  main: RefObject<HTMLElement | null>,
  { paged, passages }: TextDocument,
  hasTarget: boolean,
): void {
  const starts = useRef(!hasTarget);
  useLayoutEffect(() => {
    const index = paged && starts.current ? findPassageInPages(paged, passages) : 0;
    if (index > 0) scrollToPassage(index);
  }, [paged, passages]);
  useEffect(() => {
    const scroller = main.current;
    if (!paged || !scroller) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = () => {
      const { page = 1, rect } = passages[findVisiblePassage()]?.locator ?? {};
      paged.flow.jump(page, rect?.[1] ?? 0);
    };
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(remember, SETTLE_MS);
    };
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      scroller.removeEventListener("scroll", onScroll);
    };
  }, [main, paged, passages]);
}

/** Marks the start of a page or slide. The button opens the printed page of a PDF, for example for its figures. */
function PageDivider({ open, page, onShowPage }: { open: TextDocument; page: number } & Pick<Props, "onShowPage">) {
  if (open.isSlides) return <p className="pdf-text-place">{t("pdf.text_slide", { page })}</p>;
  if (!onShowPage || page === 1) return null;
  return (
    <p className="pdf-text-page">
      <button type="button" aria-label={t("pdf.show_page_n", { page })} onClick={() => onShowPage(page)}>
        {t("pdf.page_n", { page })}
      </button>
    </p>
  );
}

interface Props {
  open: TextDocument;
  rangesByPassage: ReadonlyMap<number, TextRange[]>;
  quoteAnchor: Anchor | undefined;
  /** The current match of a search. */
  match: Match | undefined;
  onShowPage: ((page: number) => void) | undefined;
  onAnnotation: (id: string) => void;
}

export function TextPages({ open, rangesByPassage, quoteAnchor, match, onShowPage, onAnnotation }: Props) {
  const { name, passages } = open;
  const main = useRef<HTMLElement>(null);
  const levels = useMemo(() => computeHeadingLevels(passages), [passages]);
  const pages = useMemo(() => groupByPage(passages), [passages]);
  useSharedPosition(main, open, quoteAnchor !== undefined);
  // Focused at once, so that the arrow keys scroll and Tab continues from the text.
  useEffect(() => main.current?.focus({ preventScroll: true, focusVisible: false }), []);
  useEffect(() => {
    const index = findPassageOrLast(passages, ({ locator }) => (locator.page ?? 1) >= (quoteAnchor?.page ?? 1));
    const highlight = main.current?.querySelector(".lit");
    if (highlight) highlight.scrollIntoView({ block: "center" });
    else if (quoteAnchor) scrollToPassage(index);
  }, [quoteAnchor, passages]);
  useEffect(() => {
    if (match) main.current?.querySelector(".pdf-text-found-now")?.scrollIntoView({ block: "center" });
  }, [match]);
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const mark = target instanceof Element ? target.closest<HTMLElement>("[data-passage] [data-mark]") : null;
      const id = mark?.dataset["mark"];
      if (id !== undefined && document.getSelection()?.isCollapsed !== false) onAnnotation(id);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [onAnnotation]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <main ref={main} id="content" className="pdf-text" tabIndex={0} aria-label={t("pdf.document", { name })}>
      <article data-long={passages.length > LONG_PASSAGES}>
        {pages.map(({ page, first, passages: onPage }) => (
          <section key={first}>
            <PageDivider open={open} page={page} onShowPage={onShowPage} />
            {onPage.map((passage, offset) => (
              <PassageBlock
                key={passage.id}
                passage={passage}
                index={first + offset}
                ranges={rangesByPassage.get(first + offset) ?? NO_RANGES}
                level={levels.get(first + offset)}
              />
            ))}
          </section>
        ))}
      </article>
    </main>
  );
}
