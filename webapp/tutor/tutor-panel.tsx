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
import { askAboutAtom } from "./ask-about.ts";
import type { ChosenSource } from "./parts/ground-chooser.tsx";
import "./tutor-panel.css";

/** Loaded lazily: the main content comes first. */
const Panel = lazy(async () => ({ default: (await import("./parts/panel.tsx")).Panel }));

interface Props {
  /** The source shown next to the panel. */
  beside: ChosenSource;
  /** For content that needs the full width: the panel stays closed until opened, whatever the preference. */
  startsSmall?: boolean;
  /** Writing with the tutor: the panel starts open, with everything as its scope. */
  isTogether?: boolean;
  children: ReactNode;
}

const MIN_WIDTH = 280;
const MAX_WIDTH = 1200;
const STEP = 20;
const MAX_SELECTION = 8000;
const MIN_SELECTION = 3;

/** React's types do not include custom properties. */
const widthOf = (width: number) => ({ "--tutor-width": `${width}px` }) as CSSProperties;

const within = (width: number) => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
const keepMinimized = (minimized: boolean) =>
  void changePreferences((p) => ({ ...p, assistant: { ...p.assistant, minimized } }));
const setWidth = (width: number) => void changePreferences((p) => ({ ...p, assistant: { ...p.assistant, width } }));

const narrow = typeof matchMedia === "undefined" ? undefined : matchMedia("(max-width: 900px)");

/** On a small screen the panel covers the content, so it opens only on request. */
function useOpen({ startsSmall, isTogether }: { startsSmall: boolean; isTogether: boolean }) {
  const isNarrow = useSyncExternalStore(
    (told) => {
      narrow?.addEventListener("change", told);
      return () => narrow?.removeEventListener("change", told);
    },
    () => narrow?.matches ?? false,
  );
  const { minimized } = useAtomValue(preferencesAtom).assistant;
  const [isOpenHere, setOpenHere] = useState(isTogether && !isNarrow);
  const isForHere = isNarrow || startsSmall || isTogether;
  return {
    isOpen: isForHere ? isOpenHere : !minimized,
    setOpen: (isOpen: boolean) => (isForHere ? setOpenHere(isOpen) : keepMinimized(!isOpen)),
  };
}

/** On a small screen, closes the panel when a citation is opened, because it would cover the target. */
function useMakingWay(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: MouseEvent) => {
      const isCitation = target instanceof Element && target.closest(".tutor-panel button.cite-badge") !== null;
      if (isCitation && narrow?.matches === true) close();
    };
    document.addEventListener("click", onPress);
    return () => document.removeEventListener("click", onPress);
  });
}

/** The text selected in the content; kept while a question is being written. */
function useMarked() {
  const ground = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  useEffect(() => {
    const read = () => {
      const marked = document.getSelection();
      const anchor = marked?.anchorNode;
      // Tab selects all text of a one-line field, which is not a selection by the student.
      if (anchor?.childNodes[marked?.anchorOffset ?? 0] instanceof HTMLInputElement) return;
      if (!marked || !anchor || !ground.current?.contains(anchor)) return;
      const text = marked.toString().trim().slice(0, MAX_SELECTION);
      setSelection(text.length < MIN_SELECTION ? null : { text });
    };
    document.addEventListener("selectionchange", read);
    return () => document.removeEventListener("selectionchange", read);
  }, []);
  return { ground, selection, drop: () => setSelection(null) };
}

function Handle({ width, onWidth }: { width: number; onWidth: (width: number, isFinal: boolean) => void }) {
  const move = (event: PointerEvent, isFinal: boolean) => {
    const isRight = getComputedStyle(event.currentTarget).direction === "rtl";
    onWidth(within(isRight ? event.clientX : window.innerWidth - event.clientX), isFinal);
  };
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    // In right-to-left layouts the panel is on the other side.
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    onWidth(within(isMirrored ? width - by : width + by), true);
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
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event, false);
      }}
      onPointerUp={(event) => move(event, true)}
    />
  );
}

function Opener({ takesFocus, onOpen }: { takesFocus: boolean; onOpen: (byKeyboard: boolean) => void }) {
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

/** Shows the tutor next to a page, a document or a video, with that source as its scope. */
export function BesideTutor({ beside, startsSmall = false, isTogether = false, children }: Props) {
  const { isOpen, setOpen } = useOpen({ startsSmall, isTogether });
  useMakingWay(isOpen, () => setOpen(false));
  const { width: kept } = useAtomValue(preferencesAtom).assistant;
  const [dragged, setDragged] = useState<number | null>(null);
  const { ground, selection: marked, drop: unmark } = useMarked();
  const [askedAbout, setAskAbout] = useAtom(askAboutAtom);
  const selection = askedAbout ?? marked;
  const drop = () => {
    unmark();
    setAskAbout(null);
  };
  // A request from elsewhere, such as the menu over a selection, opens the panel.
  const [seen, setSeen] = useState(askedAbout);
  if (askedAbout !== seen) {
    setSeen(askedAbout);
    if (askedAbout && !isOpen) setOpen(true);
  }
  const width = dragged ?? kept;
  // After keyboard use the focus moves into the opened panel, and back to the open button.
  const [focus, setFocus] = useState<"question" | "opener" | null>(null);
  return (
    <div className="beside" data-tutor={isOpen ? "open" : "small"} style={widthOf(width)}>
      <div className="beside-ground" ref={ground}>
        {children}
      </div>
      {!isOpen ? (
        <Opener
          takesFocus={focus === "opener"}
          onOpen={(byKeyboard) => {
            setFocus(byKeyboard ? "question" : null);
            setOpen(true);
          }}
        />
      ) : (
        <Suspense>
          <Panel
            beside={beside}
            standsOn={isTogether ? [] : [beside]}
            takesFocus={focus === "question"}
            onClose={() => {
              setFocus("opener");
              setOpen(false);
            }}
            selection={selection}
            onDropSelection={drop}
            handle={
              <Handle
                width={width}
                onWidth={(next, isFinal) => {
                  setDragged(isFinal ? null : next);
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
