import type { Fact } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { isEvaluating, isGeneralWord, type Term } from "../source/terms.ts";
import { posAt, wordAt } from "#shared/text/tokens.ts";
import { isFinite } from "#shared/text/verbs.ts";
import { phraseKey } from "#shared/text/words.ts";

/** "the actual set", "the value xn": an emphasised adjective or a symbol. */
const isMeaningless = (written: string) => isEvaluating(written.toLowerCase()) || /^\p{Ll}{1,2}\d?$/u.test(written);

/** Where a blank can be, and its term. */
export interface BlankPosition {
  start: number;
  end: number;
  term: Term;
  /** Whether the sentence is about the term, so that the blank has few other answers. */
  isSpecific: boolean;
}

/** "was not ____ into y": a participle isn't a name, even if emphasised. */
function isParticiple({ tokens }: Fact, index: number, size: number): boolean {
  const before = tokens[index - 1];
  const word = posAt(tokens, index);
  return (
    size === 1 &&
    word === "VERB" &&
    (before?.pos === "AUX" || /^(?:to|not|n['’]t|they|we|it)$/.test(before?.lower ?? ""))
  );
}

/** Part of a longer name makes a wrong blank: "immune" in "immune system", "cell" in "stem cell". */
export function isWholePhrase(fact: Fact, first: number, last: number): boolean {
  const { tokens } = fact;
  if (HONORIFIC.test(wordAt(tokens, last))) return false;
  if (
    /^(?:ADJ|NOUN|PROPN)$/.test(posAt(tokens, first - 1)) ||
    /^(?:NOUN|PROPN|ADJ|DET|NUM)$/.test(posAt(tokens, last + 1))
  )
    return false;
  // "____ of the heart" and an item of an enumeration have too many right answers.
  const isItem = isListWord(wordAt(tokens, first - 1)) && isListWord(wordAt(tokens, last + 1));
  return !isItem && !endsList(fact, first) && !/^(?:of|than)$/.test(wordAt(tokens, last + 1));
}

/** "the code, the rules, and ____": the last of three items. */
function endsList({ tokens }: Fact, first: number): boolean {
  if (!/^(?:and|or)$/.test(wordAt(tokens, first - 1))) return false;
  // ", or true fungi" is a synonym if no comma precedes it.
  const comma = tokens.slice(0, first - 2).findLastIndex((t) => t.text === ",");
  return comma > 1 && first - comma < 9 && !tokens.some((_, i) => i > comma && i < first && isFinite(tokens, i));
}

const HONORIFIC = /^(?:mr|mrs|ms|dr|prof|st|sir|lady|lord|uncle|aunt)\.?$/;

const isListWord = (word: string) => word === "," || word === "and" || word === "or";

/** A word with a lower weight is frequent, but no term. */
const MIN_BLANK_WEIGHT = 0.5;

/** A single common word makes a good blank only if the sentence is about it. */
function isSpecific(fact: Fact, first: number, { key, weight }: Term): boolean {
  if (isGeneralWord(key)) return false;
  if (key.includes(" ")) return true;
  if (weight < MIN_BLANK_WEIGHT) return false;
  const before = fact.tokens[first - 1]?.lower ?? "";
  return first < 5 && !/^(?:some|many|most|several|few|other|all|in|of|for|to|from|by|with|on)$/.test(before);
}

/** The terms of a sentence that can be blanked. */
export function findBlankPositions(fact: Fact, lexicon: Lexicon): BlankPosition[] {
  const positions: BlankPosition[] = [];
  const emphasised = new Set(fact.emphasised.map(phraseKey));
  for (let i = 0; i < fact.tokens.length; i++) {
    const matches = termsStartingAt(fact, i, lexicon);
    // "the results section" with "results" emphasised: the emphasised word is the name.
    const best = matches.find(({ key }) => emphasised.has(key)) ?? matches[0];
    if (!best) continue;
    const { key, size, term, ...position } = best;
    if (
      isParticiple(fact, i, size) ||
      isMeaningless(fact.text.slice(position.start, position.end)) ||
      (!emphasised.has(key) && containsMarked(fact, i, size, emphasised))
    )
      continue;
    if ((emphasised.has(key) && !isWithinName(fact, i + size)) || isWholePhrase(fact, i, i + size - 1))
      positions.push({ ...position, term, isSpecific: emphasised.has(key) || isSpecific(fact, i, term) });
    i += size - 1;
  }
  return positions;
}

/** "the Harbour Office | Form": the name continues. */
const isWithinName = ({ tokens }: Fact, end: number) =>
  posAt(tokens, end - 1) === "PROPN" && posAt(tokens, end) === "PROPN";

/** "the triplet reading frame" with "reading frame" emphasised. */
const containsMarked = ({ tokens, text }: Fact, from: number, size: number, emphasised: ReadonlySet<string>) =>
  [...emphasised].some((key) => {
    const words = key.split(" ").length;
    const starts = Array.from({ length: size }, (_, offset) => from + offset).slice(1);
    return starts.some(
      (i) => i + words <= from + size && phraseKey(text.slice(tokens[i]?.start, tokens[i + words - 1]?.end)) === key,
    );
  });

/** The terms that start at this word, longest first. */
function termsStartingAt(fact: Fact, i: number, lexicon: Lexicon) {
  const most = Math.min(5, fact.tokens.length - i);
  return Array.from({ length: most }, (_, offset) => most - offset).flatMap((size) => {
    const part = fact.tokens.slice(i, i + size);
    const start = part[0]?.start ?? 0;
    const end = part.at(-1)?.end ?? 0;
    const key = phraseKey(fact.text.slice(start, end));
    const term = part.some((t) => t.pos === "PUNCT") ? undefined : lexicon.terms.byKey(key);
    return term ? [{ start, end, key, size, term }] : [];
  });
}
