import { Mark, Node, type Extensions } from "@tiptap/core";
import type { DOMOutputSpec, Node as PmNode } from "@tiptap/pm/model";
import { isColor } from "#shared/pages/runs.ts";
import { Formula } from "./formula.ts";
import { readComponentBlock, readListItem, readTextBlock } from "./parse-dom.ts";
import { readPictureMarker } from "./clipboard/pasted-pictures.ts";

const Doc = Node.create({ name: "doc", topNode: true, content: "chunk+" });

/** Groups about 25 blocks that the browser can skip together while off screen; never stored or copied. */
const Chunk = Node.create({
  name: "chunk",
  content: "block+",
  renderHTML: () => ["div", { class: "page-chunk" }, 0],
});

const tags: Record<string, string> = { heading_1: "h2", heading_2: "h3", heading_3: "h4", block_quote: "blockquote" };

function textAttributes(node: PmNode): Record<string, string> {
  const { subType, indents, highlightColor } = node.attrs as {
    subType: string;
    indents: number;
    highlightColor: string | null;
  };
  return {
    class: "page-text",
    dir: "auto",
    "data-sub-type": subType,
    ...(indents > 0 ? { "data-indents": String(indents), style: `--indents: ${indents}` } : {}),
    ...(highlightColor ? { "data-highlight": highlightColor } : {}),
    // Numbering levels repeat after eight, which is the number of CSS counters.
    ...(subType.startsWith("list_") ? { "data-level": String(indents % 8) } : {}),
  };
}

function renderText(node: PmNode): DOMOutputSpec {
  const subType = String(node.attrs["subType"]);
  const attributes = textAttributes(node);
  if (!subType.startsWith("list_checkbox")) return [tags[subType] ?? "p", attributes, 0];
  const isChecked = subType === "list_checkbox_checked";
  const box = {
    class: "page-checkbox",
    contenteditable: "false",
    role: "checkbox",
    "aria-checked": String(isChecked),
    "aria-label": node.textContent.slice(0, 80) || "To do",
  };
  return ["div", attributes, ["span", box], ["div", { class: "page-checkbox-text" }, 0]];
}

const createAttribute = (value: unknown) => ({ default: value, rendered: false });

const TextBlock = Node.create({
  name: "text_block",
  group: "block",
  content: "inline*",
  addAttributes: () => ({
    id: { ...createAttribute(null), keepOnSplit: false },
    subType: createAttribute("normal"),
    indents: createAttribute(0),
    highlightColor: createAttribute(null),
  }),
  parseHTML: () => [
    { tag: "[data-sub-type]", getAttrs: readTextBlock },
    { tag: "li", getAttrs: readListItem },
    ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"].map((tag) => ({ tag, getAttrs: readTextBlock })),
  ],
  renderHTML: ({ node }) => renderText(node),
});

/** Every block that is not text: decks, files, dividers, and types this version does not know. */
export const ComponentBlock = Node.create({
  name: "component_block",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    id: { ...createAttribute(null), keepOnSplit: false },
    type: createAttribute("divider"),
    content: createAttribute({}),
  }),
  parseHTML: () => [
    { tag: "[data-component]", getAttrs: readComponentBlock },
    { tag: "pre", preserveWhitespace: "full", getAttrs: readComponentBlock },
    { tag: "hr", getAttrs: readComponentBlock },
    { tag: "[data-picture]", getAttrs: readPictureMarker },
  ],
  renderHTML: ({ node }) => {
    const { id, type, content } = node.attrs as { id: string; type: string; content: unknown };
    return ["div", { "data-component": type, "data-id": id, "data-content": JSON.stringify(content) }];
  },
});

const TextNode = Node.create({ name: "text", group: "inline" });

const HardBreak = Node.create({
  name: "hard_break",
  group: "inline",
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: "br" }],
  renderHTML: () => ["br"],
  renderText: () => "\n",
});

type Styled = string | HTMLElement;
/** Word processors wrap copied text in a `b` with normal weight. */
const rejectNormalWeight = (source: Styled) =>
  typeof source !== "string" && ["normal", "400"].includes(source.style.fontWeight) ? false : null;

/** Google Docs uses inline styles instead of tags. */
const styles: Record<string, { style: string; pattern: RegExp }> = {
  bold: { style: "font-weight", pattern: /^(?:bold(?:er)?|[6-9]00)$/ },
  italic: { style: "font-style", pattern: /^italic$/ },
  underline: { style: "text-decoration", pattern: /underline/ },
  strikethrough: { style: "text-decoration", pattern: /line-through/ },
};

const createFlagMark = (name: string, tag: string, otherTags: string[] = []) =>
  Mark.create({
    name,
    parseHTML: () => [
      ...[tag, ...otherTags].map((parsedTag) => ({
        tag: parsedTag,
        ...(name === "bold" ? { getAttrs: rejectNormalWeight } : {}),
      })),
      ...(styles[name]
        ? [
            {
              style: styles[name].style,
              consuming: false,
              getAttrs: (value: string) => (styles[name]?.pattern.test(value) ? null : (false as const)),
            },
          ]
        : []),
    ],
    renderHTML: () => [tag, 0],
  });

const Color = Mark.create({
  name: "color",
  addAttributes: () => ({ color: createAttribute("") }),
  renderHTML: ({ mark }) => {
    const color = String(mark.attrs["color"]);
    return ["span", isColor(color) ? { class: "page-color", style: `--run-color: ${color}` } : {}, 0];
  },
});

const isAddress = (href: string) => /^(https?:\/\/|mailto:|\/(?!\/))/i.test(href);

const Reference = Mark.create({
  name: "reference",
  inclusive: false,
  addAttributes: () => ({ kind: createAttribute("link"), target: createAttribute("") }),
  parseHTML: () => [
    {
      tag: "a[href]",
      getAttrs: (dom) => {
        const target = dom.getAttribute("data-target") ?? dom.getAttribute("href") ?? "";
        const kind = dom.getAttribute("data-reference") ?? "link";
        return kind !== "link" || isAddress(target) ? { kind, target } : false;
      },
    },
  ],
  renderHTML: ({ mark }) => {
    const { kind, target } = mark.attrs as { kind: string; target: string };
    const shown = { class: "page-reference", "data-reference": kind, "data-target": target };
    if (kind === "page_tag") return ["a", { ...shown, href: `/page/${encodeURIComponent(target)}` }, 0];
    if (kind !== "link" || !isAddress(target)) return ["a", shown, 0];
    return ["a", { ...shown, href: target, target: "_blank", rel: "noopener noreferrer nofollow" }, 0];
  },
});

/** All nodes and marks of a page; the order of the marks is their nesting order. */
export const documentNodes: Extensions = [
  Doc,
  Chunk,
  TextBlock,
  ComponentBlock,
  TextNode,
  Formula,
  HardBreak,
  Reference,
  createFlagMark("bold", "strong", ["b"]),
  createFlagMark("italic", "em", ["i"]),
  createFlagMark("underline", "u"),
  createFlagMark("strikethrough", "s", ["del", "strike"]),
  Color,
  createFlagMark("inline_code", "code"),
];
