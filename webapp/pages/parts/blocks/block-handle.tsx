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
import { sayKeys } from "#webapp/app/format/key-names.ts";
import {
  duplicateBlocks,
  highlightBlocks,
  holdForDrag,
  moveBlocks,
  selectAt,
  selectWhole,
} from "../../editor/blocks.ts";
import { setSubType } from "../../editor/commands.ts";
import { askedDelete, type DeleteQuestion } from "../../editor/keys.ts";
import type { PageSession } from "../../session/page-session.ts";
import "./block-handle.css";

const FOCUS_AFTER_MS = 50;
const BLOCK = ".page-text, .page-block";

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

const pens: readonly [Extract<MessageKey, `pages.pen_${string}`>, string | null][] = [
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
function groupsFor({ session, askDelete, onMove }: Props): MenuItem[][] {
  const run = (command: Command) => () => {
    const view = session.editor?.view;
    if (!view) return;
    command(view.state, view.dispatch, view);
    // The menu returns the focus to its button in a later task.
    setTimeout(() => view.focus(), FOCUS_AFTER_MS);
  };
  const remove: Command = (state, dispatch, view) => {
    selectWhole(state, dispatch);
    return view ? askedDelete(askDelete)(view.state, dispatch, view) : false;
  };
  return [
    [
      {
        label: t("pages.block_up"),
        icon: <ArrowUp aria-hidden />,
        keys: sayKeys("Alt Shift ↑"),
        onSelect: run(moveBlocks("up")),
      },
      {
        label: t("pages.block_down"),
        icon: <ArrowDown aria-hidden />,
        keys: sayKeys("Alt Shift ↓"),
        onSelect: run(moveBlocks("down")),
      },
      {
        label: t("pages.block_duplicate"),
        icon: <Copy aria-hidden />,
        keys: sayKeys("Ctrl D"),
        onSelect: run(duplicateBlocks),
      },
      { label: t("pages.block_move"), icon: <CornerUpRight aria-hidden />, onSelect: onMove },
    ],
    kinds.map(([key, subType, icon]) => ({ label: t(key), icon, onSelect: run(setSubType(subType)) })),
    pens.map(([key, color]) => ({
      label: t(key),
      icon: <Highlighter aria-hidden className={`pen pen-${color ?? "none"}`} />,
      onSelect: run(highlightBlocks(color)),
    })),
    [{ label: t("pages.block_delete"), icon: <Trash2 aria-hidden />, danger: true, onSelect: run(remove) }],
  ];
}

function blockOfCaret(place: HTMLElement): HTMLElement | null {
  const node = document.getSelection()?.focusNode;
  const found = (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>(BLOCK);
  return found && place.contains(found) ? found : null;
}

interface Follower {
  /** The handle's container; moved directly, so that React does not render for every line. */
  holder: HTMLElement | null;
  /** The block under the pointer or with the caret. */
  dom: HTMLElement | null;
  show: () => void;
  open: () => void;
}

/** If the block was re-rendered, for example as a heading, the caret tells which one it is. */
const standing = ({ dom }: Follower, place: HTMLElement) => (dom?.isConnected === true ? dom : blockOfCaret(place));

function put(follower: Follower, place: HTMLElement): void {
  const { holder } = follower;
  const at = standing(follower, place);
  if (!holder) return;
  holder.hidden = at === null;
  if (at) holder.style.top = `${at.getBoundingClientRect().top - place.getBoundingClientRect().top}px`;
}

/** Follows the pointer and the caret; Ctrl+/ opens the menu of the caret's block. */
function follow(follower: Follower, place: HTMLElement): () => void {
  let isPlanned = false;
  /** Runs after the frame, to avoid forcing a layout during typing. */
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        isPlanned = false;
        put(follower, place);
      }),
    );
  };
  const go = (found: HTMLElement | null) => {
    if (!found || found === follower.dom) return;
    follower.dom = found;
    follower.show();
    plan();
  };
  const point = (event: MouseEvent) => {
    const found = event.target instanceof Element ? event.target.closest<HTMLElement>(BLOCK) : null;
    if (found && place.contains(found)) go(found);
  };
  const goToCaret = () => go(blockOfCaret(place));
  const press = (event: KeyboardEvent) => {
    if (event.key !== "/" || !(event.ctrlKey || event.metaKey) || !place.contains(document.activeElement)) return;
    event.preventDefault();
    // The block may have been re-rendered since the caret entered it.
    goToCaret();
    requestAnimationFrame(() => {
      put(follower, place);
      follower.open();
    });
  };
  // Content above may change its height and move the block.
  const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(plan);
  observer?.observe(place);
  place.addEventListener("mousemove", point);
  place.addEventListener("keydown", press);
  document.addEventListener("selectionchange", goToCaret);
  return () => {
    observer?.disconnect();
    place.removeEventListener("mousemove", point);
    place.removeEventListener("keydown", press);
    document.removeEventListener("selectionchange", goToCaret);
  };
}

/** The handle of a block: click for the menu, drag to move. */
export const BlockHandle = memo(function BlockHandle({
  place,
  session,
  askDelete,
  onMove,
}: Props & { place: HTMLElement | null }) {
  const button = useRef<HTMLButtonElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  const followed = useRef<Follower>(null);
  useEffect(() => {
    if (!place) return undefined;
    const follower: Follower = {
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
    followed.current = follower;
    return follow(follower, place);
  }, [place]);
  if (!isShown || !place) return null;
  const withBlock = (work: (view: EditorView, dom: HTMLElement) => void) => {
    const view = session.editor?.view;
    const dom = followed.current && standing(followed.current, place);
    if (view && dom) work(view, dom);
  };
  return (
    // Unhidden once it is positioned next to a block.
    <div className="block-handle" ref={holder} hidden>
      <MenuList
        align="start"
        trigger={
          <IconButton
            ref={button}
            className="block-handle-button"
            label={t("pages.block_menu")}
            icon={<GripVertical aria-hidden />}
            draggable
            onPointerDown={() => withBlock(selectAt)}
            onDragStart={(event) => withBlock((view, dom) => holdForDrag(view, dom, event.dataTransfer))}
          />
        }
        groups={groupsFor({ session, askDelete, onMove })}
      />
    </div>
  );
});
