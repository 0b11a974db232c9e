import { useAtomValue, useSetAtom } from "jotai/react";
import { Download, Highlighter, Images, List } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Annotation, MarkColour } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { useRootMark } from "#shared/ui/root-mark.ts";
import {
  DocumentDoorProvider,
  type DocumentDoor,
  type DocumentPanel,
  type SelectionAction,
} from "../document-door.tsx";
import { saveAnnotated } from "../annotations/export-marks.ts";
import { editedMarkAtom, marksViewAtom, openMarks, undoMark } from "../annotations/marks.ts";
import {
  copyCited,
  endSelection,
  markSelection,
  readSelection,
  selectedAtom,
  type Selected,
} from "../selection/selection.ts";
import { selectMatch } from "../selection/select-match.ts";
import { endFind, lightQuote, putOutLight, type PagedDocument } from "../state.ts";
import { useKeys } from "../use-keys.ts";
import { useMarkPress } from "../annotations/use-mark-press.ts";
import { useSelection } from "../selection/use-selection.ts";
import { AreaPicker } from "./area-picker.tsx";
import { FindBar } from "./find-bar.tsx";
import { KeysSheet } from "./keys-sheet.tsx";
import { LightNote } from "./light-note.tsx";
import { MarksList } from "./marks-list.tsx";
import { Outline } from "./outline.tsx";
import { PageList } from "./page-list.tsx";
import type { Veil } from "./page-view.tsx";
import { SelectionMenu } from "./selection-menu.tsx";
import { coversPages, SidePanel, type PanelTab } from "./side-panel.tsx";
import { Thumbnails } from "./thumbnails.tsx";
import { Toolbar } from "./toolbar.tsx";

interface Props {
  open: PagedDocument;
  wanted: { page: number | undefined; quote: string | undefined };
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
}

/** Keeps the context above an annotation visible. */
const ABOVE_PX = 140;
const focusPages = () => document.getElementById("content")?.focus({ preventScroll: true });
const keyColours: Record<string, MarkColour> = { 1: "red", 2: "yellow", 3: "green", 4: "blue" };

function veilsOf(marks: readonly Annotation[], edited: string | null): Map<number, Veil[]> {
  const veils = new Map<number, Veil[]>();
  for (const { _id, color, places } of marks)
    for (const { page, rects } of places) {
      const className = `pdf-mark pdf-mark-${color}${_id === edited ? " pdf-mark-now" : ""}`;
      veils.set(page, [...(veils.get(page) ?? []), { key: _id, className, rects }]);
    }
  return veils;
}

function useDoor(open: PagedDocument, setPanel: (id: string | null) => void): DocumentDoor {
  return useMemo(
    () => ({
      componentId: open.componentId,
      name: open.name,
      pageCount: open.file.pageCount,
      page: () => open.flow.view().page,
      show: (page, quote) => {
        if (coversPages()) setPanel(null);
        void lightQuote(open, { page, quote });
      },
      openPanel: setPanel,
    }),
    [open, setPanel],
  );
}

/** State and actions shared by the shortcuts, toolbar and menus. */
function usePaged({ open, wanted: { page, quote } }: Pick<Props, "open" | "wanted">) {
  const [isFinding, setFinding] = useState(false);
  const [areKeysShown, showKeys] = useState(false);
  const [panel, setPanel] = useState<string | null>(null);
  const [isPicking, setPicking] = useState(false);
  const setEdited = useSetAtom(editedMarkAtom);
  useEffect(() => openMarks(open.componentId), [open.componentId]);
  useEffect(() => {
    if (page !== undefined || quote !== undefined) void lightQuote(open, { page, quote });
  }, [open, page, quote]);
  useSelection(useCallback(() => readSelection(open), [open]));
  const closeFind = () => {
    setFinding(false);
    const found = endFind();
    focusPages();
    if (found) selectMatch(found);
  };
  const write = (id: string) => {
    setPanel("marks");
    setEdited(id);
  };
  const addNote = async (passage: Selected) => {
    const id = await markSelection(passage, "yellow");
    if (id !== undefined) write(id);
  };
  const togglePanel = () => setPanel(panel === null ? "pages" : null);
  return {
    isFinding,
    openFind: () => setFinding(true),
    closeFind,
    areKeysShown,
    showKeys,
    panel,
    setPanel,
    togglePanel,
    isPicking,
    setPicking,
    write,
    addNote,
  };
}

