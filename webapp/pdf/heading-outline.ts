import type { Passage } from "#shared/pdf/schema.ts";
import { headingWriter } from "#shared/text/capitals.ts";
import type { OutlineEntry } from "./viewer/pdf-file.ts";

/** The most entries of an outline. A longer outline would be slower to look through than the pages. */
const MAX_ENTRIES = 400;

/** Headings as an outline: each heading contains the deeper headings that follow it. */
export function nestHeadings(passages: readonly Pick<Passage, "id" | "kind" | "level" | "text" | "locator">[]) {
  const writeHeading = headingWriter(passages);
  const roots: OutlineEntry[] = [];
  const open: { level: number; children: OutlineEntry[] }[] = [{ level: 0, children: roots }];
  const headings = passages.filter(({ kind, text }) => kind === "heading" && text.trim() !== "");
  for (const { id, level = 1, text, locator } of headings.slice(0, MAX_ENTRIES)) {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const title = writeHeading(text.replaceAll(/\s+/g, " ").trim());
    const entry: OutlineEntry = { id, title, page: locator.page, children: [] };
    (open.at(-1)?.children ?? roots).push(entry);
    open.push({ level, children: entry.children });
  }
  return roots;
}
