import { readTable } from "#shared/pages/document.ts";
import { lexInline, parseInline } from "#shared/pages/markdown-inline.ts";
import type { Component, TextContent } from "#shared/pages/schema.ts";
import type { TableRows } from "#shared/pages/tables.ts";
import { t } from "#shared/messages/translate.ts";
import { Runs } from "#webapp/ui/formatted-text.tsx";

const headings = { heading_1: "h2", heading_2: "h3", heading_3: "h4" } as const;

function SharedTable({ rows: [header = [], ...body] }: { rows: TableRows }) {
  return (
    <div className="shared-table" role="region" aria-label={t("pages.table")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col" dir="auto">
                <Runs runs={parseInline(lexInline(cell))} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} dir="auto">
                  <Runs runs={parseInline(lexInline(cell))} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A text block as in the editor; `number` is its position in an ordered list. */
export function SharedText({ content, number }: { content: TextContent; number: number }) {
  const table = readTable(content);
  if (table) return <SharedTable rows={table} />;
  const { subType, metadata } = content;
  const runs = <Runs runs={content.text} />;
  const textProps = {
    dir: "auto" as const,
    className: `shared-text shared-${subType}`,
    "data-highlight": metadata.highlightColor ?? undefined,
    style: metadata.indents > 0 ? { marginInlineStart: `${metadata.indents * 1.5}rem` } : undefined,
  };
  if (subType === "heading_1" || subType === "heading_2" || subType === "heading_3") {
    const Heading = headings[subType];
    return <Heading {...textProps}>{runs}</Heading>;
  }
  if (subType === "block_quote") return <blockquote {...textProps}>{runs}</blockquote>;
  const listMarker = listMarkerOf(subType, number, metadata.indents);
  return (
    <p {...textProps}>
      {listMarker !== undefined && <span className="shared-mark">{listMarker}</span>}
      <span className="shared-line">{runs}</span>
    </p>
  );
}

/** Numbering as in the editor: digits, letters, Roman numerals, repeating. */
function listMarkerOf(subType: TextContent["subType"], number: number, indents: number): string | undefined {
  if (subType === "list_ordered") return `${toNumeral(number, indents)}.`;
  if (subType === "list_unordered") return "•";
  if (subType === "list_checkbox_checked") return "☑";
  return subType === "list_checkbox_unchecked" ? "☐" : undefined;
}

const ROMAN = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
] as const;

function toRoman(number: number): string {
  const [value, letters] = ROMAN.find(([roman]) => roman <= number) ?? [0, ""];
  return value === 0 ? "" : letters + toRoman(number - value);
}

function toLetters(number: number): string {
  const [before, last] = [Math.floor((number - 1) / 26), (number - 1) % 26];
  return (before > 0 ? toLetters(before) : "") + String.fromCodePoint(97 + last);
}

/** Numbering styles repeat after eight levels, as in the editor. */
function toNumeral(number: number, indents: number): string {
  const kind = (indents % 8) % 3;
  // Like browsers, uses digits above 3999, because there are no larger Roman numerals.
  if (kind === 0 || number > 3999) return String(number);
  return kind === 1 ? toLetters(number) : toRoman(number);
}

/** Each block's number in its ordered list, by indent. */
export function numberListItems(components: readonly Component[]): number[] {
  const counts = new Map<number, number>();
  return components.map((component) => {
    const indents = component.type === "text" ? component.content.metadata.indents : 0;
    const isOrdered = component.type === "text" && component.content.subType === "list_ordered";
    for (const depth of counts.keys()) if (depth > indents || (!isOrdered && depth === indents)) counts.delete(depth);
    if (!isOrdered) return 0;
    const number = (counts.get(indents) ?? 0) + 1;
    counts.set(indents, number);
    return number;
  });
}