function usePagedKeys(open: PagedDocument, screen: ReturnType<typeof usePaged>): void {
  const selected = useAtomValue(selectedAtom);
  useKeys(open.flow, {
    find: screen.openFind,
    keys: () => screen.showKeys(true),
    panel: screen.togglePanel,
    area: () => screen.setPicking(true),
    undo: () => void undoMark(),
    escape: () => {
      if (screen.isFinding) screen.closeFind();
      else if (selected) endSelection();
      else putOutLight();
    },
    selection(key) {
      const color = keyColours[key];
      if (!selected || (color === undefined && key !== "n" && key !== "c")) return false;
      if (color !== undefined) void markSelection(selected, color);
      if (key === "n") void screen.addNote(selected);
      if (key === "c") void copyCited(selected);
      return true;
    },
  });
}

function tabsOf(open: PagedDocument, panels: readonly DocumentPanel[], save: () => void): PanelTab[] {
  const go = (mark: Annotation) => open.flow.jump(mark.page, mark.places[0]?.rects[0]?.[1] ?? 0, ABOVE_PX);
  return [
    { id: "pages", label: t("pdf.tab_pages"), icon: <Images aria-hidden />, content: <Thumbnails open={open} /> },
    { id: "outline", label: t("pdf.tab_outline"), icon: <List aria-hidden />, content: <Outline open={open} /> },
    {
      id: "marks",
      label: t("pdf.tab_marks"),
      icon: <Highlighter aria-hidden />,
      content: <MarksList onGo={go} onExport={save} />,
    },
    ...panels.map(({ id, label, icon, Panel }) => ({ id, label, icon, content: <Panel /> })),
  ];
}

export function PagedScreen({ open, wanted, panels, actions }: Props): ReactNode {
  const screen = usePaged({ open, wanted });
  const { panel, setPanel } = screen;
  const { marks } = useAtomValue(marksViewAtom);
  const edited = useAtomValue(editedMarkAtom);
  const veils = useMemo(() => veilsOf(marks, edited), [marks, edited]);
  const door = useDoor(open, setPanel);
  usePagedKeys(open, screen);
  useMarkPress(open, marks, (mark) => screen.write(mark._id));
  const ref = useRef<HTMLDivElement>(null);
  useRootMark(ref, "contained");
  const save = () => void saveAnnotated(open, marks);
  const more = [
    { label: t("pdf.export"), icon: <Download aria-hidden />, onSelect: save, disabled: marks.length === 0 },
  ];
  return (
    <DocumentDoorProvider value={door}>
      <div ref={ref} className="pdf-screen" data-panel={panel !== null}>
        <Toolbar
          open={open}
          onFind={screen.openFind}
          onKeys={() => screen.showKeys(true)}
          onPanel={screen.togglePanel}
          onArea={() => screen.setPicking(true)}
          isPanelOpen={panel !== null}
          more={more}
        />
        {screen.isFinding && <FindBar open={open} onClose={screen.closeFind} />}
        <LightNote {...open} />
        <PageList open={open} marks={veils} />
        {panel !== null && (
          <SidePanel
            tabs={tabsOf(open, panels, save)}
            chosen={panel}
            onChoose={setPanel}
            onClose={() => setPanel(null)}
          />
        )}
        <SelectionMenu
          onMark={(passage, color) => void markSelection(passage, color)}
          onNote={(passage) => void screen.addNote(passage)}
          actions={actions}
        />
        {screen.isPicking && <AreaPicker open={open} onClose={() => screen.setPicking(false)} />}
        <KeysSheet isOpen={screen.areKeysShown} onClose={() => screen.showKeys(false)} />
      </div>
    </DocumentDoorProvider>
  );
}
