import { useAtomValue, useSetAtom } from "jotai/react";
import { Highlighter, PanelRight } from "lucide-react";
import { Fragment, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Annotation, MarkColour } from "#shared/pdf/annotations.ts";
import { findQuote, type Anchor } from "#shared/pdf/anchoring.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useRootMark } from "#shared/ui/root-mark.ts";
import {
  DocumentDoorProvider,
  type DocumentDoor,
  type DocumentPanel,
  type SelectionAction,
} from "../document-door.tsx";
import { headingLevels } from "../heading-levels.ts";
import { editedMarkAtom, marksViewAtom, openMarks } from "../annotations/marks.ts";
import { copyCited, markSelection, selectedAtom, type Selected } from "../selection/selection.ts";
import type { TextDocument } from "../state.ts";
import { readTextSelection } from "../selection/text-selection.ts";
import { useSelection } from "../selection/use-selection.ts";
import { MarksList } from "./marks-list.tsx";
import { SelectionMenu } from "./selection-menu.tsx";
import { coversPages, SidePanel, type PanelTab } from "./side-panel.tsx";
import { DocumentBar } from "./toolbar.tsx";

interface Props {
  open: TextDocument;
  wanted: { page: number | undefined; quote: string | undefined };
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
}

interface Stretch {
  start: number;
  end: number;
  className: string;
  mark?: string;
}

const keyColours: Record<string, MarkColour> = { 1: "red", 2: "yellow", 3: "green", 4: "blue" };

/** Character ranges of the annotations and the quote, by passage index. */
function stretchesOf(passages: readonly Passage[], marks: readonly Annotation[], lit: Anchor | undefined) {
  const places = passages.map(({ text, locator }) => ({ page: locator.page ?? 1, text }));
  const found = new Map<number, Stretch[]>();
  const add = (anchor: Anchor, more: Omit<Stretch, "start" | "end">): boolean => {
    const pieces = findQuote(places, anchor)?.pieces ?? [];
    for (const { at, start, end } of pieces) found.set(at, [...(found.get(at) ?? []), { start, end, ...more }]);
    return pieces.length > 0;
  };
  for (const mark of marks) add(mark, { className: `pdf-text-mark pdf-mark-${mark.color}`, mark: mark._id });
  const isLit = lit !== undefined && lit.quote !== "" && add(lit, { className: "lit" });
  return { found, isLit };
}

/** Splits a passage at range boundaries; each segment gets the last range that covers it. */
function Parts({ text, stretches }: { text: string; stretches: readonly Stretch[] }): ReactNode {
  const cuts = [...new Set([0, text.length, ...stretches.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] ?? text.length;
    const over = stretches.findLast((stretch) => stretch.start <= start && stretch.end >= end);
    const words = text.slice(start, end);
    return over ? (
      <span key={start} className={over.className} data-mark={over.mark}>
        {words}
      </span>
    ) : (
      words
    );
  });
}

interface BlockProps {
  passage: Passage;
  at: number;
  stretches: readonly Stretch[];
  /** Heading level, for headings only. */
  level: number | undefined;
}

function Block({ passage, at, stretches, level }: BlockProps) {
  const inside = <Parts text={passage.text} stretches={stretches} />;
  const shared = { "data-passage": at, className: `pdf-text-${passage.kind}` };
  if (passage.kind === "heading") {
    const Heading = `h${level ?? 2}` as "h2";
    return <Heading {...shared}>{inside}</Heading>;
  }
  if (passage.kind === "code") return <pre {...shared}>{inside}</pre>;
  return <p {...shared}>{inside}</p>;
}

const NO_STRETCHES: readonly Stretch[] = [];

/** The highlighted quote: the one from the URL, until a panel selects another. */
function useLight(wanted: Props["wanted"]) {
  const { page, quote } = wanted;
  const [asked, setAsked] = useState<{ from: string; anchor: Anchor }>();
  const from = `${page ?? ""} ${quote ?? ""}`;
  const anchor = useMemo((): Anchor | undefined => {
    if (asked?.from === from) return asked.anchor;
    return quote === undefined && page === undefined ? undefined : { quote: quote ?? "", page };
  }, [asked, from, quote, page]);
  const light = useCallback((next: Anchor) => setAsked({ from, anchor: next }), [from]);
  return { anchor, light };
}

