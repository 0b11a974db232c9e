import { useAtomValue, useSetAtom } from "jotai/react";
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { useRootAttribute } from "#shared/ui/root-attribute.ts";
import {
  DocumentPortProvider,
  type DocumentPort,
  type DocumentPanel,
  type SelectionAction,
} from "../document-port.tsx";
import type { DocumentTarget } from "../document-target.ts";
import { downloadAnnotatedPdf } from "../annotations/export-annotations.ts";
import {
  annotationsAtom,
  chooseInitialTab,
  editedAnnotationAtom,
  openAnnotations,
  undoAnnotation,
} from "../annotations/annotations.ts";
import {
  clearSelection,
  highlightSelection,
  readSelection,
  documentSelectionAtom,
  type DocumentSelection,
} from "../selection/selection.ts";
import { runSelectionKey } from "../selection/selection-keys.ts";
import { selectMatch } from "../selection/select-match.ts";
import { endFind, highlightQuote, clearHighlight, type PagedDocument } from "../state.ts";
import { useOnePanel } from "#webapp/app/one-panel.ts";
import { useOutlinePanel } from "../use-outline-panel.ts";
import { focusContent } from "../viewer/focus-content.ts";
import { useDimmedPages } from "../use-dimmed-pages.ts";
import { useDocumentItems } from "../use-document-items.tsx";
import { useShortcuts } from "../use-shortcuts.ts";
import { useLinesOfBlocks } from "../annotations/use-lines-of-blocks.ts";
import { useAnnotationPress } from "../annotations/use-annotation-press.ts";
import { useDocumentSelection } from "../selection/use-selection.ts";
import { AreaPicker } from "./area-picker.tsx";
import { FindBar } from "./find-bar.tsx";
import { DocumentShortcutsDialog } from "./document-shortcuts-dialog.tsx";
import { HighlightNotice } from "./highlight-notice.tsx";
import { AnnotationList } from "./annotation-list.tsx";
import { DocumentOutline } from "./document-outline.tsx";
import { DocumentOutlinePanel } from "./document-outline-panel.tsx";
import { PageList } from "./page-list.tsx";
import type { PageOverlay } from "./page-view.tsx";
import { SelectionMenu } from "./selection-menu.tsx";
import { coversPages, SidePanel, type PanelTab } from "./side-panel.tsx";
import { Thumbnails } from "./thumbnails.tsx";
import { Toolbar } from "./toolbar.tsx";

interface Props {
  open: PagedDocument;
  target: DocumentTarget;
  panels: readonly DocumentPanel[];
  actions: readonly SelectionAction[];
  /** Shows the text laid out for the window; undefined if there is none. */
  onText: (() => void) | undefined;
}

/** Height of the text above an annotation that stays visible when the page scrolls to the annotation. */
const CONTEXT_PX = 140;

function createAnnotationOverlays(
  annotations: readonly Annotation[],
  editedId: string | null,
): Map<number, PageOverlay[]> {
  const overlays = new Map<number, PageOverlay[]>();
  for (const { _id, color, places } of annotations)
    for (const { page, rects } of places) {
      const className = `pdf-mark pdf-mark-${color}${_id === editedId ? " pdf-mark-now" : ""}`;
      overlays.set(page, [...(overlays.get(page) ?? []), { key: _id, className, rects }]);
    }
  return overlays;
}

function useCreateDocumentPort(open: PagedDocument, setPanel: (id: string | null) => void): DocumentPort {
  return useMemo(
    () => ({
      componentId: open.componentId,
      pageId: open.pageId,
      name: open.name,
      pageCount: open.file.pageCount,
      currentPage: () => open.flow.view().page,
      showPage: (page, quote) => {
        if (coversPages()) setPanel(null);
        void highlightQuote(open, { page, quote });
      },
      openPanel: setPanel,
    }),
    [open, setPanel],
  );
}

/** State and actions shared by the shortcuts, toolbar and menus. */
function usePagedScreen({ open, target: { page, quote, arrival }, panels }: Pick<Props, "open" | "target" | "panels">) {
  const [isFinding, setFinding] = useState(false);
  const [areShortcutsShown, setShortcutsShown] = useState(false);
  const [panel, setPanel] = useState<string | null>(null);
  useOnePanel("document", panel !== null, () => setPanel(null));
  const outline = useOutlinePanel();
  const dimming = useDimmedPages();
  const [isPicking, setPicking] = useState(false);
  const setEditedId = useSetAtom(editedAnnotationAtom);
  useEffect(() => openAnnotations(open.componentId), [open.componentId]);
  useEffect(() => {
    if (page !== undefined || quote !== undefined) void highlightQuote(open, { page, quote, arrival });
  }, [open, page, quote, arrival]);
  useDocumentSelection(useCallback(() => readSelection(open), [open]));
  const closeFind = () => {
    setFinding(false);
    const match = endFind();
    focusContent();
    if (match) selectMatch(match);
  };
  const editNote = (id: string) => {
    setPanel("marks");
    setEditedId(id);
  };
  const addNote = async (passage: DocumentSelection) => {
    const id = await highlightSelection(passage, "yellow");
    if (id !== undefined) editNote(id);
  };
  const togglePanel = () => setPanel(panel === null ? chooseInitialTab(panels) : null);
  const toggleOutline = () => {
    if (!outline.fits) return setPanel(panel === "outline" ? null : "outline");
    if (document.activeElement?.closest(".pdf-left")) focusContent();
    outline.toggle();
  };
  return {
    isFinding,
    openFind: () => setFinding(true),
    closeFind,
    areShortcutsShown,
    setShortcutsShown,
    panel,
    setPanel,
    togglePanel,
    outline,
    toggleOutline,
    dimming,
    isPicking,
    setPicking,
    editNote,
    addNote,
  };
}

