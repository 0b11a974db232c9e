import { useAtomValue, useSetAtom } from "jotai/react";
import { Headphones, PanelRight } from "lucide-react";
import { Fragment, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Annotation, HighlightColour } from "#shared/pdf/annotations.ts";
import { anchorQuote, type Anchor } from "#shared/pdf/anchoring/quote-anchoring.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useRootAttribute } from "#shared/ui/root-attribute.ts";
import {
  DocumentPortProvider,
  type DocumentPort,
  type DocumentPanel,
  type SelectionAction,
} from "../document-port.tsx";
import { computeHeadingLevels } from "../heading-levels.ts";
import { editedAnnotationAtom, annotationsAtom, openAnnotations } from "../annotations/annotations.ts";
import {
  copyWithCitation,
  highlightSelection,
  documentSelectionAtom,
  type DocumentSelection,
} from "../selection/selection.ts";
import type { TextDocument } from "../state.ts";
import { readTextSelection } from "../selection/text-selection.ts";
import { useDocumentSelection } from "../selection/use-selection.ts";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { PinButton } from "#webapp/library/parts/pin-button.tsx";
import { useOnePanel } from "#webapp/app/one-panel.ts";
import { AnnotationList } from "./annotation-list.tsx";
import { SelectionMenu } from "./selection-menu.tsx";
import { coversPages, SidePanel, type PanelTab } from "./side-panel.tsx";
import { DocumentBar } from "./toolbar.tsx";

interface Props {
  open: TextDocument;
  target: { page: number | undefined; quote: string | undefined };
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
}

interface TextRange {
  start: number;
  end: number;
  className: string;
  annotationId?: string;
}

const keyColours: Record<string, HighlightColour> = { 1: "red", 2: "yellow", 3: "green", 4: "blue" };

/** Character ranges of the annotations and the quote, by passage index. */
function findRanges(passages: readonly Passage[], annotations: readonly Annotation[], quoteAnchor: Anchor | undefined) {
  const pageTexts = passages.map(({ text, locator }) => ({ page: locator.page ?? 1, text }));
  const rangesByPassage = new Map<number, TextRange[]>();
  const add = (anchor: Anchor, more: Omit<TextRange, "start" | "end">): boolean => {
    const pieces = anchorQuote(pageTexts, anchor)?.ranges ?? [];
    for (const { at: index, start, end } of pieces)
      rangesByPassage.set(index, [...(rangesByPassage.get(index) ?? []), { start, end, ...more }]);
    return pieces.length > 0;
  };
  for (const annotation of annotations)
    add(annotation, { className: `pdf-text-mark pdf-mark-${annotation.color}`, annotationId: annotation._id });
  const isQuoteFound = quoteAnchor !== undefined && quoteAnchor.quote !== "" && add(quoteAnchor, { className: "lit" });
  return { found: rangesByPassage, isLit: isQuoteFound };
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
  const shared = { "data-passage": index, className: `pdf-text-${passage.kind}` };
  if (passage.kind === "heading") {
    const Heading = `h${level ?? 2}` as "h2";
    return <Heading {...shared}>{content}</Heading>;
  }
  if (passage.kind === "code") return <pre {...shared}>{content}</pre>;
  return <p {...shared}>{content}</p>;
}

const NO_RANGES: readonly TextRange[] = [];

/** The highlighted quote: the one from the URL, until a panel selects another. */
function useQuoteAnchor(target: Props["target"]) {
  const { page, quote } = target;
  const [request, setRequest] = useState<{ from: string; anchor: Anchor }>();
  const targetKey = `${page ?? ""} ${quote ?? ""}`;
  const anchor = useMemo((): Anchor | undefined => {
    if (request?.from === targetKey) return request.anchor;
    return quote === undefined && page === undefined ? undefined : { quote: quote ?? "", page };
  }, [request, targetKey, quote, page]);
  const highlight = useCallback((next: Anchor) => setRequest({ from: targetKey, anchor: next }), [targetKey]);
  return { anchor, light: highlight };
}

