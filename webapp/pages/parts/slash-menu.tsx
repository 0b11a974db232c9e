import { useEffect, useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref } from "react";
import {
  CheckSquare,
  Code2,
  Heading1,
  Heading2,
  Heading3,
  Layers,
  Link2,
  List,
  ListOrdered,
  Minus,
  Pilcrow,
  Quote,
  Sigma,
  Sparkle,
  Upload,
} from "lucide-react";
import type { EditorView } from "@tiptap/pm/view";
import { t, type MessageKey } from "#shared/messages/translate.ts";
import { insertBlock, setSubType } from "../editor/commands.ts";
import { requestFieldFocus } from "../editor/focus-inserted-block.ts";
import { closeSlash, removeSlashCommand, type SlashMenuPort, type SlashQuery } from "../editor/typing/slash-plugin.ts";
import "./slash-menu.css";

export interface SlashActions {
  upload(): void;
  makeCards(): void;
  addDeck(): void;
  /** Inserts a reference to a page, deck or document. */
  link(): void;
}

interface Entry {
  key: Extract<MessageKey, `pages.slash_${string}`>;
  icon: ReactNode;
  /** Additional search terms. */
  searchTerms: string;
  run(view: EditorView, actions: SlashActions): void;
}

const toText =
  (subType: string): Entry["run"] =>
  (view) => {
    setSubType(subType)(view.state, view.dispatch);
  };
const toBlock =
  (type: string, content: Record<string, unknown>): Entry["run"] =>
  (view) => {
    requestFieldFocus(type);
    insertBlock({ id: null, type, content })(view.state, view.dispatch);
  };

const entries: readonly Entry[] = [
  { key: "pages.slash_text", icon: <Pilcrow />, searchTerms: "paragraph normal", run: toText("normal") },
  { key: "pages.slash_heading_1", icon: <Heading1 />, searchTerms: "h1 title", run: toText("heading_1") },
  { key: "pages.slash_heading_2", icon: <Heading2 />, searchTerms: "h2", run: toText("heading_2") },
  { key: "pages.slash_heading_3", icon: <Heading3 />, searchTerms: "h3", run: toText("heading_3") },
  { key: "pages.slash_list_unordered", icon: <List />, searchTerms: "bullet ul", run: toText("list_unordered") },
  { key: "pages.slash_list_ordered", icon: <ListOrdered />, searchTerms: "ol 1", run: toText("list_ordered") },
  {
    key: "pages.slash_todo",
    icon: <CheckSquare />,
    searchTerms: "checkbox task",
    run: toText("list_checkbox_unchecked"),
  },
  { key: "pages.slash_quote", icon: <Quote />, searchTerms: "blockquote", run: toText("block_quote") },
  {
    key: "pages.slash_code",
    icon: <Code2 />,
    searchTerms: "pre",
    run: toBlock("code_block", { code: "", language: "" }),
  },
  {
    key: "pages.slash_equation",
    icon: <Sigma />,
    searchTerms: "formula maths latex",
    run: toBlock("equation", { latex: "" }),
  },
  { key: "pages.slash_divider", icon: <Minus />, searchTerms: "line hr rule", run: toBlock("divider", {}) },
  { key: "pages.slash_deck", icon: <Layers />, searchTerms: "deck cards", run: (_view, actions) => actions.addDeck() },
  {
    key: "pages.slash_link",
    icon: <Link2 />,
    searchTerms: "tag mention page deck pdf",
    run: (_view, actions) => actions.link(),
  },
  {
    key: "pages.slash_make_cards",
    icon: <Sparkle />,
    searchTerms: "generate",
    run: (_v, actions) => actions.makeCards(),
  },
  {
    key: "pages.slash_upload",
    icon: <Upload />,
    searchTerms: "pdf image file",
    run: (_v, actions) => actions.upload(),
  },
];