function usePagedKeys(
  open: PagedDocument,
  screen: ReturnType<typeof usePagedScreen>,
  actions: readonly SelectionAction[],
): void {
  const selected = useAtomValue(documentSelectionAtom);
  useShortcuts(open.flow, {
    find: screen.openFind,
    keys: () => screen.setShortcutsShown(true),
    panel: screen.togglePanel,
    outline: screen.toggleOutline,
    area: () => screen.setPicking(true),
    undo: () => void undoAnnotation(),
    escape: () => {
      if (screen.isFinding) screen.closeFind();
      else if (selected) clearSelection();
      else clearHighlight();
    },
    selection: (key) => selected !== null && runSelectionKey(key, selected, actions, screen.addNote),
  });
}

/** Tabs of the panel on the right while the outline is not on the left. */
const createOutlineTabs = (open: PagedDocument): PanelTab[] => [
  { id: "pages", label: t("pdf.tab_pages"), content: <Thumbnails open={open} /> },
  { id: "outline", label: t("pdf.tab_outline"), content: <DocumentOutline open={open} /> },
];

function createTabs(open: PagedDocument, panels: readonly DocumentPanel[], exportPdf: () => void): PanelTab[] {
  const goToAnnotation = (annotation: Annotation) =>
    open.flow.jump(annotation.page, annotation.places[0]?.rects[0]?.[1] ?? 0, CONTEXT_PX);
  return [
    {
      id: "marks",
      label: t("pdf.tab_highlights"),
      content: <AnnotationList onNavigate={goToAnnotation} onExport={exportPdf} />,
    },
    ...panels.map(({ id, label, Panel }) => ({ id, label, content: <Panel /> })),
  ];
}

export function PagedScreen({ open, target, panels, actions, onText }: Props): ReactNode {
  const screen = usePagedScreen({ open, target, panels });
  const { panel, setPanel } = screen;
  const isOutlineBeside = screen.outline.isOpen;
  const annotations = useLinesOfBlocks(open, useAtomValue(annotationsAtom).annotations);
  const editedId = useAtomValue(editedAnnotationAtom);
  const overlays = useMemo(() => createAnnotationOverlays(annotations, editedId), [annotations, editedId]);
  const documentPort = useCreateDocumentPort(open, setPanel);
  usePagedKeys(open, screen, actions);
  useAnnotationPress(open, annotations, (annotation) => screen.editNote(annotation._id));
  const ref = useRef<HTMLDivElement>(null);
  useRootAttribute(ref, "contained");
  const exportPdf = () => void downloadAnnotatedPdf(open, annotations);
  const menuItems = useDocumentItems(open, annotations.length > 0, exportPdf);
  return (
    <DocumentPortProvider value={documentPort}>
      <div
        ref={ref}
        className="pdf-screen"
        data-panel={panel !== null}
        data-outline={isOutlineBeside}
        data-dim={screen.dimming.isDimmed}
      >
        <Toolbar
          open={open}
          onFind={screen.openFind}
          onKeys={() => screen.setShortcutsShown(true)}
          onPanel={screen.togglePanel}
          onArea={() => screen.setPicking(true)}
          isPanelOpen={panel !== null}
          outline={{ ...screen.outline, toggle: screen.toggleOutline }}
          dimming={screen.dimming}
          menuItems={menuItems}
          onText={onText}
        />
        {screen.isFinding && <FindBar open={open} onClose={screen.closeFind} />}
        <HighlightNotice {...open} />
        {isOutlineBeside && <DocumentOutlinePanel open={open} />}
        <PageList document={open} annotationOverlays={overlays} />
        {panel !== null && (
          <SidePanel
            tabs={[...(isOutlineBeside ? [] : createOutlineTabs(open)), ...createTabs(open, panels, exportPdf)]}
            chosen={panel}
            onChoose={setPanel}
            onClose={() => setPanel(null)}
          />
        )}
        <SelectionMenu
          onHighlight={(passage, color) => void highlightSelection(passage, color)}
          onNote={(passage) => void screen.addNote(passage)}
          actions={actions}
        />
        {screen.isPicking && <AreaPicker open={open} onClose={() => screen.setPicking(false)} />}
        <DocumentShortcutsDialog isOpen={screen.areShortcutsShown} onClose={() => screen.setShortcutsShown(false)} />
      </div>
    </DocumentPortProvider>
  );
}
