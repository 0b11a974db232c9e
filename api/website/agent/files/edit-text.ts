export interface TextEdit {
  search: string;
  replace: string;
}

const BLOCK = /<{5,9} ?SEARCH\r?\n([\s\S]*?)\r?\n?={5,9}\r?\n([\s\S]*?)\r?\n?>{5,9} ?REPLACE/g;

/** Reads search-and-replace blocks. */
export const readEdits = (body: string): TextEdit[] =>
  [...body.matchAll(BLOCK)].map(([, search = "", replace = ""]) => ({ search, replace }));

const fold = (line: string) => line.trim().replaceAll(/\s+/g, " ");

const indentOf = (line: string) => /^\s*/.exec(line)?.[0] ?? "";

/** Positions at which these lines stand, whatever their indentation. */
function findLines(lines: readonly string[], wanted: readonly string[]): number[] {
  const folded = lines.map((line) => fold(line));
  const target = wanted.map((line) => fold(line));
  const last = folded.length - target.length;
  return Array.from({ length: Math.max(0, last + 1) }, (_, at) => at).filter((at) =>
    target.every((line, index) => folded[at + index] === line),
  );
}

/** The replacement with the indentation of the place where it goes. */
function carryIndent(replace: string, search: readonly string[], found: string): string[] {
  const [from, to] = [indentOf(search.find((line) => line.trim() !== "") ?? ""), indentOf(found)];
  if (replace === "") return [];
  return replace.split("\n").map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line));
}

const wordsOf = (line: string) => new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);

/** The line that shares most words with the wanted one. */
function nearestLine(lines: readonly string[], wanted: string): number {
  const target = wordsOf(wanted);
  const score = (line: string) => [...wordsOf(line)].filter((word) => target.has(word)).length;
  const scores = lines.map((line) => score(line));
  return scores.indexOf(Math.max(...scores));
}

export type EditOutcome = { text: string } | { error: string };

/** Replaces words that stand exactly once; otherwise lines that differ only in blanks; otherwise it names the nearest line. */
export function applyEdit(text: string, { search, replace }: TextEdit): EditOutcome {
  if (search.trim() === "") return { error: "The text to search for is empty." };
  const count = text.split(search).length - 1;
  if (count === 1) return { text: text.split(search).join(replace) };
  if (count > 1) return { error: `The text to search for stands there ${count} times. Give more lines around it.` };
  const lines = text.split("\n");
  const wanted = search.split("\n");
  const [at, ...more] = findLines(lines, wanted);
  if (at !== undefined && more.length === 0) {
    const inserted = carryIndent(replace, wanted, lines[at] ?? "");
    return { text: [...lines.slice(0, at), ...inserted, ...lines.slice(at + wanted.length)].join("\n") };
  }
  if (at !== undefined)
    return { error: `These lines stand there ${more.length + 1} times. Give more lines around them.` };
  const near = nearestLine(lines, wanted.find((line) => line.trim() !== "") ?? "");
  return {
    error: `The text to search for does not stand there. The nearest line is ${near + 1}: ${lines[near] ?? ""}`,
  };
}
