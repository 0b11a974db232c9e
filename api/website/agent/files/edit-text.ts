export interface TextEdit {
  search: string;
  replace: string;
}

const BLOCK = /<{5,9} ?SEARCH\r?\n([\s\S]*?)\r?\n?={5,9}\r?\n([\s\S]*?)\r?\n?>{5,9} ?REPLACE/g;

/** Reads search-and-replace blocks. */
export const readEdits = (body: string): TextEdit[] =>
  [...body.matchAll(BLOCK)].map(([, search = "", replace = ""]) => ({ search, replace }));

const normalizeBlanks = (line: string) => line.trim().replaceAll(/\s+/g, " ");

const indentOf = (line: string) => /^\s*/.exec(line)?.[0] ?? "";

/** Positions at which these lines occur, regardless of their indentation. */
function findLines(lines: readonly string[], wanted: readonly string[]): number[] {
  const normalized = lines.map((line) => normalizeBlanks(line));
  const target = wanted.map((line) => normalizeBlanks(line));
  const last = normalized.length - target.length;
  return Array.from({ length: Math.max(0, last + 1) }, (_, start) => start).filter((start) =>
    target.every((line, index) => normalized[start + index] === line),
  );
}

/** The replacement with the indentation of the lines that it replaces. */
function reindent(replace: string, search: readonly string[], found: string): string[] {
  const [from, to] = [indentOf(search.find((line) => line.trim() !== "") ?? ""), indentOf(found)];
  if (replace === "") return [];
  return replace.split("\n").map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line));
}

const wordsOf = (line: string) => new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

/** Index of the line that shares the most words with the wanted line. */
function findNearestLine(lines: readonly string[], wanted: string): number {
  const target = wordsOf(wanted);
  const score = (line: string) => [...wordsOf(line)].filter((word) => target.has(word)).length;
  const scores = lines.map((line) => score(line));
  return scores.indexOf(Math.max(...scores));
}

export type EditOutcome = { text: string } | { error: string };

/**
 * Replaces text that occurs exactly once, otherwise lines that differ only in white space. Otherwise returns an error
 * that names the nearest line.
 */
export function applyEdit(text: string, { search, replace }: TextEdit): EditOutcome {
  if (search.trim() === "") return { error: "The text to search for is empty." };
  const count = text.split(search).length - 1;
  if (count === 1) return { text: text.split(search).join(replace) };
  if (count > 1) return { error: `The text to search for stands there ${count} times. Give more lines around it.` };
  const lines = text.split("\n");
  const wanted = search.split("\n");
  const [start, ...more] = findLines(lines, wanted);
  if (start !== undefined && more.length === 0) {
    const inserted = reindent(replace, wanted, lines[start] ?? "");
    return { text: [...lines.slice(0, start), ...inserted, ...lines.slice(start + wanted.length)].join("\n") };
  }
  if (start !== undefined)
    return { error: `These lines stand there ${more.length + 1} times. Give more lines around them.` };
  const near = findNearestLine(lines, wanted.find((line) => line.trim() !== "") ?? "");
  return {
    error: `The text to search for does not stand there. The nearest line is ${near + 1}: ${lines[near] ?? ""}`,
  };
}
