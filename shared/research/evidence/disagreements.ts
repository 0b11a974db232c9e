import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";
import { amountsOf, differingUnits, isAmountWord } from "./amounts.ts";
import { addsAbsence, findOpposition, isExactlyOneNegated, type Polarity, polarityOf } from "./polarity.ts";

/** A sentence with its source. */
export interface SourceStatement {
  text: string;
  source: number;
}

interface FoundDisagreement<T extends SourceStatement> {
  kind: "figures" | "negation" | "opposites";
  /** The terms that both sentences share, as written. */
  about: string;
  sides: readonly [T, T];
}

const MIN_SHARED_TERMS = 2;
const MIN_SHARE = 0.6;
const MAX_STATEMENTS = 400;
const MAX_ABOUT_WORDS = 5;
/** If one sentence denies the other, it may have this share of further terms, relative to the shared ones. */
const MAX_FURTHER_SHARE = 0.5;
const MAX_FURTHER_SHARE_FIGURES = 2;
/** Terms with this many equal letters at the start are one term: "adult" and "adulthood". */
const MIN_COMMON_START = 5;

/** Words that do not belong to the subject of a sentence. */
const LIGHT_WORDS = new Set(
  "is are was were be been being do does did has have had can could able unable fail fails failed lack lacks with without mit ohne make makes made consist consists contain contains contained comprise comprises include includes come comes came get gets reach reaches reached amount amounts total exactly actually really indeed also only even just quite very however contrary fact known thought own whole all every each always no not never neither nor none cannot kein keine nicht niemals nie ganz etwa rund genau insgesamt besteht hat haben kann können about approximately around nearly almost roughly some circa over under least most up per long".split(
    " ",
  ),
);
const CONDITION = /(?<!\p{L})(?:if|unless|wenn|falls)(?!\p{L})/iu;
/** Events that happen more than once, and so have more than one date. */
const REPEATED =
  /(?<!\p{L})(?:won|wins?|held|host(?:s|ed)?|visit(?:s|ed)?|erupt(?:s|ed)?|elected|released?|toured|published|struck|gewann|besuchte|fand statt)(?!\p{L})/iu;

interface Prepared<T extends SourceStatement> {
  statement: T;
  terms: ReadonlyMap<string, string>;
  amounts: ReturnType<typeof amountsOf>;
  polarity: Polarity;
  isConditional: boolean;
}

function prepare<T extends SourceStatement>(statement: T): Prepared<T> {
  const words = wordsOf(statement.text).filter((word) => !LIGHT_WORDS.has(word) && !isAmountWord(word));
  return {
    statement,
    terms: new Map(words.flatMap((word) => searchTerms(word).map((term): [string, string] => [term, word]))),
    amounts: amountsOf(statement.text),
    polarity: polarityOf(statement.text),
    isConditional: CONDITION.test(statement.text),
  };
}

function isSameTerm(first: string, second: string): boolean {
  if (first === second) return true;
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  return short.length >= MIN_COMMON_START && long.startsWith(short);
}

/** The terms of a sentence that the other one lacks, without the words in which the two are opposed. */
const termsOnlyIn = <T extends SourceStatement>(
  { terms }: Prepared<T>,
  other: Prepared<T>,
  opposed: ReadonlySet<string>,
): string[] =>
  [...terms]
    .filter(([, word]) => !opposed.has(word))
    .map(([term]) => term)
    .filter((term) => !other.terms.has(term) && ![...other.terms.keys()].some((one) => isSameTerm(one, term)));

/** Whether a negation in a statement may contradict another: neither a condition nor the absence of a further thing. */
const mayDeny = (one: Prepared<SourceStatement>, other: Prepared<SourceStatement>): boolean =>
  !one.isConditional && !addsAbsence(one.polarity, other.polarity);

function kindOf<T extends SourceStatement>(first: Prepared<T>, second: Prepared<T>) {
  const opposition = findOpposition(first.polarity, second.polarity);
  const [onlyFirst, onlySecond] = [
    termsOnlyIn(first, second, opposition.words),
    termsOnlyIn(second, first, opposition.words),
  ];
  const shared = Math.min(first.terms.size - onlyFirst.length, second.terms.size - onlySecond.length);
  // If each names something that the other does not, they are about different things.
  if (onlyFirst.length > 0 && onlySecond.length > 0) return undefined;
  const isDenied = isExactlyOneNegated(first.polarity, second.polarity);
  const furtherShare = Math.max(onlyFirst.length, onlySecond.length) / shared;
  if ((opposition.oppositionCount + (isDenied ? 1 : 0)) % 2 === 1) {
    // In a longer sentence, the negation probably belongs to something else.
    if (!mayDeny(first, second) || !mayDeny(second, first) || furtherShare > MAX_FURTHER_SHARE) return undefined;
    return isDenied ? ("negation" as const) : ("opposites" as const);
  }
  const isShort = furtherShare <= MAX_FURTHER_SHARE_FIGURES;
  return opposition.oppositionCount === 0 && isShort && haveOtherFigures(first, second)
    ? ("figures" as const)
    : undefined;
}

const isDate = (unit: string) => unit === "year" || unit === "month" || unit === "day";

function haveOtherFigures(first: Prepared<SourceStatement>, second: Prepared<SourceStatement>): boolean {
  const units = differingUnits(first.amounts, second.amounts);
  // Two figures with different dates can both be right.
  if (units.some(isDate) && units.some((unit) => !isDate(unit))) return false;
  if (units.some(isDate)) return ![first, second].some(({ statement }) => REPEATED.test(statement.text));
  return units.length > 0;
}

/** The shared terms, as the first sentence writes them. */
function describeShared(first: Prepared<SourceStatement>, shared: readonly string[]): string {
  const wanted = new Set(shared);
  const words = first.statement.text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu) ?? [];
  const named = words.filter((word) => searchTerms(word).some((term) => wanted.has(term)));
  return [...new Set(named)].slice(0, MAX_ABOUT_WORDS).join(", ");
}

/**
 * Pairs of sentences from different sources that make the same statement with different figures or dates, with a
 * negation, with opposed words or with the opposite comparison. Each sentence is in one pair at most.
 */
export function findDisagreements<T extends SourceStatement>(statements: readonly T[]): FoundDisagreement<T>[] {
  const prepared = statements
    .slice(0, MAX_STATEMENTS)
    .filter(({ text }) => !text.trimEnd().endsWith("?"))
    .map(prepare);
  const found: (FoundDisagreement<T> & { share: number })[] = [];
  for (const [at, first] of prepared.entries())
    for (const second of prepared.slice(at + 1)) {
      if (first.statement.source === second.statement.source) continue;
      const shared = [...first.terms.keys()].filter((term) => second.terms.has(term));
      if (shared.length < MIN_SHARED_TERMS) continue;
      const share = shared.length / Math.max(1, Math.min(first.terms.size, second.terms.size));
      if (share < MIN_SHARE) continue;
      const kind = kindOf(first, second);
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