function useTextKeys(
  addNote: (passage: DocumentSelection) => Promise<void>,
  actions: readonly SelectionAction[],
): void {
  const selected = useAtomValue(documentSelectionAtom);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea") !== null;
      if (!selected || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const color = keyColours[event.key];
      const action = actions.find(({ key }) => key === event.key);
      if (action) action.run(selected);
      else if (color !== undefined) void highlightSelection(selected, color);
      else if (event.key === "n") void addNote(selected);
      else if (event.key === "C") void copyWithCitation(selected);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

function TextPages({
  open,
  rangesByPassage,
  quoteAnchor,
}: {
  open: TextDocument;
  rangesByPassage: ReadonlyMap<number, TextRange[]>;
  quoteAnchor: Anchor | undefined;
}) {
  const { name, passages, isSlides } = open;
  const main = useRef<HTMLElement>(null);
  const levels = useMemo(() => computeHeadingLevels(passages), [passages]);
  useEffect(() => {
    const index = passages.findIndex(({ locator }) => (locator.page ?? 1) >= (quoteAnchor?.page ?? 1));
    const highlight = main.current?.querySelector(".lit");
    if (highlight) highlight.scrollIntoView({ block: "center" });
    else if (quoteAnchor) main.current?.querySelector(`[data-passage="${index}"]`)?.scrollIntoView({ block: "start" });
  }, [quoteAnchor, passages]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <main ref={main} id="content" className="pdf-text" tabIndex={0} aria-label={t("pdf.document", { name })}>
      <article>
        {passages.map((passage, index) => (
          <Fragment key={passage.id}>
            {isSlides && passage.locator.page !== passages[index - 1]?.locator.page && (
              <p className="pdf-text-place">{t("pdf.text_slide", { page: passage.locator.page ?? 1 })}</p>
            )}
            <PassageBlock
              passage={passage}
              index={index}
              ranges={rangesByPassage.get(index) ?? NO_RANGES}
              level={levels.get(index)}
            />
          </Fragment>
        ))}
      </article>
    </main>
  );
}

const scrollToAnnotation = ({ _id }: Annotation) =>
  document.querySelector(`[data-passage] [data-mark="${_id}"]`)?.scrollIntoView({ block: "center" });

function createTextTabs(panels: readonly DocumentPanel[]): PanelTab[] {
  return [
    {
      id: "marks",
      label: t("pdf.tab_highlights"),
      content: <AnnotationList onNavigate={scrollToAnnotation} />,
    },
    ...panels.map(({ id, label, Panel }) => ({ id, label, content: <Panel /> })),
  ];
}

type Highlight = ReturnType<typeof useQuoteAnchor>["light"];

function useTextDocumentPort(
  { componentId, name, pageCount, passages }: Props["open"],
  setPanel: (id: string | null) => void,
  highlight: Highlight,
): DocumentPort {
  return useMemo(
    () => ({
      componentId,
      name,
      pageCount,
      currentPage: () => findVisiblePage(passages),
      showPage: (page, quote = "") => {
        if (coversPages()) setPanel(null);
        highlight({ quote, page });
      },
      openPanel: setPanel,
    }),
    [componentId, name, pageCount, passages, setPanel, highlight],
  );
}

export function TextScreen({ open, target, panels, actions }: Props): ReactNode {
  const { componentId, name, passages } = open;
  const { annotations } = useAtomValue(annotationsAtom);
  const [panel, setPanel] = useState<string | null>(null);
  useOnePanel("document", panel !== null, () => setPanel(null));
  const { anchor, light: highlight } = useQuoteAnchor(target);
  const setEditedId = useSetAtom(editedAnnotationAtom);
  useEffect(() => openAnnotations(componentId), [componentId]);
  const { found: rangesByPassage, isLit: isQuoteFound } = useMemo(
    () => findRanges(passages, annotations, anchor),
    [passages, annotations, anchor],
  );
  useDocumentSelection(useCallback(() => readTextSelection(open), [open]));
  const addNote = async (passage: DocumentSelection) => {
    const id = await highlightSelection(passage, "yellow");
    if (id === undefined) return;
    setPanel("marks");
    setEditedId(id);
  };
  useTextKeys(addNote, actions);
  const ref = useRef<HTMLDivElement>(null);
  useRootAttribute(ref, "contained");
  const documentPort = useTextDocumentPort(open, setPanel, highlight);
  const isAbsent = anchor !== undefined && anchor.quote !== "" && !isQuoteFound;
  return (
    <DocumentPortProvider value={documentPort}>
      <div ref={ref} className="pdf-screen" data-panel={panel !== null}>
        <DocumentBar name={name} pageId={open.pageId}>
          <PinButton item={{ id: componentId, kind: "pdf", title: name, emoji: null, pageId: open.pageId }} />
          <IconButton
            label={t("pdf.podcast")}
            icon={<Headphones aria-hidden />}
            onClick={() => openPodcastDialog([{ type: "pdf", id: componentId }])}
          />
          <IconButton
            label={t("pdf.panel")}
            aria-expanded={panel !== null}
            icon={<PanelRight aria-hidden />}
            onClick={() => setPanel(panel === null ? "marks" : null)}
          />
        </DocumentBar>
        <div className="pdf-note-place" role="status">
          {isAbsent && <p className="pdf-note">{t("pdf.quote_not_found", { page: anchor.page ?? 1 })}</p>}
        </div>
        <TextPages open={open} rangesByPassage={rangesByPassage} quoteAnchor={anchor} />
        {panel !== null && (
          <SidePanel tabs={createTextTabs(panels)} chosen={panel} onChoose={setPanel} onClose={() => setPanel(null)} />
        )}
        <SelectionMenu
          onHighlight={(passage, color) => void highlightSelection(passage, color)}
          onNote={(passage) => void addNote(passage)}
          actions={actions}
        />
      </div>
    </DocumentPortProvider>
  );
}

/** The page of the first passage visible in the window. */
function findVisiblePage(passages: readonly Passage[]): number {
  const top = document.querySelector(".pdf-text")?.getBoundingClientRect().top ?? 0;
  const first = [...document.querySelectorAll<HTMLElement>("[data-passage]")].find(
    (block) => block.getBoundingClientRect().bottom > top,
  );
  return passages[Number(first?.dataset["passage"])]?.locator.page ?? 1;
}
