import { Extension, InputRule, markInputRule } from "@tiptap/core";
import type { MarkType } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { findBlockAt } from "../chunks.ts";
import { insertBlock } from "../commands.ts";
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

/** Replaces the whole line with a component block. */
const blockRule = (find: RegExp, type: string, content: Record<string, unknown>) =>
  new InputRule({
    find,
    handler: ({ state, range }) => {
      const block = findBlockAt(state.selection.$from);
      if (!block || block.node.content.size > range.to - range.from) return null;
      const { tr } = state;
      tr.delete(range.from, range.to);
      tr.setSelection(TextSelection.create(tr.doc, range.from));
      requestFieldFocus(type);
      insertBlock({ id: null, type, content })(state);
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

/** Markdown input rules; Backspace right afterwards reverts them. */
export const markdownInputRules = Extension.create({
  name: "markdown_typing",
  addInputRules() {
    const { marks } = this.editor.schema;
    return [
      ...linePrefixes.map(lineRule),
      blockRule(/^```$/, "code_block", { code: "", language: "" }),
      blockRule(/^---$/, "divider", {}),
      blockRule(/^\$\$$/, "equation", { latex: "" }),
      ...(marks["reference"] ? [linkRule(marks["reference"])] : []),
      ...inlineRules.flatMap(([find, name]) => {
        const type = marks[name];
        return type ? [markInputRule({ find, type })] : [];
      }),
    ];
  },
});
