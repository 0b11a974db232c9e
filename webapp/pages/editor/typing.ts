import { Extension, InputRule, markInputRule } from "@tiptap/core";
import type { MarkType } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { blockAround } from "./chunks.ts";
import { insertBlock } from "./commands.ts";
import { askToWriteIn } from "./write-in.ts";

/** What stands at the start of a line, followed by a space, makes the line this kind. */
const lineMarks: [RegExp, string][] = [
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
      const block = blockAround(state.selection.$from);
      if (!block || block.node.attrs["subType"] === subType) return null;
      state.tr.delete(range.from, range.to).setNodeAttribute(block.pos, "subType", subType);
      return undefined;
    },
  });

/** The whole line turns into a block of its own. */
const blockRule = (find: RegExp, type: string, content: Record<string, unknown>) =>
  new InputRule({
    find,
    handler: ({ state, range }) => {
      const block = blockAround(state.selection.$from);
      if (!block || block.node.content.size > range.to - range.from) return null;
      const { tr } = state;
      tr.delete(range.from, range.to);
      tr.setSelection(TextSelection.create(tr.doc, range.from));
      askToWriteIn(type);
      insertBlock({ id: null, type, content })(state);
      return undefined;
    },
  });

const inlineMarks: [RegExp, string][] = [
  [/(?:^|\s)(\*\*(?!\s)([^*]+)\*\*)$/, "bold"],
  [/(?:^|\s)(__(?!\s)([^_]+)__)$/, "bold"],
  [/(?:^|\s)(\*(?![\s*])([^*]+)\*)$/, "italic"],
  [/(?:^|\s)(~~(?!\s)([^~]+)~~)$/, "strikethrough"],
  [/(?:^|[^`])(`([^`]+)`)$/, "inline_code"],
];

/** `[words](address)`, as markdown writes a link. */
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

/** Markdown turns into what it means while it is typed; Backspace right after takes that back. */
export const markdownTyping = Extension.create({
  name: "markdown_typing",
  addInputRules() {
    const { marks } = this.editor.schema;
    return [
      ...lineMarks.map(lineRule),
      blockRule(/^```$/, "code_block", { code: "", language: "" }),
      blockRule(/^---$/, "divider", {}),
      blockRule(/^\$\$$/, "equation", { latex: "" }),
      ...(marks["reference"] ? [linkRule(marks["reference"])] : []),
      ...inlineMarks.flatMap(([find, name]) => {
        const type = marks[name];
        return type ? [markInputRule({ find, type })] : [];
      }),
    ];
  },
});