function useTextKeys(addNote: (passage: Selected) => Promise<void>): void {
  const selected = useAtomValue(selectedAtom);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea") !== null;
      if (!selected || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const color = keyColours[event.key];
      if (color !== undefined) void markSelection(selected, color);
      else if (event.key === "n") void addNote(selected);
      else if (event.key === "c") void copyCited(selected);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
}

function TextPages({
  open,
  found,
  lit,
}: {
  open: TextDocument;
  found: ReadonlyMap<number, Stretch[]>;
  lit: Anchor | undefined;
}) {
  const { name, passages, isSlides } = open;
  const main = useRef<HTMLElement>(null);
  const levels = useMemo(() => headingLevels(passages), [passages]);
  useEffect(() => {
    const at = passages.findIndex(({ locator }) => (locator.page ?? 1) >= (lit?.page ?? 1));
    const light = main.current?.querySelector(".lit");
    if (light) light.scrollIntoView({ block: "center" });
    else if (lit) main.current?.querySelector(`[data-passage="${at}"]`)?.scrollIntoView({ block: "start" });
  }, [lit, passages]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <main ref={main} id="content" className="pdf-text" tabIndex={0} aria-label={t("pdf.document", { name })}>
      <article>
        {passages.map((passage, at) => (
          <Fragment key={passage.id}>
            {isSlides && passage.locator.page !== passages[at - 1]?.locator.page && (
              <p className="pdf-text-place">{t("pdf.text_slide", { page: passage.locator.page ?? 1 })}</p>
            )}
            <Block passage={passage} at={at} stretches={found.get(at) ?? NO_STRETCHES} level={levels.get(at)} />
          </Fragment>
        ))}
      </article>
    </main>
  );
}

const goToMark = ({ _id }: Annotation) =>
  document.querySelector(`[data-passage] [data-mark="${_id}"]`)?.scrollIntoView({ block: "center" });

function textTabs(panels: readonly DocumentPanel[]): PanelTab[] {
  return [
    {
      id: "marks",
      label: t("pdf.tab_marks"),
      icon: <Highlighter aria-hidden />,
      content: <MarksList onGo={goToMark} />,
    },
    ...panels.map(({ id, label, icon, Panel }) => ({ id, label, icon, content: <Panel /> })),
  ];
}

export function TextScreen({ open, wanted, panels, actions }: Props): ReactNode {
  const { componentId, name, passages, pageCount } = open;
  const { marks } = useAtomValue(marksViewAtom);
  const [panel, setPanel] = useState<string | null>(null);
  const { anchor, light } = useLight(wanted);
  const setEdited = useSetAtom(editedMarkAtom);
  useEffect(() => openMarks(componentId), [componentId]);
  const { found, isLit } = useMemo(() => stretchesOf(passages, marks, anchor), [passages, marks, anchor]);
  useSelection(useCallback(() => readTextSelection(open), [open]));
  const addNote = async (passage: Selected) => {
    const id = await markSelection(passage, "yellow");
    if (id === undefined) return;
    setPanel("marks");
    setEdited(id);
  };
  useTextKeys(addNote);
  const ref = useRef<HTMLDivElement>(null);
  useRootMark(ref, "contained");
  const door: DocumentDoor = useMemo(
    () => ({
      componentId,
      name,
      pageCount,
      page: () => shownPage(passages),
      show: (page, quote = "") => {
        if (coversPages()) setPanel(null);
        light({ quote, page });
      },
      openPanel: setPanel,
    }),
    [componentId, name, pageCount, passages, light],
  );
  const isAbsent = anchor !== undefined && anchor.quote !== "" && !isLit;
  return (
    <DocumentDoorProvider value={door}>
      <div ref={ref} className="pdf-screen" data-panel={panel !== null}>
        <DocumentBar name={name} pageId={open.pageId}>
          <IconButton
            label={t("pdf.panel")}
            aria-expanded={panel !== null}
            icon={<PanelRight aria-hidden />}
            onClick={() => setPanel(panel === null ? "marks" : null)}
          />
        </DocumentBar>
        <div className="pdf-note-place" role="status">
          {isAbsent && <p className="pdf-note">{t("pdf.quote_absent", { page: anchor.page ?? 1 })}</p>}
        </div>
        <TextPages open={open} found={found} lit={anchor} />
        {panel !== null && (
          <SidePanel tabs={textTabs(panels)} chosen={panel} onChoose={setPanel} onClose={() => setPanel(null)} />
        )}
        <SelectionMenu
          onMark={(passage, color) => void markSelection(passage, color)}
          onNote={(passage) => void addNote(passage)}
          actions={actions}
        />
      </div>
    </DocumentDoorProvider>
  );
}

/** The page of the first passage visible in the window. */
function shownPage(passages: readonly Passage[]): number {
  const top = document.querySelector(".pdf-text")?.getBoundingClientRect().top ?? 0;
  const first = [...document.querySelectorAll<HTMLElement>("[data-passage]")].find(
    (block) => block.getBoundingClientRect().bottom > top,
  );
  return passages[Number(first?.dataset["passage"])]?.locator.page ?? 1;
}
