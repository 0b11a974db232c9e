import { useAtom, useAtomValue } from "jotai/react";
import { MessageSquareText } from "lucide-react";
import {
  lazy,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { t } from "#shared/messages/translate.ts";
import type { Selection } from "#shared/tutor/schema.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { useOnePanel } from "#webapp/app/one-panel.ts";
import { useQuestionDraft } from "./parts/use-question-draft.ts";
import { tutorSelectionAtom } from "./tutor-selection.ts";
import type { ScopeSource } from "./parts/scope-chooser.tsx";
import "./tutor-panel.css";

/** Loaded lazily, so that the main content loads first. */
const Panel = lazy(async () => ({ default: (await import("./parts/panel.tsx")).Panel }));

interface Props {
  /** The source shown next to the panel. */
  source: ScopeSource;
  /**
   * Keeps the panel closed until the student opens it, despite the preference, for content that needs the full width.
   */
  startsClosed?: boolean;
  /** The canvas for writing with the tutor: the panel starts open, with everything as its scope. */
  isCanvas?: boolean;
  children: ReactNode;
}

const MIN_WIDTH_PX = 280;
const MAX_WIDTH_PX = 1200;
const STEP_PX = 20;
const MAX_SELECTION_CHARS = 8000;
const MIN_SELECTION_CHARS = 3;

/** React's types do not include custom properties. */
const widthOf = (width: number) => ({ "--tutor-width": `${width}px` }) as CSSProperties;

const clampWidth = (width: number) => Math.round(Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, width)));
const saveMinimized = (minimized: boolean) =>
  void changePreferences((p) => ({ ...p, assistant: { ...p.assistant, minimized } }));
const setWidth = (width: number) => void changePreferences((p) => ({ ...p, assistant: { ...p.assistant, width } }));

const narrowScreen = typeof matchMedia === "undefined" ? undefined : matchMedia("(max-width: 900px)");

/** On a small screen the panel covers the content, so it opens only on request. */
function useOpen({ startsClosed, isCanvas }: { startsClosed: boolean; isCanvas: boolean }) {
  const isNarrow = useSyncExternalStore(
    (onChange) => {
      narrowScreen?.addEventListener("change", onChange);
      return () => narrowScreen?.removeEventListener("change", onChange);
    },
    () => narrowScreen?.matches ?? false,
  );
  const { minimized } = useAtomValue(preferencesAtom).assistant;
  const [isOpenLocally, setOpenLocally] = useState(isCanvas && !isNarrow);
  const isLocal = isNarrow || startsClosed || isCanvas;
  return {
    isOpen: isLocal ? isOpenLocally : !minimized,
    setOpen: (isOpen: boolean) => (isLocal ? setOpenLocally(isOpen) : saveMinimized(!isOpen)),
  };
}

/** On a small screen, closes the panel when a citation is opened, because it would cover the target. */
function useCloseOnCitation(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: MouseEvent) => {
      const isCitation = target instanceof Element && target.closest(".tutor-panel button.cite-badge") !== null;
      if (isCitation && narrowScreen?.matches === true) close();
    };
    document.addEventListener("click", onPress);
    return () => document.removeEventListener("click", onPress);
  });
}

/** The text selected in the content. It stays while the student writes a question. */
function useSelectedText() {
  const contentRef = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  useEffect(() => {
    const read = () => {
      const textSelection = document.getSelection();
      const anchor = textSelection?.anchorNode;
      // Tab selects all text of a one-line field, which is not a selection by the student.
      if (anchor?.childNodes[textSelection?.anchorOffset ?? 0] instanceof HTMLInputElement) return;
      if (!textSelection || !anchor || !contentRef.current?.contains(anchor)) return;
      const text = textSelection.toString().trim().slice(0, MAX_SELECTION_CHARS);
      setSelection(text.length < MIN_SELECTION_CHARS ? null : { text });
    };
    document.addEventListener("selectionchange", read);
    return () => document.removeEventListener("selectionchange", read);
  }, []);
  return { contentRef, selection, clearSelection: () => setSelection(null) };
}

