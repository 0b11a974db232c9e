import type { Node as PmNode } from "@tiptap/pm/model";
import { readTable } from "#shared/pages/document.ts";
import { tableToText } from "#shared/pages/tables.ts";
import { leafText } from "./formula.ts";

/** The plain text of a line or of a table; empty for any other block. */
export function readBlockText(node: PmNode): string {
  if (node.isTextblock) return node.textBetween(0, node.content.size, "\n", leafText);
  const content = node.attrs["content"] as Record<string, unknown> | undefined;
  const rows = node.attrs["type"] === "text" && content ? readTable(content) : undefined;
  return rows ? tableToText(rows) : "";
}
