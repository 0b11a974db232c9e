import {
  Bold,
  ChevronDown,
  Code,
  Italic,
  Layers,
  Link2,
  MessageSquareText,
  Strikethrough,
  Underline,
} from "lucide-react";
import { toggleMark } from "@tiptap/pm/commands";
import type { Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from "react";
import { t, type MessageKey } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import { useEachFrame } from "#webapp/app/hooks/use-each-frame.ts";
import { highlightBlocks } from "../editor/blocks.ts";
import {
  isMarked,
  readSelectedText,
  selectionBox,
  setLink,
  setTextColor,
  type SelectedText,
} from "../editor/formatting.ts";
import type { SelectionPort } from "../editor/typing/selection-plugin.ts";
import { LinkField } from "./link-field.tsx";
import "./format-bar.css";

export interface FormatBarActions {
  ask: (selected: SelectedText) => void;
  makeCard: (selected: SelectedText) => void;
}

const EDGE_PX = 8;
/** Height of the bar at the top of the page. */
const TOP_BAR_PX = 56;

const buttons: readonly [Extract<MessageKey, `pages.format_${string}`>, string, string, ReactNode][] = [
  ["pages.format_bold", "bold", "Ctrl B", <Bold key="i" aria-hidden />],
  ["pages.format_italic", "italic", "Ctrl I", <Italic key="i" aria-hidden />],
  ["pages.format_underline", "underline", "Ctrl U", <Underline key="i" aria-hidden />],
  ["pages.format_strikethrough", "strikethrough", "Ctrl Shift S", <Strikethrough key="i" aria-hidden />],
  ["pages.format_code", "inline_code", "Ctrl E", <Code key="i" aria-hidden />],
];

const textColors: readonly [Extract<MessageKey, `pages.format_color_${string}`>, string | null][] = [
  ["pages.format_color_none", null],
  ["pages.format_color_red", "#c4372b"],
  ["pages.format_color_orange", "#b35c00"],
  ["pages.format_color_green", "#1f7a46"],
  ["pages.format_color_blue", "#2a5db0"],
  ["pages.format_color_purple", "#7a3fa8"],
];

const highlights: readonly [Extract<MessageKey, `pages.pen_${string}`>, string | null][] = [
  ["pages.pen_yellow", "yellow"],
  ["pages.pen_green", "green"],
  ["pages.pen_blue", "blue"],
  ["pages.pen_red", "red"],
  ["pages.pen_none", null],
];

function colorGroups(run: (command: Command) => () => void): MenuItem[][] {
  return [
    textColors.map(([key, color]) => ({
      label: t(key),
      icon: <span aria-hidden className="format-swatch" style={color === null ? {} : { background: color }} />,
      onSelect: run(setTextColor(color)),
    })),
    highlights.map(([key, color]) => ({
      label: t(key),
      icon: <span aria-hidden className={`format-swatch pen pen-${color ?? "none"}`} />,
      onSelect: run(highlightBlocks(color)),
    })),
  ];
}

/** Positions the bar above the selection, or below it if the top bar is in the way. */
function usePosition(view: EditorView | null) {
  const ref = useRef<HTMLDivElement>(null);
  const place = () => {
    const bar = ref.current;
    if (!view || !bar) return;
    const { width, height } = bar.getBoundingClientRect();
    const box = selectionBox(view);
    const middle = (box.left + box.right - width) / 2;
    const above = box.top - height - EDGE_PX;
    const below = Math.min(box.bottom + EDGE_PX, window.innerHeight - height - EDGE_PX);
    bar.style.left = `${Math.max(EDGE_PX, Math.min(middle, window.innerWidth - width - EDGE_PX))}px`;
    bar.style.top = `${above > TOP_BAR_PX ? above : below}px`;
  };
  // After every render, because the bar's size and the text below it may have changed.
  useLayoutEffect(place);
  useEachFrame(view !== null, place);
  return ref;
}

interface Props {
  ref: Ref<SelectionPort>;
  actions: FormatBarActions;
}

/** The toolbar of selected text. */
export function FormatBar({ ref, actions }: Props) {
  const [shown, setShown] = useState<{ view: EditorView; count: number } | null>(null);
  const [isLinking, setLinking] = useState(false);
  const bar = usePosition(shown?.view ?? null);
  useImperativeHandle(ref, () => ({
    show(view) {
      // The field of a link has the focus while the text stays selected.
      if (!view && isLinking && bar.current?.contains(document.activeElement)) return;
      setShown((before) => (view ? { view, count: (before?.count ?? 0) + 1 } : null));
      if (!view) setLinking(false);
    },
    makeCard: (view) => actions.makeCard(readSelectedText(view)),
  }));
  if (!shown) return null;
  const { view } = shown;
  const run = (command: Command) => () => {
    // Focuses the text first, so that the command changes focused text.
    view.focus();
    command(view.state, view.dispatch, view);
  };
  return (
    <div
      ref={bar}
      className="format-bar"
      role="toolbar"
      aria-label={t("pages.format")}
      // A press on a button keeps the selection; a press on a field takes the focus.
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
      }}
    >
      {isLinking ? (
        <LinkField
          onLink={(address) => {
            run(setLink(address))();
            setLinking(false);
          }}
          onCancel={() => {
            setLinking(false);
            view.focus();
          }}
          canRemove={isMarked(view.state, "reference")}
        />
      ) : (
        <FormatButtons view={view} run={run} actions={actions} onLink={() => setLinking(true)} />
      )}
    </div>
  );
}

interface ButtonsProps {
  view: EditorView;
  run: (command: Command) => () => void;
  actions: FormatBarActions;
  onLink: () => void;
}

function FormatButtons({ view, run, actions, onLink }: ButtonsProps) {
  const mark = (name: string): Command => {
    const type = view.state.schema.marks[name];
    return type ? toggleMark(type) : () => false;
  };
  const selected = () => readSelectedText(view);
  return (
    <>
      {buttons.map(([key, name, keys, icon]) => (
        <IconButton
          key={name}
          label={`${t(key)} (${formatShortcut(keys)})`}
          icon={icon}
          aria-pressed={isMarked(view.state, name)}
          onClick={run(mark(name))}
        />
      ))}
      <IconButton
        label={t("pages.format_link")}
        icon={<Link2 aria-hidden />}
        aria-pressed={isMarked(view.state, "reference")}
        onClick={onLink}
      />
      <Menu
        trigger={
          <IconButton
            className="format-colour"
            label={t("pages.format_color")}
            icon={
              <>
                <span aria-hidden className="format-swatch pen pen-green" />
                <ChevronDown aria-hidden />
              </>
            }
          />
        }
        groups={colorGroups(run)}
        opensOnClick
      />
      <span className="format-bar-line" aria-hidden />
      <Button variant="quiet" icon={<MessageSquareText aria-hidden />} onClick={() => actions.ask(selected())}>
        {t("pages.format_ask")}
      </Button>
      <Button
        variant="quiet"
        className="format-card"
        icon={<Layers aria-hidden />}
        onClick={() => actions.makeCard(selected())}
      >
        {t("pages.format_card")} <Kbd>{formatShortcut("Alt C")}</Kbd>
      </Button>
    </>
  );
}