const findEntries = (text: string) => {
  const searchText = text.trim().toLowerCase();
  return entries.filter((entry) => `${t(entry.key)} ${entry.searchTerms}`.toLowerCase().includes(searchText));
};

interface Open {
  query: SlashQuery;
  view: EditorView;
  position: { left: number; top: number };
}

const MENU_HEIGHT_PX = 432;

/** Below the caret, or above it if there is no space below. */
function computePosition(view: EditorView, pos: number): Open["position"] {
  const caret = view.coordsAtPos(pos);
  const isLow = caret.bottom + MENU_HEIGHT_PX > window.innerHeight && caret.top > MENU_HEIGHT_PX;
  const left = Math.max(8, Math.min(caret.left, window.innerWidth - 264));
  return { left, top: isLow ? caret.top - MENU_HEIGHT_PX - 4 : caret.bottom + 4 };
}

interface ListProps {
  position: Open["position"];
  found: readonly Entry[];
  chosen: number;
  ref: Ref<HTMLDivElement>;
  onChoose: (index: number) => void;
  onTake: (entry: Entry) => void;
}

function SlashList({ position, found, chosen, ref, onChoose, onTake }: ListProps) {
  if (found.length === 0)
    return (
      <p className="slash-menu slash-menu-none" style={position} role="status">
        {t("pages.slash_none")}
      </p>
    );
  return (
    // Scrolls only in a very low window; then it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="slash-menu" style={position} ref={ref} tabIndex={0}>
      <div role="listbox" id="slash-menu" aria-label={t("pages.slash")}>
        {found.map((entry, i) => (
          // The focus stays in the text, from which arrows and Enter control the list.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={entry.key}
            id={`slash-${i}`}
            role="option"
            aria-selected={i === chosen}
            className="slash-menu-item"
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => onChoose(i)}
            onClick={() => onTake(entry)}
          >
            <span className="slash-menu-icon" aria-hidden>
              {entry.icon}
            </span>
            {t(entry.key)}
          </div>
        ))}
      </div>
    </div>
  );
}

interface Props {
  ref: Ref<SlashMenuPort>;
  actions: SlashActions;
}

export function SlashMenu({ ref, actions }: Props) {
  const [open, setOpen] = useState<Open | null>(null);
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => (open ? findEntries(open.query.text) : []), [open]);
  const chosenIndex = Math.min(chosen, Math.max(0, found.length - 1));

  const runEntry = (entry: Entry | undefined) => {
    if (!open || !entry) return;
    removeSlashCommand(open.view);
    open.view.focus();
    entry.run(open.view, actions);
  };

  const moveBy = (by: number) => {
    setChosen((chosenIndex + by + found.length) % found.length);
    return true;
  };
  useImperativeHandle(ref, () => ({
    show(query, view) {
      setOpen(query ? { query, view, position: computePosition(view, query.from) } : null);
      setChosen(0);
    },
    press(key) {
      if (!open) return false;
      if (key === "Escape") closeSlash(open.view);
      else if (found.length === 0) return false;
      else if (key === "ArrowDown") moveBy(1);
      else if (key === "ArrowUp") moveBy(-1);
      else if (key === "Enter" || key === "Tab") runEntry(found[chosenIndex]);
      else return false;
      return true;
    },
  }));

  useEffect(() => {
    const dom = open?.view.dom;
    if (!dom || found.length === 0) return undefined;
    dom.setAttribute("aria-controls", "slash-menu");
    dom.setAttribute("aria-activedescendant", `slash-${chosenIndex}`);
    list.current?.querySelector(`#slash-${chosenIndex}`)?.scrollIntoView({ block: "nearest" });
    return () => {
      dom.removeAttribute("aria-controls");
      dom.removeAttribute("aria-activedescendant");
    };
  }, [open, chosenIndex, found.length]);

  return (
    open && (
      <SlashList
        position={open.position}
        found={found}
        chosen={chosenIndex}
        ref={list}
        onChoose={setChosen}
        onTake={runEntry}
      />
    )
  );
}