function ResizeHandle({ width, onWidth }: { width: number; onWidth: (width: number, isFinal: boolean) => void }) {
  const move = (event: PointerEvent, isFinal: boolean) => {
    const isRight = getComputedStyle(event.currentTarget).direction === "rtl";
    onWidth(clampWidth(isRight ? event.clientX : window.innerWidth - event.clientX), isFinal);
  };
  const onKey = (event: KeyboardEvent) => {
    const delta = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (delta === undefined) return;
    event.preventDefault();
    // In right-to-left layouts the panel is on the other side.
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    onWidth(clampWidth(isMirrored ? width - delta : width + delta), true);
  };
  return (
    // A movable separator takes focus and keys: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      className="tutor-handle"
      tabIndex={0}
      aria-label={t("tutor.resize")}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH_PX}
      aria-valuemax={MAX_WIDTH_PX}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event, false);
      }}
      onPointerUp={(event) => move(event, true)}
    />
  );
}

function OpenButton({ takesFocus, onOpen }: { takesFocus: boolean; onOpen: (byKeyboard: boolean) => void }) {
  return (
    // `detail` is the click count, which is 0 for a press by keyboard.
    <button
      type="button"
      className="tutor-opener"
      autoFocus={takesFocus}
      onClick={({ detail }) => onOpen(detail === 0)}
    >
      <MessageSquareText aria-hidden />
      <span>{t("tutor.open")}</span>
    </button>
  );
}

/** A field for typing while the panel's code loads. The question field then starts with this draft. */
function LoadingPanel() {
  const [text, setText] = useQuestionDraft();
  return (
    <aside className="tutor-panel" aria-label={t("tutor.name")} aria-busy>
      <textarea
        className="visually-hidden"
        autoFocus
        aria-label={t("tutor.ask_label")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </aside>
  );
}

/**
 * The selection that the next question is about: text selected in the content, or text from another feature, such as
 * the menu of a selection. Text from another feature also opens the panel.
 */
function useSelection(open: () => void) {
  const { contentRef, selection: textSelection, clearSelection: clearTextSelection } = useSelectedText();
  const [requested, setRequested] = useAtom(tutorSelectionAtom);
  const [lastRequested, setLastRequested] = useState(requested);
  if (requested !== lastRequested) {
    setLastRequested(requested);
    if (requested) open();
  }
  // A selection belongs to the content beside the panel.
  useEffect(() => () => setRequested(null), [setRequested]);
  const containerRef = useRef<HTMLDivElement>(null);
  // Focuses the question field, also if the panel was already open.
  useEffect(() => {
    if (requested) containerRef.current?.querySelector<HTMLTextAreaElement>(".composer-box textarea")?.focus();
  }, [requested]);
  const clearSelection = () => {
    clearTextSelection();
    setRequested(null);
  };
  return { contentRef, containerRef, selection: requested ?? textSelection, clearSelection };
}

/** Shows the tutor next to a page, a document or a video, with that source as its scope. */
export function TutorLayout({ source, startsClosed = false, isCanvas = false, children }: Props) {
  const { isOpen, setOpen } = useOpen({ startsClosed, isCanvas });
  useOnePanel("tutor", isOpen, () => setOpen(false));
  useCloseOnCitation(isOpen, () => setOpen(false));
  const { width: savedWidth } = useAtomValue(preferencesAtom).assistant;
  const [draggedWidth, setDraggedWidth] = useState<number | null>(null);
  // If the panel was opened by keyboard, the focus moves into it. After closing, the focus moves to the open button.
  const [focus, setFocus] = useState<"question" | "opener" | null>(null);
  const { contentRef, containerRef, selection, clearSelection } = useSelection(() => {
    if (isOpen) return;
    setFocus("question");
    setOpen(true);
  });
  const width = draggedWidth ?? savedWidth;
  return (
    <div className="beside" ref={containerRef} data-tutor={isOpen ? "open" : "small"} style={widthOf(width)}>
      <div className="beside-content" ref={contentRef}>
        {children}
      </div>
      {!isOpen ? (
        <OpenButton
          takesFocus={focus === "opener"}
          onOpen={(byKeyboard) => {
            setFocus(byKeyboard ? "question" : null);
            setOpen(true);
          }}
        />
      ) : (
        <Suspense fallback={focus === "question" && <LoadingPanel />}>
          <Panel
            source={source}
            initialSources={isCanvas ? [] : [source]}
            takesFocus={focus === "question"}
            onClose={() => {
              setFocus("opener");
              setOpen(false);
            }}
            selection={selection}
            onDropSelection={clearSelection}
            resizeHandle={
              <ResizeHandle
                width={width}
                onWidth={(next, isFinal) => {
                  setDraggedWidth(isFinal ? null : next);
                  if (isFinal) setWidth(next);
                }}
              />
            }
          />
        </Suspense>
      )}
    </div>
  );
}
