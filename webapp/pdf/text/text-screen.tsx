import { useAtomValue, useSetAtom } from "jotai/react";
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { anchorQuote, type Anchor } from "#shared/pdf/anchoring/quote-anchoring.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { useRootAttribute } from "#shared/ui/root-attribute.ts";
import {
  DocumentPortProvider,
  type DocumentPort,
  type DocumentPanel,
  type SelectionAction,
} from "../document-port.tsx";
import {
  annotationsAtom,
  chooseInitialTab,
  editedAnnotationAtom,
  openAnnotations,
} from "../annotations/annotations.ts";
import { highlightSelection, documentSelectionAtom, type DocumentSelection } from "../selection/selection.ts";
import { targetKey, type DocumentTarget } from "../document-target.ts";
import type { TextDocument } from "../state.ts";
import type { FindView } from "../selection/find.ts";
import { toWholeWords } from "../selection/whole-words.ts";
import { useTextFind, type TextFind } from "../selection/use-text-find.ts";
import { FindField } from "../parts/find-bar.tsx";
import { runSelectionKey } from "../selection/selection-keys.ts";
import { readTextSelection } from "../selection/text-selection.ts";
import { useDocumentSelection } from "../selection/use-selection.ts";
import { useOnePanel } from "#webapp/app/one-panel.ts";
import { downloadAnnotatedPdf } from "../annotations/export-annotations.ts";
import { AnnotationList } from "../parts/annotation-list.tsx";
import { SelectionMenu } from "../parts/selection-menu.tsx";
import { coversPages, SidePanel, type PanelTab } from "../parts/side-panel.tsx";
import { DocumentOutline } from "../parts/document-outline.tsx";
import { findVisiblePassage, scrollToPassage, TextPages, type TextRange } from "./text-pages.tsx";
import { TextBar } from "./text-bar.tsx";
import { focusContent } from "../viewer/focus-content.ts";
import { isTyping } from "../viewer/is-typing.ts";
import { discardBufferedKeys } from "../viewer/key-buffer.ts";

/** Adds the search matches to the ranges. */
function withMatches(
  ranges: ReadonlyMap<number, TextRange[]>,
  { matches, currentIndex }: FindView,
): ReadonlyMap<number, TextRange[]> {
  if (matches.length === 0) return ranges;
  const all = new Map(ranges);
  for (const [matchIndex, { page: index, start, end }] of matches.entries()) {
    const className = `pdf-text-found${matchIndex === currentIndex ? " pdf-text-found-now" : ""}`;
    all.set(index, [...(all.get(index) ?? []), { start, end, className }]);
  }
  return all;
}

interface Props {
  open: TextDocument;
  target: DocumentTarget;
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
  /** Shows the pages of the PDF instead of its text. */
  onPages?: () => void;
}

/** Character ranges of the annotations and the quote, by passage index. */
function findRanges(passages: readonly Passage[], annotations: readonly Annotation[], quoteAnchor: Anchor | undefined) {
  const pageTexts = passages.map(({ text, locator }, index) => ({ page: locator.page ?? 1, text, index }));
  const rangesByPassage = new Map<number, TextRange[]>();
  const find = (anchor: Anchor, texts: typeof pageTexts) =>
    anchorQuote(texts, anchor)?.ranges.map(({ at, start, end }) => ({ index: texts[at]?.index ?? 0, start, end }));
  const add = (anchor: Anchor, more: Omit<TextRange, "start" | "end">, whole = anchor): boolean => {
    // Searches the pages near the anchor first, because a textbook has thousands of passages.
    const near = pageTexts.filter(({ page }) => Math.abs(page - (anchor.page ?? page)) <= 1);
    const findIn = (texts: typeof pageTexts) =>
      find(anchor, texts) ?? (whole === anchor ? undefined : find(whole, texts));
    const pieces = findIn(near) ?? findIn(pageTexts) ?? [];
    for (const { index, start, end } of pieces)
      rangesByPassage.set(index, [...(rangesByPassage.get(index) ?? []), { start, end, ...more }]);
    return pieces.length > 0;
  };
  for (const annotation of annotations)
    add(
      annotation,
      { className: `pdf-text-mark pdf-mark-${annotation.color}`, annotationId: annotation._id },
      // A quote that ends within a word is found only as whole words.
      { ...toWholeWords(annotation), page: annotation.page },
    );
  const isQuoteFound = quoteAnchor !== undefined && quoteAnchor.quote !== "" && add(quoteAnchor, { className: "lit" });
  return { rangesByPassage, isQuoteFound };
}

