import { escapeSpreadsheetFormulas } from "#shared/csv.ts";
import { truncateText } from "./truncate-text.ts";
import type { Flashcard } from "./schema.ts";

type Sides = Pick<Flashcard, "question" | "answer"> & { tags?: string[] | undefined };
export type TextFormat = "csv" | "tsv" | "markdown" | "quizlet";

const MAX_ROWS = 20_000;
const MAX_TEXT = 20_000;

/** One field: quoted, with doubled quotes inside, or everything up to the next separator or line end. */
const fieldPattern = (separator: string) =>
  new RegExp(`"((?:[^"]|"")*)"([^${separator}\\n]*)|([^${separator}\\n]*)`, "y");

/**
 * Rows of a separated text as in RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180): quoted fields may contain the
 * separator, doubled quotes and line ends.
 */
export function readRows(text: string, separator: string): string[][] {
  const clean = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const field = fieldPattern(separator);
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex <= clean.length && rows.length < MAX_ROWS) {
    const at = field.lastIndex;
    const [, quotedText, rest = "", plainText = ""] = field.exec(clean) ?? [];
    row.push(quotedText === undefined ? plainText : quotedText.replaceAll('""', '"') + rest);
    const end = quotedText === undefined ? at + plainText.length : at + quotedText.length + 2 + rest.length;
    if (clean[end] !== separator) {
      if (row.some((one) => one.trim() !== "")) rows.push(row);
      row = [];
    }
    field.lastIndex = end + 1;
  }
  return rows;
}

const HEADER = /^(?:question|front|term|word|frage|begriff)$/i;
const TABLE_RULE = /^(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$/;
const isTableRule = (line: string) => TABLE_RULE.test(line.trim());

/** The cells of a line of a Markdown table; `\|` is a literal bar. */
const splitCells = (line: string) =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .trim()
        .replaceAll(String.raw`\|`, "|")
        .replaceAll(/<br\s*\/?>/gi, "\n"),
    );

/** The separator behind the first column's name, or else the one that most lines contain. */
function detectSeparator(text: string): string {
  const [, name = "", named] = /^\uFEFF?"?([^\t;,"\r\n]+)"?([\t;,])/.exec(text) ?? [];
  if (named !== undefined && HEADER.test(name.trim())) return named;
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 50);
  const linesWith = (sign: string) => lines.filter((line) => line.includes(sign)).length;
  const [best] = ["\t", ";", ","].toSorted((a, b) => linesWith(b) - linesWith(a));
  return best !== undefined && linesWith(best) > 0 ? best : "\t";
}

const splitRows = (text: string): string[][] => {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => isTableRule(line) && line.includes("|"))) {
    // Quizlet exports may separate the sides with dashes, one card per line.
    const isDashed = lines
      .filter((line) => line.trim() !== "")
      .every((line) => / - /.test(line) && !line.includes("\t"));
    return isDashed
      ? lines
          .filter((line) => line.trim() !== "")
          .map((line) => [line.slice(0, line.indexOf(" - ")), line.slice(line.indexOf(" - ") + 3)])
      : readRows(text, detectSeparator(text));
  }
  return lines.filter((line) => line.includes("|") && !isTableRule(line)).map(splitCells);
};

/**
 * Cards of a text: CSV, TSV, a Markdown table, or a Quizlet export. Rows without both sides are counted in `leftOut`.
 */
export function readTextDeck(text: string): { cards: Sides[]; leftOut: number } {
  const rows = splitRows(text);
  const [first] = rows;
  const hasHeader = first !== undefined && HEADER.test((first[0] ?? "").trim());
  const body = hasHeader ? rows.slice(1) : rows;
  const readSide = (side: string) =>
    truncateText((hasHeader ? side.replaceAll(GUARDED_SEMICOLON, ";") : side).trim(), MAX_TEXT);
  const cards = body.flatMap(([question = "", answer = "", tags = ""]): Sides[] => {
    const sides = { question: readSide(question), answer: readSide(answer) };
    if (sides.question === "" || sides.answer === "") return [];
    const named = tags
      .split(/[\s,]+/)
      .filter(Boolean)
      .slice(0, 50)
      .map((tag) => truncateText(tag, 100));
    return [{ ...sides, ...(named.length > 0 ? { tags: named } : {}) }];
  });
  return { cards, leftOut: body.length - cards.length };
}

const quoteField = (value: string, separator: string) =>
  value.includes(separator) || /["\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/**
 * Prevents CSV injection: a space keeps what a spreadsheet would run as a formula a text. Reading a deck of ours takes it
 * out again.
 */
const escapeFormula = (value: string) => (Number.isNaN(Number(value)) ? escapeSpreadsheetFormulas(value, " ") : value);

/** The space that `escapeFormula` puts after a semicolon; the one at the start is trimmed. */
const GUARDED_SEMICOLON = /; (?= *[=+\-@＝＋－＠])/gu;

const cell = (value: string) => value.replaceAll("|", String.raw`\|`).replaceAll(/\r?\n/g, "<br>");

const oneLine = (value: string) => value.replaceAll(/\s+/g, " ").trim();

/** The deck as text: columns Question and Answer, and Tags if there are any. */
export function writeTextDeck(cards: readonly Sides[], format: TextFormat): string {
  const hasTags = cards.some((card) => (card.tags?.length ?? 0) > 0);
  const head = hasTags ? ["Question", "Answer", "Tags"] : ["Question", "Answer"];
  const rows = cards.map(({ question, answer, tags = [] }) =>
    hasTags ? [question, answer, tags.join(" ")] : [question, answer],
  );
  // Quizlet supports neither quotes nor headings: one card per line, a tab between its sides.
  if (format === "quizlet")
    return cards.map(({ question, answer }) => `${oneLine(question)}\t${oneLine(answer)}\n`).join("");
  if (format === "markdown") {
    const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
    return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n") + "\n";
  }
  const separator = format === "csv" ? "," : "\t";
  return (
    [head, ...rows]
      .map((row) => row.map((one) => quoteField(escapeFormula(one), separator)).join(separator))
      .join("\r\n") + "\r\n"
  );
}
