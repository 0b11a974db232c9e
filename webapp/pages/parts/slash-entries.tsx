import type { ReactNode } from "react";
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
  Table,
  Upload,
  Variable,
} from "lucide-react";
import type { EditorView } from "@tiptap/pm/view";
import { t, type MessageKey } from "#shared/messages/translate.ts";
import { tableContent } from "#shared/pages/tables.ts";
import { insertBlock, setSubType } from "../editor/commands.ts";
import { requestFieldFocus } from "../editor/focus-inserted-block.ts";
import { startFormula } from "../editor/typing/formula-editing.ts";

export interface SlashActions {
  upload(): void;
  makeCards(): void;
  addDeck(): void;
  /** Inserts a reference to a page, deck or document. */
  link(): void;
}

type Group = Extract<MessageKey, `pages.slash_group_${string}`>;

/** An entry of the menu at the caret. */
export interface MenuEntry {
  id: string;
  label: string;
  icon: ReactNode;
  /** The heading above the first entry of its group. */
  group: string;
  /** The Markdown that can be typed instead. */
  hint?: string | undefined;
  /** Tells entries with the same label apart. */
  about?: string;
  run: (view: EditorView) => void;
}

interface Entry {
  key: Extract<MessageKey, `pages.slash_${string}`>;
  icon: ReactNode;
  /** Additional search terms. */
  searchTerms: string;
  hint?: string;
  run: (view: EditorView, actions: SlashActions) => void;
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

const EMPTY_ROW = ["", "", ""];

const textEntries: readonly Entry[] = [
  { key: "pages.slash_text", icon: <Pilcrow />, searchTerms: "paragraph normal", run: toText("normal") },
  { key: "pages.slash_heading_1", icon: <Heading1 />, searchTerms: "h1 title", hint: "#", run: toText("heading_1") },
  { key: "pages.slash_heading_2", icon: <Heading2 />, searchTerms: "h2", hint: "##", run: toText("heading_2") },
  { key: "pages.slash_heading_3", icon: <Heading3 />, searchTerms: "h3", hint: "###", run: toText("heading_3") },
  {
    key: "pages.slash_list_unordered",
    icon: <List />,
    searchTerms: "bullet ul",
    hint: "-",
    run: toText("list_unordered"),
  },
  {
    key: "pages.slash_list_ordered",
    icon: <ListOrdered />,
    searchTerms: "ol 1",
    hint: "1.",
    run: toText("list_ordered"),
  },
  {
    key: "pages.slash_todo",
    icon: <CheckSquare />,
    searchTerms: "checkbox task",
    hint: "[ ]",
    run: toText("list_checkbox_unchecked"),
  },
  { key: "pages.slash_quote", icon: <Quote />, searchTerms: "blockquote", hint: ">", run: toText("block_quote") },
];

const insertEntries: readonly Entry[] = [
  {
    key: "pages.slash_table",
    icon: <Table />,
    searchTerms: "grid rows columns",
    run: toBlock("text", tableContent([EMPTY_ROW, EMPTY_ROW, EMPTY_ROW])),
  },
  {
    key: "pages.slash_code",
    icon: <Code2 />,
    searchTerms: "pre",
    hint: "```",
    run: toBlock("code_block", { code: "", language: "" }),
  },
  {
    key: "pages.slash_equation",
    icon: <Sigma />,
    searchTerms: "formula maths latex",
    hint: "$$",
    run: toBlock("equation", { latex: "" }),
  },
  {
    key: "pages.slash_formula",
    icon: <Variable />,
    searchTerms: "inline equation maths latex",
    hint: "$x$",
    run: (view) => startFormula(view),
  },
  {
    key: "pages.slash_divider",
    icon: <Minus />,
    searchTerms: "line hr rule",
    hint: "---",
    run: toBlock("divider", {}),
  },
  {
    key: "pages.slash_link",
    icon: <Link2 />,
    searchTerms: "tag mention page deck pdf",
    hint: "[[",
    run: (_view, actions) => actions.link(),
  },
  {
    key: "pages.slash_upload",
    icon: <Upload />,
    searchTerms: "pdf image file",
    run: (_v, actions) => actions.upload(),
  },
];

const studyEntries: readonly Entry[] = [
  {
    key: "pages.slash_make_cards",
    icon: <Sparkle />,
    searchTerms: "generate",
    run: (_v, actions) => actions.makeCards(),
  },
  { key: "pages.slash_deck", icon: <Layers />, searchTerms: "deck cards", run: (_view, actions) => actions.addDeck() },
];

const groups: readonly [Group, readonly Entry[]][] = [
  ["pages.slash_group_basic", textEntries],
  ["pages.slash_group_insert", insertEntries],
  ["pages.slash_group_study", studyEntries],
];

/** How well a label matches: 0 if it starts with the text, 1 if one of its words does, 2 if only a search term matches. */
function rankMatch(label: string, searchText: string): number {
  if (label.startsWith(searchText)) return 0;
  return label.split(" ").some((word) => word.startsWith(searchText)) ? 1 : 2;
}

/**
 * The matching entries by group, the best match and its group first. Without a text, the study group comes first on an
 * empty page.
 */
export function findSlashEntries(text: string, actions: SlashActions, isPageEmpty: boolean): MenuEntry[] {
  const searchText = text.trim().toLowerCase();
  const ordered = isPageEmpty ? [...groups.slice(-1), ...groups.slice(0, -1)] : groups;
  const found = ordered.map(([group, entries]) =>
    entries
      .filter((entry) => `${t(entry.key)} ${entry.searchTerms}`.toLowerCase().includes(searchText))
      .map((entry) => ({ ...entry, group, rank: rankMatch(t(entry.key).toLowerCase(), searchText) }))
      .toSorted((a, b) => a.rank - b.rank),
  );
  return found
    .toSorted((a, b) => (a[0]?.rank ?? 2) - (b[0]?.rank ?? 2))
    .flat()
    .map(({ key, icon, hint, group, run }) => ({
      id: key,
      label: t(key),
      icon,
      group: t(group),
      hint,
      run: (view: EditorView) => run(view, actions),
    }));
}