/** The quote to highlight: first the quote from the URL, then the latest quote that a panel shows. */
function useQuoteAnchor(target: Props["target"]) {
  const { page, quote } = target;
  const key = targetKey(target);
  const [request, setRequest] = useState<{ from: string; anchor: Anchor }>();
  const anchor = useMemo((): Anchor | undefined => {
    if (request?.from === key) return request.anchor;
    return quote === undefined && page === undefined ? undefined : { quote: quote ?? "", page };
  }, [request, key, quote, page]);
  const highlight = useCallback((next: Anchor) => setRequest({ from: key, anchor: next }), [key]);
  return { anchor, highlight };
}

const isFindKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key === (ctrlKey || metaKey ? "f" : "/");

function useTextKeys(
  addNote: (passage: DocumentSelection) => Promise<void>,
  actions: readonly SelectionAction[],
  onFind: () => void,
): void {
  const selected = useAtomValue(documentSelectionAtom);
  // Buffered keys were meant for the pages, not for the text.
  useEffect(discardBufferedKeys, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event)) return;
      if (isFindKey(event)) {
        event.preventDefault();
        onFind();
      }
      if (selected && !event.ctrlKey && !event.metaKey) runSelectionKey(event.key, selected, actions, addNote);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

const scrollToAnnotation = ({ _id }: Annotation) =>
  document.querySelector(`[data-passage] [data-mark="${_id}"]`)?.scrollIntoView({ block: "center" });

