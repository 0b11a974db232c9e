import { memo, useEffect, useRef, useState, type ReactNode } from "react";
import {
  ArrowDown,
  ArrowUp,
  CheckSquare,
  Copy,
  CornerUpRight,
  GripVertical,
  Heading1,
  Heading2,
  Heading3,
  Highlighter,
  List,
  ListOrdered,
  Pilcrow,
  Quote,
  Trash2,
} from "lucide-react";
import type { Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { t, type MessageKey } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { MenuList } from "#shared/ui/overlays/menu-list.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import { BLOCK_SELECTOR } from "../../editor/block-drop.ts";
import {
  duplicateBlocks,
  highlightBlocks,
  startDrag,
  moveBlocks,
  selectBlockAt,
  selectWholeBlocks,
} from "../../editor/blocks.ts";
import { setSubType } from "../../editor/commands.ts";
import { deleteWithConfirmation, type DeleteQuestion } from "../../editor/typing/delete-confirmation.ts";
import type { PageSession } from "../../session/page-session.ts";
import { startTouchDrag } from "./touch-drag.ts";
import "./block-handle.css";

const FOCUS_DELAY_MS = 50;

const kinds: readonly [Extract<MessageKey, `pages.slash_${string}`>, string, ReactNode][] = [
  ["pages.slash_text", "normal", <Pilcrow key="i" aria-hidden />],
  ["pages.slash_heading_1", "heading_1", <Heading1 key="i" aria-hidden />],
  ["pages.slash_heading_2", "heading_2", <Heading2 key="i" aria-hidden />],
  ["pages.slash_heading_3", "heading_3", <Heading3 key="i" aria-hidden />],
  ["pages.slash_list_unordered", "list_unordered", <List key="i" aria-hidden />],
  ["pages.slash_list_ordered", "list_ordered", <ListOrdered key="i" aria-hidden />],
  ["pages.slash_todo", "list_checkbox_unchecked", <CheckSquare key="i" aria-hidden />],
  ["pages.slash_quote", "block_quote", <Quote key="i" aria-hidden />],
];

const textHighlightColors: readonly [Extract<MessageKey, `pages.pen_${string}`>, string | null][] = [
  ["pages.pen_yellow", "yellow"],
  ["pages.pen_green", "green"],
  ["pages.pen_blue", "blue"],
  ["pages.pen_red", "red"],
  ["pages.pen_none", null],
];

interface Props {
  session: PageSession;
  askDelete: (question: DeleteQuestion) => void;
  onMove: () => void;
}

/** Menu for the selected blocks, most used actions first. */
function createMenuGroups({ session, askDelete, onMove }: Props): MenuItem[][] {
  const run = (command: Command) => () => {
    const view = session.editor?.view;
    if (!view) return;
    command(view.state, view.dispatch, view);
    // The menu returns the focus to its button in a later task.
    setTimeout(() => view.focus(), FOCUS_DELAY_MS);
  };
  const remove: Command = (state, dispatch, view) => {
    selectWholeBlocks(state, dispatch);
    return view ? deleteWithConfirmation(askDelete)(view.state, dispatch, view) : false;
  };
  return [
    [
      {
        label: t("pages.block_up"),
        icon: <ArrowUp aria-hidden />,
        keys: formatShortcut("Alt Shift ↑"),
        onSelect: run(moveBlocks("up")),
      },
      {
        label: t("pages.block_down"),
        icon: <ArrowDown aria-hidden />,
        keys: formatShortcut("Alt Shift ↓"),
        onSelect: run(moveBlocks("down")),
      },
      {
        label: t("pages.block_duplicate"),
        icon: <Copy aria-hidden />,
        keys: formatShortcut("Ctrl D"),
        onSelect: run(duplicateBlocks),
      },
      { label: t("pages.block_move"), icon: <CornerUpRight aria-hidden />, onSelect: onMove },
    ],
    kinds.map(([key, subType, icon]) => ({ label: t(key), icon, onSelect: run(setSubType(subType)) })),
    textHighlightColors.map(([key, color]) => ({
      label: t(key),
      icon: <Highlighter aria-hidden className={`pen pen-${color ?? "none"}`} />,
      onSelect: run(highlightBlocks(color)),
    })),
    [{ label: t("pages.block_delete"), icon: <Trash2 aria-hidden />, danger: true, onSelect: run(remove) }],
  ];
}

function findCaretBlock(container: HTMLElement): HTMLElement | null {
  const node = document.getSelection()?.focusNode;
  const found = (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>(BLOCK_SELECTOR);
  return found && container.contains(found) ? found : null;
}

interface HandleState {
  /** The handle's container; moved directly, so that React does not render for every line. */
  holder: HTMLElement | null;
  /** The block under the pointer or with the caret. */
  dom: HTMLElement | null;
  show: () => void;
  open: () => void;
}

/** If the block was re-rendered, for example as a heading, finds it again by the caret. */
const findCurrentBlock = ({ dom }: HandleState, container: HTMLElement) =>
  dom?.isConnected === true ? dom : findCaretBlock(container);

function positionHandle(handleState: HandleState, container: HTMLElement): void {
  const { holder } = handleState;
  const block = findCurrentBlock(handleState, container);
  if (!holder) return;
  holder.hidden = block === null;
  if (block) holder.style.top = `${block.getBoundingClientRect().top - container.getBoundingClientRect().top}px`;
}

/** Follows the pointer and the caret; Ctrl+/ opens the menu of the caret's block. */
function trackBlock(handleState: HandleState, container: HTMLElement): () => void {
  let isScheduled = false;
  /** Runs after the frame, to avoid forcing a layout during typing. */
  const schedulePosition = () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        isScheduled = false;
        positionHandle(handleState, container);
      }),
    );
  };
  const moveTo = (found: HTMLElement | null) => {
    if (!found || found === handleState.dom) return;
    handleState.dom = found;
    handleState.show();
    schedulePosition();
  };
  const onMouseMove = (event: MouseEvent) => {
    const found = event.target instanceof Element ? event.target.closest<HTMLElement>(BLOCK_SELECTOR) : null;
    if (found && container.contains(found)) moveTo(found);
  };
  const goToCaret = () => moveTo(findCaretBlock(container));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "/" || !(event.ctrlKey || event.metaKey) || !container.contains(document.activeElement)) return;
    event.preventDefault();
    // The block may have been re-rendered since the caret entered it.
    goToCaret();
    requestAnimationFrame(() => {
      positionHandle(handleState, container);
      handleState.open();
    });
  };
  // Content above may change its height and move the block.
  const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(schedulePosition);
  observer?.observe(container);
  container.addEventListener("mousemove", onMouseMove);
  container.addEventListener("keydown", onKeyDown);
  document.addEventListener("selectionchange", goToCaret);
  return () => {
    observer?.disconnect();
    container.removeEventListener("mousemove", onMouseMove);
    container.removeEventListener("keydown", onKeyDown);
    document.removeEventListener("selectionchange", goToCaret);
  };
}

