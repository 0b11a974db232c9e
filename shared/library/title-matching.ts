import { UNSPACED } from "#shared/text/search-terms.ts";
import { matchesPrefix } from "#shared/text/edit-distance.ts";
import { allowedTypos } from "./allowed-typos.ts";
import { foldText } from "#shared/text/fold-text.ts";

const WORD = /[\p{L}\p{N}]+/gu;
/** A title or a query, normalised once so that it can be compared at every keystroke. */
export interface FoldedText {
  whole: string;
  words: readonly string[];
}

export function foldTitle(title: string): FoldedText {
  const whole = foldText(title).trim();
  return { whole, words: whole.match(WORD) ?? [] };
}

/** Whether a word or its beginning matches a typed word with typos. */
function isNear(typed: string, word: string): boolean {
  const maxTypos = allowedTypos(typed);
  return maxTypos > 0 && word[0] === typed[0] && matchesPrefix(typed, word, maxTypos);
}

/** All words of the titles by their first letter. */
export type Vocabulary = ReadonlyMap<string, ReadonlySet<string>>;

export function buildVocabulary(titles: Iterable<FoldedText>): Vocabulary {
  const vocabulary = new Map<string, Set<string>>();
  for (const { words } of titles)
    for (const word of words) {
      const [first = ""] = word;
      const known = vocabulary.get(first);
      if (known) known.add(word);
      else vocabulary.set(first, new Set([word]));
    }
  return vocabulary;
}

/** For typed words, the words that may have been meant. */
export type TypoCandidates = ReadonlyMap<string, ReadonlySet<string>>;

/** Undefined if no typed word is similar to a word of a title. */
export function findTypoCandidates({ words }: FoldedText, vocabulary: Vocabulary): TypoCandidates | undefined {
  const candidates = new Map<string, ReadonlySet<string>>();
  for (const typed of words) {
    const [first = ""] = typed;
    const near = [...(vocabulary.get(first) ?? [])].filter((word) => isNear(typed, word));
    if (near.length > 0) candidates.set(typed, new Set(near));
  }
  return candidates.size > 0 ? candidates : undefined;
}

/** A title that contains the whole query is better than any in which only each word matches. */
const WHOLE_QUERY_BONUS = 10;

/** How well one typed word fits a title: 4 prefix of the title, 3 prefix of a word, 2 inside, 1 similar, 0 not. */
function scoreWord(typed: string, { whole, words }: FoldedText, candidates: TypoCandidates | undefined): number {
  if (whole.startsWith(typed)) return 4;
  if (whole.includes(typed)) return words.some((word) => word.startsWith(typed)) ? 3 : 2;
  const near = candidates?.get(typed);
  return near && words.some((word) => near.has(word)) ? 1 : 0;
}

/** Like `scoreTitle`, but for normalised texts; without `candidates` no typos are allowed. */
export function scoreFolded(typed: FoldedText, title: FoldedText, candidates?: TypoCandidates): number {
  if (typed.whole === "") return 0;
  if (title.whole.includes(typed.whole)) return WHOLE_QUERY_BONUS + scoreWord(typed.whole, title, undefined);
  let least = Number.POSITIVE_INFINITY;
  for (const word of typed.words) {
    least = Math.min(least, scoreWord(word, title, candidates));
    if (least === 0) return 0;
  }
  return Number.isFinite(least) ? least : 0;
}

/**
 * How well a title fits a query: every word must match as a prefix, inside a word, or with a typo or two. 0 means no
 * match; higher is better. Ignores case and diacritics.
 */
export function scoreTitle(query: string, title: string): number {
  const [typed, foldedTitle] = [foldTitle(query), foldTitle(title)];
  return scoreFolded(typed, foldedTitle, findTypoCandidates(typed, buildVocabulary([foldedTitle])));
}

interface Range {
  from: number;
  to: number;
}

function wordRanges(text: string, isMatch: (bare: string) => boolean): Range[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    isMatch(foldText(word)) ? [{ from: index, to: index + word.length }] : [],
  );
}

/** In scripts without spaces a match may start anywhere. */
function unspacedRanges(text: string, queryWords: readonly string[]): Range[] {
  const ranges: Range[] = [];
  for (const word of queryWords)
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
      ranges.push({ from: at, to: at + word.length });
  return ranges;
}

/** Ranges of a text that match a query: as word prefixes, otherwise with typos. */
function matchRanges(text: string, query: string): Range[] {
  const unspacedWords = (query.normalize("NFC").match(WORD) ?? []).filter((word) => UNSPACED.test(word));
  const queryWords = (foldText(query).match(WORD) ?? []).filter((word) => word.length > 1 && !UNSPACED.test(word));
  // The last letter may differ, because a plural or another ending is the same word.
  const isPrefixMatch = (bare: string) =>
    queryWords.some(
      (queryWord) => bare.startsWith(queryWord) || (queryWord.length > 4 && bare.startsWith(queryWord.slice(0, -1))),
    );
  const exact = [...wordRanges(text, isPrefixMatch), ...unspacedRanges(text, unspacedWords)];
  const found =
    exact.length > 0 ? exact : wordRanges(text, (bare) => queryWords.some((queryWord) => isNear(queryWord, bare)));
  return found.toSorted((a, b) => a.from - b.from);
}

/** Splits a text into pieces so that words matching the query can be highlighted. */
export function highlightMatches(text: string, query: string): { text: string; isMatch: boolean }[] {
  const pieces: { text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const { from, to } of matchRanges(text, query)) {
    if (from < at) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), isMatch: false });
    pieces.push({ text: text.slice(from, to), isMatch: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces;
}

/** The part of a long text around its first match, cut at word boundaries. */
export function cutSnippet(text: string, query: string, length = 180): string {
  if (text.length <= length) return text;
  const pieces = highlightMatches(text, query);
  const first = pieces[0]?.isMatch === false && pieces.length > 1 ? pieces[0].text.length : 0;
  const from = Math.max(0, Math.min(first - Math.floor(length / 3), text.length - length));
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const end = Math.max(text.lastIndexOf(" ", start + length), start + length / 2);
  const isEnd = start + length >= text.length;
  return `${start > 0 ? "… " : ""}${isEnd ? text.slice(start) : text.slice(start, end)}${isEnd ? "" : " …"}`;
}
