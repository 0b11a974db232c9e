import { asAnswer, type Candidate, wordCount } from "./candidates.ts";
import type { LayoutBlock } from "../layout/block-classes.ts";
import type { Fact } from "../source/facts.ts";
import type { Section } from "../source/sections.ts";
import { contentStems } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A fact for a table cell, a formula or a point, which has no sentence around it. */
export function structureFact(passage: Passage, order: number): Fact {
  const { text } = passage;
  return {
    passage,
    start: 0,
    end: text.length,
    original: text,
    text,
    label: undefined,
    tokens: [],
    clause: undefined,
    isSelfContained: true,
    needsContext: false,
    isExample: false,
    emphasised: [],
    previous: undefined,
    next: undefined,
    order,
    isPart: false,
    parts: [],
  };
}

const cellsOf = (text: string) => text.split(/\s*[|\t]\s*/u).map((cell) => cell.trim());

/** The rows of each table of a section, with the caption above it. */
function tablesOf(blocks: readonly LayoutBlock[]): { title: string; rows: Passage[] }[] {
  const tables: { title: string; rows: Passage[] }[] = [];
  let currentRows: Passage[] | undefined;
  let title = "";
  for (const { passage, blockClass } of blocks) {
    if (blockClass === "table_row") {
      if (currentRows === undefined) {
        currentRows = [];
        tables.push({ title, rows: currentRows });
      }
      currentRows.push(passage);
    } else {
      currentRows = undefined;
      title = blockClass === "caption" ? passage.text.trim() : "";
    }
  }
  return tables;
}

const MAX_CELL_WORDS = 12;
const MAX_CARDS_PER_TABLE = 6;
/** A quote spans at most this many rows. */
const MAX_QUOTE_ROWS = 7;
/** A row or column is named by words, not by code or formulas. */
const NAMES_SOMETHING = /^[^:=;∑∏∫√\\{}<>$]*\p{L}{2}[^:=;∑∏∫√\\{}<>$]*$/u;
/** The rows of a PDF are reconstructed from its lines, so a short run may not be a table. */
const MIN_PDF_TABLE_ROWS = 4;

/** A table that makes sense cell by cell: the same number of short cells in every row, each row and column named. */
function isGrid(rows: readonly string[][]): boolean {
  const [head = [], ...body] = rows;
  if (body.length < 2 || head.length < 2 || head.length > 8) return false;
  if (rows.some((cells) => cells.length !== head.length || cells.some((cell) => wordCount(cell) > MAX_CELL_WORDS)))
    return false;
  const names = body.map(([name = ""]) => name);
  const columns = head.slice(1);
  return (
    new Set(names).size === names.length &&
    new Set(columns).size === columns.length &&
    [...names, ...columns].every((name) => NAMES_SOMETHING.test(name) && wordCount(name) <= 8)
  );
}

/** "Cost of a query: What is listed under “Array” for “Find element”?" for the cells of a table. */
function askCells(title: string, table: readonly Passage[], order: number): Candidate[] {
  if (table[0]?.locator.rect !== undefined && table.length < MIN_PDF_TABLE_ROWS) return [];
  const rows = table.slice(0, MAX_QUOTE_ROWS).map((row) => cellsOf(row.text));
  if (!isGrid(rows)) return [];
  const [head = [], ...body] = rows;
  const topic = title === "" || wordCount(title) > 12 ? "" : `${title.replace(/[\s.:]+$/, "")}: `;
  const found = body.flatMap((cells, row) =>
    cells.slice(1).flatMap((cell, i): Candidate[] => {
      const [name = "", column = ""] = [cells[0], head[i + 1]];
      const sameCells = body.filter((bodyRow) => bodyRow[i + 1] === cell).length;
      const passage = table[row + 1];
      if (passage === undefined || cell === "" || sameCells === body.length || !/[\p{L}\p{N}]/u.test(cell)) return [];
      const fact = structureFact(passage, order + (row + 1) / 100 + i / 1000);
      const quote = table
        .slice(0, row + 2)
        .map(({ text }) => text)
        .join(" ");
      const question = `${topic}What is listed under “${column}” for “${name}”?`;
      return [{ style: "cell", question, answer: asAnswer(cell), fact, quote }];
    }),
  );
  const step = Math.max(1, found.length / MAX_CARDS_PER_TABLE);
  return found.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, MAX_CARDS_PER_TABLE);
}

