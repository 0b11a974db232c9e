/** A table's rows, the header first; each cell is inline Markdown. */
export type TableRows = readonly (readonly string[])[];

const ROW = /^\|.*\|$/;
const RULE = /^\|(?:\s*:?-{3,}:?\s*\|)+$/;

const splitRow = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .trim()
        .replaceAll(String.raw`\|`, "|")
        .replaceAll("<br>", "\n"),
    );

const padCells = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => cells[index] ?? "");

/** The rows of a text that is a GitHub-style Markdown table and nothing else. */
export function parseTable(text: string): TableRows | undefined {
  if (!text.startsWith("|")) return undefined;
  const lines = text.split("\n");
  const [header, rule, ...body] = lines;
  if (header === undefined || rule === undefined || !RULE.test(rule)) return undefined;
  if (![header, ...body].every((line) => ROW.test(line))) return undefined;
  const heads = splitRow(header);
  return [heads, ...body.map((line) => padCells(splitRow(line), heads.length))];
}

const writeCell = (cell: string) =>
  cell
    .trim()
    .replaceAll(/(?<!\\)\|/g, String.raw`\|`)
    .replaceAll(/\r\n?|\n/g, "<br>");

const writeRow = (cells: readonly string[]) => `| ${cells.map(writeCell).join(" | ")} |`;

/** A table as GitHub-style Markdown. */
export function writeTable(rows: TableRows): string {
  const [header = [""], ...body] = rows;
  const rule = `| ${header.map(() => "---").join(" | ")} |`;
  return [writeRow(header), rule, ...body.map((row) => writeRow(padCells(row, header.length)))].join("\n");
}

/** The content of a text component with a table. */
export const tableContent = (rows: TableRows) => ({
  text: [{ content: writeTable(rows) }],
  subType: "normal" as const,
  metadata: { indents: 0, highlightColor: null },
});

/** The cells of a table line by line, without its rule, for search and for cards. */
export const tableToText = (rows: TableRows): string =>
  rows.map((row) => row.map((cell) => cell.replaceAll("\n", " ")).join(" | ")).join("\n");