function createTextTabs({ paged }: TextDocument, panels: readonly DocumentPanel[], onExport: () => void): PanelTab[] {
  return [
    ...(paged ? [{ id: "outline", label: t("pdf.tab_outline"), content: <DocumentOutline open={paged} /> }] : []),
    {
      id: "marks",
      label: t("pdf.tab_highlights"),
      content: <AnnotationList onNavigate={scrollToAnnotation} {...(paged && { onExport })} />,
    },
    ...panels.map(({ id, label, Panel }) => ({ id, label, content: <Panel /> })),
  ];
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** Ignores case, because the outline writes headings in capitals as sentences. */
const isSameHeading = (a: string, b: string) => inOneLine(a).toLowerCase() === inOneLine(b).toLowerCase();

const findHeading = (passages: readonly Passage[], page: number, title: string) =>
  passages.findIndex(
    ({ kind, text, locator }) => kind === "heading" && locator.page === page && isSameHeading(text, title),
  );

type Highlight = ReturnType<typeof useQuoteAnchor>["highlight"];

function useTextDocumentPort(
  { componentId, pageId, name, pageCount, passages }: Props["open"],
  setPanel: (id: string | null) => void,
  highlight: Highlight,
): DocumentPort {
  return useMemo(
    () => ({
      componentId,
      pageId,
      name,
      pageCount,
      currentPage: () => passages[findVisiblePassage()]?.locator.page ?? 1,
      showPage: (page, quote = "") => {
        if (coversPages()) setPanel(null);
        highlight({ quote, page });
      },
      showHeading: (page, title) => {
        if (coversPages()) setPanel(null);
        const index = findHeading(passages, page, title);
        if (index < 0) highlight({ quote: "", page });
        else scrollToPassage(index);
      },
      openPanel: setPanel,
    }),
    [componentId, pageId, name, pageCount, passages, setPanel, highlight],
  );
}

/** A function that shows the pages of the PDF, scrolled to a page. */
function createShowPage({ paged }: TextDocument, onPages: Props["onPages"]) {
  if (!paged || !onPages) return undefined;
  return (page: number) => {
    paged.flow.jump(page);
    onPages();
  };
}

/** Functions that open the panel to edit a note, or to write a note on a new highlight. */
function useNotes(setPanel: (id: string) => void) {
  const setEditedId = useSetAtom(editedAnnotationAtom);
  const editNote = useCallback(
    (id: string) => {
      setPanel("marks");
      setEditedId(id);
    },
    [setPanel, setEditedId],
  );
  const addNote = async (passage: DocumentSelection) => {
    const id = await highlightSelection(passage, "yellow");
    if (id !== undefined) editNote(id);
  };
  return { editNote, addNote };
}

function TextFindBar({ view, find, step, onClose }: TextFind & { onClose: () => void }) {
  const close = () => {
    find("");
    onClose();
    focusContent();
  };
  return <FindField view={view} onQuery={find} onStep={step} onClose={close} />;
}

/** The ranges of the annotations and of the quote, and the page of a quote that was not found. */
function useTextRanges(passages: readonly Passage[], anchor: Anchor | undefined) {
  const { annotations } = useAtomValue(annotationsAtom);
  const { rangesByPassage, isQuoteFound } = useMemo(
    () => findRanges(passages, annotations, anchor),
    [passages, annotations, anchor],
  );
  const isAbsent = anchor !== undefined && anchor.quote !== "" && !isQuoteFound;
  return { annotations, rangesByPassage, absentPage: isAbsent ? (anchor.page ?? 1) : undefined };
}

export function TextScreen({ open, target, panels, actions, onPages }: Props): ReactNode {
  const { componentId, passages, paged } = open;
  const [panel, setPanel] = useState<string | null>(null);
  useOnePanel("document", panel !== null, () => setPanel(null));
  const { anchor, highlight } = useQuoteAnchor(target);
  useEffect(() => openAnnotations(componentId), [componentId]);
  const { annotations, rangesByPassage, absentPage } = useTextRanges(passages, anchor);
  useDocumentSelection(useCallback(() => readTextSelection(open), [open]));
  const { editNote, addNote } = useNotes(setPanel);
  const [isFinding, setFinding] = useState(false);
  const finding = useTextFind(passages);
  const shownRanges = useMemo(() => withMatches(rangesByPassage, finding.view), [rangesByPassage, finding.view]);
  useTextKeys(addNote, actions, () => setFinding(true));
  const ref = useRef<HTMLDivElement>(null);
  useRootAttribute(ref, "contained");
  const documentPort = useTextDocumentPort(open, setPanel, highlight);
  const exportPdf = () => {
    if (paged) void downloadAnnotatedPdf(paged, annotations);
  };
  const onPanel = () => setPanel(panel === null ? chooseInitialTab(panels) : null);
  return (
    <DocumentPortProvider value={documentPort}>
      <div ref={ref} className="pdf-screen" data-panel={panel !== null}>
        <TextBar
          open={open}
          onPages={onPages}
          isPanelOpen={panel !== null}
          onPanel={onPanel}
          onExport={exportPdf}
          onFind={() => setFinding(true)}
        />
        {isFinding && <TextFindBar {...finding} onClose={() => setFinding(false)} />}
        <div className="pdf-note-place" role="status">
          {absentPage !== undefined && <p className="pdf-note">{t("pdf.quote_not_found", { page: absentPage })}</p>}
        </div>
        <TextPages
          open={open}
          rangesByPassage={shownRanges}
          quoteAnchor={anchor}
          match={finding.view.matches[finding.view.currentIndex]}
          onShowPage={createShowPage(open, onPages)}
          onAnnotation={editNote}
        />
        {panel !== null && (
          <SidePanel
            tabs={createTextTabs(open, panels, exportPdf)}
            chosen={panel}
            onChoose={setPanel}
            onClose={() => setPanel(null)}
          />
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
