import { Editor, Extension, Mark, Node } from "@tiptap/core";
import { history } from "@tiptap/pm/history";

const LINES = 50;

const Doc = Node.create({ name: "doc", topNode: true, content: "paragraph+" });
const Text = Node.create({ name: "text" });
const Paragraph = Node.create({
  name: "paragraph",
  content: "text*",
  parseHTML: () => [{ tag: "p" }],
  renderHTML: () => ["p", { class: "line" }, 0],
});
const Bold = Mark.create({ name: "bold", parseHTML: () => [{ tag: "strong" }], renderHTML: () => ["strong", 0] });
const History = Extension.create({ name: "history", addProseMirrorPlugins: () => [history()] });

const paragraph = (i: number) => ({
  type: "paragraph",
  content: [{ type: "text", text: `A line of text with the number ${i}` }],
});

/** A baseline on the same rich-text library: paragraphs, bold and undo only. */
export const plainEditor = new Editor({
  element: document.body.appendChild(document.createElement("div")),
  extensions: [Doc, Paragraph, Text, Bold, History],
  content: { type: "doc", content: Array.from({ length: LINES }, (_, i) => paragraph(i)) },
});