/** The handle of a block: click for the menu, drag to move. */
export const BlockHandle = memo(function BlockHandle({
  container,
  session,
  askDelete,
  onMove,
}: Props & { container: HTMLElement | null }) {
  const button = useRef<HTMLButtonElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  const handleRef = useRef<HandleState>(null);
  useEffect(() => {
    if (!container) return undefined;
    const handleState: HandleState = {
      get holder() {
        return holder.current;
      },
      dom: null,
      show: () => setShown(true),
      open: () => {
        button.current?.focus();
        button.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      },
    };
    handleRef.current = handleState;
    return trackBlock(handleState, container);
  }, [container]);
  if (!isShown || !container) return null;
  const withBlock = (work: (view: EditorView, dom: HTMLElement) => void) => {
    const view = session.editor?.view;
    const dom = handleRef.current && findCurrentBlock(handleRef.current, container);
    if (view && dom) work(view, dom);
  };
  return (
    // Unhidden once it is positioned next to a block.
    <div className="block-handle" ref={holder} hidden>
      <MenuList
        align="start"
        opensOnClick
        trigger={
          <IconButton
            ref={button}
            className="block-handle-button"
            label={t("pages.block_menu")}
            icon={<GripVertical aria-hidden />}
            draggable
            onPointerDown={(event) =>
              withBlock((view, dom) => {
                selectBlockAt(view, dom);
                if (event.pointerType === "touch") startTouchDrag(event.nativeEvent, view, dom);
              })
            }
            onDragStart={(event) => withBlock((view, dom) => startDrag(view, dom, event.dataTransfer))}
          />
        }
        groups={createMenuGroups({ session, askDelete, onMove })}
      />
    </div>
  );
});
