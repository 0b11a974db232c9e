import { writeInline } from "#shared/pages/markdown-write.ts";
import { flatRuns, type FlatRun } from "#shared/pages/runs.ts";
import { tableContent } from "#shared/pages/tables.ts";

type Style = Omit<FlatRun, "content">;
type Attribute = keyof NonNullable<FlatRun["attributes"]>;

const attributeOfTag: Readonly<Record<string, Attribute>> = {
  B: "bold",
  STRONG: "bold",
  I: "italic",
  EM: "italic",
  U: "underline",
  S: "strikethrough",
  DEL: "strikethrough",
  CODE: "inline_code",
};
const LINE_TAGS = /^(?:P|DIV|LI|BR|H[1-6])$/;

function extendStyle(element: HTMLElement, style: Style): Style {
  const attribute = attributeOfTag[element.tagName];
  const isNormal = ["normal", "400"].includes(element.style.fontWeight);
  const href = element.tagName === "A" ? (element.getAttribute("href") ?? "") : "";
  return {
    ...style,
    ...(attribute && !isNormal ? { attributes: { ...style.attributes, [attribute]: true } } : {}),
    ...(/^https?:\/\//i.test(href) ? { reference: { kind: "link" as const, target: href } } : {}),
  };
}

function readRuns(node: Node, style: Style): FlatRun[] {
  return [...node.childNodes].flatMap((child): FlatRun[] => {
    if (child instanceof HTMLElement) {
      if (child.dataset["latex"] !== undefined) return [{ content: `$${child.dataset["latex"]}$`, ...style }];
      const runs = readRuns(child, extendStyle(child, style));
      return LINE_TAGS.test(child.tagName) ? [{ content: "\n" }, ...runs] : runs;
    }
    return [{ content: (child.textContent ?? "").replaceAll(/\s+/g, " "), ...style }];
  });
}

/** A cell as inline Markdown. */
const readCell = (cell: Element): string =>
  writeInline(flatRuns(readRuns(cell, {})))
    .replaceAll(/\\?\n|<br>/g, "\n")
    .replaceAll(/[ \t]*\n[ \t\n]*/g, "\n")
    .trim();

const isFilled = (cells: readonly Element[]) => cells.some((cell) => cell.textContent.trim() !== "");

/** A table with one row or column is used for layout only, so each row becomes a line. */
function unwrapTable(table: HTMLTableElement, rows: readonly Element[][]): void {
  const lines = rows.map((cells) => {
    const line = document.createElement("p");
    for (const cell of cells.filter((candidate) => isFilled([candidate])))
      line.append(...(line.hasChildNodes() ? [" | "] : []), ...cell.childNodes);
    return line;
  });
  table.replaceWith(...lines);
}

/** Replaces tables of other programs with the element that a table of a page is parsed from. */
export function rewriteTables(body: HTMLElement): void {
  for (const table of body.querySelectorAll("table")) {
    const rows = [...table.querySelectorAll("tr")].map((row) => [...row.querySelectorAll("td, th")]).filter(isFilled);
    const width = Math.max(0, ...rows.map((cells) => cells.length));
    if (rows.length < 2 || width < 2) {
      unwrapTable(table, rows);
      continue;
    }
    const texts = rows.map((cells) =>
      Array.from({ length: width }, (_, column) => (cells[column] ? readCell(cells[column]) : "")),
    );
    const block = document.createElement("div");
    block.dataset["component"] = "text";
    block.dataset["content"] = JSON.stringify(tableContent(texts));
    table.replaceWith(block);
  }
}
