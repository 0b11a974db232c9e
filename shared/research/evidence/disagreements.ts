import { searchTerms } from "#shared/text/search-terms.ts";
import { stem, wordsOf } from "#shared/text/words.ts";
import { figuresOf, hasNegation } from "./verify.ts";

/** A sentence with the source that says it. */
export interface SourceStatement {
  text: string;
  source: number;
}

interface FoundDisagreement<T extends SourceStatement> {
  kind: "figures" | "negation" | "opposites";
  /** The terms that both share, as written. */
  about: string;
  sides: readonly [T, T];
}

const MIN_SHARED_TERMS = 3;
const MIN_SHARE_FIGURES = 0.6;
const MIN_SHARE_WORDS = 0.65;
const MAX_STATEMENTS = 400;
const MAX_ABOUT_WORDS = 5;

const OPPOSITES = [
  ["increase", "decrease"],
  ["increases", "decreases"],
  ["increased", "decreased"],
  ["higher", "lower"],
  ["highest", "lowest"],
  ["more", "less"],
  ["more", "fewer"],
  ["larger", "smaller"],
  ["largest", "smallest"],
  ["faster", "slower"],
  ["before", "after"],
  ["inside", "outside"],
  ["always", "never"],
  ["always", "rarely"],
  ["positive", "negative"],
  ["activates", "inhibits"],
  ["promotes", "prevents"],
  ["accept", "reject"],
  ["accepted", "rejected"],
  ["success", "failure"],
  ["safe", "dangerous"],
  ["safe", "harmful"],
  ["possible", "impossible"],
  ["true", "false"],
  ["rise", "fall"],
  ["rises", "falls"],
  ["gain", "loss"],
  ["early", "late"],
  ["earlier", "later"],
  ["north", "south"],
  ["east", "west"],
] as const;

interface Prepared<T extends SourceStatement> {
  statement: T;
  terms: ReadonlySet<string>;
  words: ReadonlySet<string>;
  figures: ReadonlyMap<string, string>;
  hasNegation: boolean;
}

const MONTHS =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)$/i;

/** Figures by what they count: "64 codons" → codon. A year counts as itself. */
function figuresByUnit(text: string): ReadonlyMap<string, string> {
  const plain = text.normalize("NFKC").replaceAll(/(?<=\d)[,\u00A0\u202F ](?=\d{3}(?!\d))/g, "");
  const units = new Map<string, string>();
  for (const [, figure = "", symbol = "", word = ""] of plain.matchAll(
    /(\d+(?:[.,]\d+)?)\s*(%|°C|°F|°|€|\$)?(?:[\s-]*(\p{L}[\p{L}]*))?/gu,
  )) {
    const isYear = /^(?:1[0-9]|20)\d\d$/.test(figure) && (word === "" || !word.endsWith("s"));
    const unit = isYear ? "year" : symbol !== "" ? symbol : MONTHS.test(word) ? "day" : stem(word.toLowerCase());
    if (unit !== "" && !units.has(unit)) units.set(unit, figure);
  }
  return units;
}

function prepare<T extends SourceStatement>(statement: T): Prepared<T> {
  const figures = new Set(figuresOf(statement.text));
  return {
    statement,
    terms: new Set(searchTerms(statement.text).filter((term) => !figures.has(term))),
    words: new Set(wordsOf(statement.text)),
    figures: figuresByUnit(statement.text),
    hasNegation: hasNegation(statement.text),
  };
}

function differingFigures(first: Prepared<SourceStatement>, second: Prepared<SourceStatement>): boolean {
  for (const [unit, figure] of first.figures) {
    const other = second.figures.get(unit);
    if (other !== undefined && other !== figure) return true;
  }
  return false;
}

const hasOpposites = ({ words: first }: Prepared<SourceStatement>, { words: second }: Prepared<SourceStatement>) =>
  OPPOSITES.some(
    ([a, b]) =>
      (first.has(a) && second.has(b) && !first.has(b) && !second.has(a)) ||
      (first.has(b) && second.has(a) && !first.has(a) && !second.has(b)),
  );

function kindOf<T extends SourceStatement>(first: Prepared<T>, second: Prepared<T>, share: number) {
  if (share >= MIN_SHARE_FIGURES && differingFigures(first, second)) return "figures" as const;
  if (share < MIN_SHARE_WORDS) return undefined;
  if (first.hasNegation !== second.hasNegation) return "negation" as const;
  return hasOpposites(first, second) ? ("opposites" as const) : undefined;
}

/** The shared terms as the first sentence writes them. */
function describeShared(first: Prepared<SourceStatement>, shared: readonly string[]): string {
  const wanted = new Set(shared);
  const words = first.statement.text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu) ?? [];
  const named = words.filter((word) => searchTerms(word).some((term) => wanted.has(term)));
  return [...new Set(named)].slice(0, MAX_ABOUT_WORDS).join(" ");
}

/**
 * Pairs of sentences from different sources about the same thing that give different figures for the same unit, deny
 * each other, or use opposed words. Each sentence appears in one pair at most.
 */
export function findDisagreements<T extends SourceStatement>(statements: readonly T[]): FoundDisagreement<T>[] {
  const prepared = statements.slice(0, MAX_STATEMENTS).map(prepare);
  const found: (FoundDisagreement<T> & { share: number })[] = [];
  for (const [at, first] of prepared.entries())
    for (const second of prepared.slice(at + 1)) {
      if (first.statement.source === second.statement.source) continue;
      const shared = [...first.terms].filter((term) => second.terms.has(term));
      if (shared.length < MIN_SHARED_TERMS) continue;
      const share = shared.length / Math.max(1, Math.min(first.terms.size, second.terms.size));
      const kind = kindOf(first, second, share);
      if (kind === undefined) continue;
      found.push({
        kind,
        about: describeShared(first, shared),
        sides: [first.statement, second.statement],
        share,
      });
    }
  const used = new Set<T>();
  return found
    .toSorted((a, b) => b.share - a.share)
    .flatMap(({ share: _share, ...pair }) => {
      if (pair.sides.some((side) => used.has(side))) return [];
      for (const side of pair.sides) used.add(side);
      return [pair];
    });
}
