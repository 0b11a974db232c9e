import { Extension, InputRule, markInputRule } from "@tiptap/core";
import type { MarkType } from "@tiptap/pm/model";
import { TextSelection, type Command } from "@tiptap/pm/state";
import { isFormulaSource } from "#shared/text/formulas.ts";
import { findBlockAt } from "../chunks.ts";
import { insertBlock, placeBlock } from "../commands.ts";
import { createFormula } from "../formula.ts";
import { requestFieldFocus } from "../focus-inserted-block.ts";

/** Prefixes that change the type of a line when followed by a space. */
const linePrefixes: [RegExp, string][] = [
  [/^#\s$/, "heading_1"],
  [/^##\s$/, "heading_2"],
  [/^###\s$/, "heading_3"],
  [/^[-*+]\s$/, "list_unordered"],
  [/^\d{1,3}[.)]\s$/, "list_ordered"],
  [/^\[ ?\]\s$/, "list_checkbox_unchecked"],
  [/^\[[xX]\]\s$/, "list_checkbox_checked"],
  [/^>\s$/, "block_quote"],
];

const lineRule = ([find, subType]: [RegExp, string]) =>
  new InputRule({
    find,
    handler: ({ state, range }) => {
      const block = findBlockAt(state.selection.$from);
      if (!block || block.node.attrs["subType"] === subType) return null;
      state.tr.delete(range.from, range.to).setNodeAttribute(block.pos, "subType", subType);
      return undefined;
    },
  });

/** Short names of languages that may follow a code fence. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  sh: "bash",
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  html: "xml",
  js: "javascript",
  kt: "kotlin",
  md: "markdown",
  py: "python",
  rb: "ruby",
  rs: "rust",
  ts: "typescript",
  yml: "yaml",
};

const createCode = (language = "") => {
  const name = language.toLowerCase();
  return { code: "", language: LANGUAGE_NAMES[name] ?? name };
};

/** Enter after a code fence, with or without a language, inserts a code block. */
export const openCodeFence: Command = (state, dispatch) => {
  const block = findBlockAt(state.selection.$from);
  const fence = block?.node.type.name === "text_block" ? /^```([\w+#.-]*)$/.exec(block.node.textContent) : null;
  if (!block || !fence || !state.selection.empty) return false;
  if (!dispatch) return true;
  const { tr } = state;
  tr.delete(block.pos + 1, block.pos + 1 + block.node.content.size);
  requestFieldFocus("code_block");
  placeBlock(state, tr, { id: null, type: "code_block", content: createCode(fence[1]) });
  dispatch(tr.scrollIntoView());
  return true;
};

/** Replaces the whole line with a component block. */
const blockRule = (find: RegExp, type: string, createContent: (match: string | undefined) => Record<string, unknown>) =>
  new InputRule({
    find,
    handler: ({ state, range, match }) => {
      const block = findBlockAt(state.selection.$from);
      if (!block || block.node.content.size > range.to - range.from) return null;
      const { tr } = state;
      tr.delete(range.from, range.to);
      tr.setSelection(TextSelection.create(tr.doc, range.from));
      requestFieldFocus(type);
      insertBlock({ id: null, type, content: createContent(match[1]) })(state);
      return undefined;
    },
  });

const inlineRules: [RegExp, string][] = [
  [/(?:^|\s)(\*\*(?!\s)([^*]+)\*\*)$/, "bold"],
  [/(?:^|\s)(__(?!\s)([^_]+)__)$/, "bold"],
  [/(?:^|\s)(\*(?![\s*])([^*]+)\*)$/, "italic"],
  [/(?:^|\s)(~~(?!\s)([^~]+)~~)$/, "strikethrough"],
  [/(?:^|[^`])(`([^`]+)`)$/, "inline_code"],
];

/** `[words](address)`, the Markdown link syntax. */
const linkRule = (type: MarkType) =>
  new InputRule({
    find: /\[([^\]\n]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)$/,
    handler: ({ state, range, match }) => {
      const [, words = "", target] = match;
      const mark = type.create({ kind: "link", target });
      state.tr.replaceWith(range.from, range.to, state.schema.text(words, [mark])).removeStoredMark(mark);
      return undefined;
    },
  });

/** `$latex$` becomes a formula when its second dollar sign is typed. */
const formulaRule = new InputRule({
  find: /(?<![\\$])\$(?![\s$])([^$\n\uFFFC]{0,999}[^\s$\\\uFFFC])\$$/,
  handler: ({ state, range, match: [, latex = ""] }) => {
    const marks = state.selection.$from.marks();
    if (!isFormulaSource(latex) || marks.some(({ type }) => type.name === "inline_code")) return null;
    state.tr.replaceWith(range.from, range.to, createFormula(state.schema, latex, marks));
    return undefined;
  },
});

/** A typed address without the punctuation that follows it. */
function readAddress(typed: string): { target: string; length: number } | undefined {
  const address = typed.replace(/[.,;:!?)\]]+$/, "");
  if (!/\.[\p{L}\d-]{2,}/u.test(address)) return undefined;
  return { target: address.startsWith("www.") ? `https://${address}` : address, length: address.length };
}

/** Links the address that ends at the caret. Returns false, so that the pressed key has its usual effect too. */
export const linkTypedAddress: Command = (state, dispatch, view) => {
  const type = state.schema.marks["reference"];
  const { $from, empty } = state.selection;
  if (!type || !view || !empty || !$from.parent.isTextblock) return false;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 500), $from.parentOffset, "\n", "\uFFFC");
  const [, typed = ""] = ADDRESS.exec(`${before} `) ?? [];
  const link = readAddress(typed);
  const from = $from.pos - typed.length;
  if (link && !state.doc.rangeHasMark(from, $from.pos, type))
    dispatch?.(state.tr.addMark(from, from + link.length, type.create({ kind: "link", target: link.target })));
  return false;
};

const ADDRESS = /(?:^|[\s(])((?:https?:\/\/|www\.)[^\s<>"']+)\s$/;

/** A typed address becomes a link when a space is typed after it. */
const addressRule = (type: MarkType) =>
  new InputRule({
    find: ADDRESS,
    handler: ({ state: { tr, doc }, range, match: [, typed = ""] }) => {
      const link = readAddress(typed);
      const from = range.to - typed.length;
      if (!link || doc.rangeHasMark(from, range.to, type)) return null;
      tr.addMark(from, from + link.length, type.create({ kind: "link", target: link.target }));
      tr.insertText(" ", range.to).removeStoredMark(type);
      return undefined;
    },
  });

/** Markdown input rules; Backspace right afterwards reverts them. */
export const markdownInputRules = Extension.create({
  name: "markdown_typing",
  addInputRules() {
    const { marks } = this.editor.schema;
    return [
      ...linePrefixes.map(lineRule),
      blockRule(/^```([\w+#.-]*)\s$/, "code_block", createCode),
      blockRule(/^---$/, "divider", () => ({})),
      blockRule(/^\$\$$/, "equation", () => ({ latex: "" })),
      formulaRule,
      ...(marks["reference"] ? [linkRule(marks["reference"]), addressRule(marks["reference"])] : []),
      ...inlineRules.flatMap(([find, name]) => {
        const type = marks[name];
        return type ? [markInputRule({ find, type })] : [];
      }),
    ];
  },
});