const SIMPLE_LEFT = /^\s*[\p{L}][\p{L}\d_,]{0,12}\s?(?:\([^()=]{1,24}\)|\[[^[\]=]{1,24}\])?$/u;
/** The remains of exponents, indices and limits after parsing; a single 6 is often a misread Greek letter. */
const BROKEN_FORMULA = /[\t∑∏∫⋃⋂√ˆ]|\p{L}\d|[)\]]\d|\d \d|[)\]] ?[)\]]? [\p{L}\d]+$|(?:^|\s)6(?:\s|$)/u;

/** The text of a formula that is complete on its line; undefined if part of it may be missing. */
function completeFormula(text: string): string | undefined {
  const latex = /^\$\$\s*([^$]{3,160}?)\s*\$\$\.?$/.exec(text.trim())?.[1];
  if (latex !== undefined) return /\\(?:begin|\\)/.test(latex) ? undefined : `$${latex}$`;
  const bare = text.trim().replace(/[.,;]$/, "");
  const [left = "", right = ""] = bare.split("=", 2);
  const isComplete =
    SIMPLE_LEFT.test(left.trim()) && /\p{L}/u.test(right) && !BROKEN_FORMULA.test(bare) && bare.length < 80;
  return isComplete && bare.split("=").length === 2 ? bare : undefined;
}

const FORMULA_INTRODUCTION =
  /^(?=.{20,220}$)[^$]*\b(?:we have|defined (?:as|by)|given by|is|equals|as|formula|by)(?: (?:follows|the following))?\s?:$/is;

const REFERS_BACK = /\b(?:this|these|it|its|they|their|we get|above|below)\b/i;

/** The sentence that introduces a formula, if it ends its passage and is clear without the text before it. */
function findFormulaLead(above: Passage, facts: readonly Fact[]): Fact | undefined {
  const lead = facts.findLast((fact) => fact.passage === above);
  if (lead === undefined || lead.end < above.text.trimEnd().length || /[=∈∑×\\{]/.test(above.text)) return undefined;
  const isSelfContained =
    /^["“]?\p{Lu}/u.test(lead.original) && !REFERS_BACK.test(lead.original) && contentStems(lead.original).length > 1;
  return isSelfContained && FORMULA_INTRODUCTION.test(lead.original) ? lead : undefined;
}

/** "The load factor is defined as:" with the formula below it. */
function askFormulas(blocks: readonly LayoutBlock[], facts: readonly Fact[]): Candidate[] {
  return blocks.flatMap(({ passage, blockClass }, i): Candidate[] => {
    const above = blocks[i - 1];
    const formula = blockClass === "formula" ? completeFormula(passage.text) : undefined;
    const isSplit = above?.blockClass === "formula" || blocks[i + 1]?.blockClass === "formula";
    const lead =
      formula === undefined || above === undefined || isSplit ? undefined : findFormulaLead(above.passage, facts);
    if (formula === undefined || lead === undefined) return [];
    const fact = structureFact(passage, lead.order + 0.5);
    const question = `${lead.original} ____`;
    return [{ style: "formula", question, answer: formula, fact, quote: `${lead.original} ${passage.text}` }];
  });
}

/** Cards for the tables and formulas of a section. */
export function askStructures(section: Section, facts: readonly Fact[], firstOrder: number): Candidate[] {
  const order = facts.at(-1)?.order ?? firstOrder;
  const tables = tablesOf(section.blocks);
  return [
    ...askFormulas(section.blocks, facts),
    ...tables.flatMap(({ title, rows }, i) => askCells(title || section.title, rows, order + (i + 1) / 10)),
  ];
}
