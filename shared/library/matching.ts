import search from "approx-string-match";

const MARKS = /\p{M}/gu;

/** Letters without case and without marks over them, so that "Zürich" is found by "zurich". */
export const folded = (text: string) => text.normalize("NFKD").replace(MARKS, "").toLocaleLowerCase();

const WORD = /[\p{L}\p{N}]+/gu;
/** Words that short are not guessed at: another letter is another word. */
const MIN_GUESSED = 4;

/** How well one word that was typed fits a title: 4 the whole title's beginning, 3 a word's, 2 within, 1 nearly, 0 not. */
function fit(typed: string, title: string, words: readonly string[]): number {
  if (title.startsWith(typed)) return 4;
  if (words.some((word) => word.startsWith(typed))) return 3;
  if (title.includes(typed)) return 2;
  if (typed.length < MIN_GUESSED) return 0;
  const errors = typed.length > 7 ? 2 : 1;
  const isNear = (word: string) =>
    word[0] === typed[0] &&
    search(word.slice(0, typed.length + errors), typed, errors).some(({ start }) => start === 0);
  return words.some(isNear) ? 1 : 0;
}

/**
 * How well a title fits what was typed: every word must fit somewhere, as a beginning, within, or with a letter or two
 * wrong. 0 where it does not; higher is better. Case and marks over letters do not count.
 */
export function titleFit(query: string, title: string): number {
  const typed = folded(query).trim();
  const whole = folded(title);
  if (typed === "") return 0;
  const words = whole.match(WORD) ?? [];
  if (whole.includes(typed)) return 10 + fit(typed, whole, words);
  const fits = (typed.match(WORD) ?? []).map((word) => fit(word, whole, words));
  return fits.length === 0 || fits.includes(0) ? 0 : Math.min(...fits);
}

/** A text in pieces, those that begin with a word of the query apart: what a reader's eye looks for. */
export function markHits(text: string, query: string): { text: string; isHit: boolean }[] {
  const wanted = (folded(query).match(WORD) ?? []).filter((word) => word.length > 1);
  const pieces: { text: string; isHit: boolean }[] = [];
  let at = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const bare = folded(word);
    // A plural or another ending is the same word to whoever searches.
    const isHit = wanted.some((one) => bare.startsWith(one) || (one.length > 4 && bare.startsWith(one.slice(0, -1))));
    if (!isHit) continue;
    if (index > at) pieces.push({ text: text.slice(at, index), isHit: false });
    pieces.push({ text: word, isHit: true });
    at = index + word.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isHit: false });
  return pieces;
}

/** The stretch of a long text around its first hit, cut at words. */
export function snippet(text: string, query: string, length = 180): string {
  if (text.length <= length) return text;
  const pieces = markHits(text, query);
  const first = pieces[0]?.isHit === false && pieces.length > 1 ? pieces[0].text.length : 0;
  const from = Math.max(0, Math.min(first - Math.floor(length / 3), text.length - length));
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const end = Math.max(text.lastIndexOf(" ", start + length), start + length / 2);
  const isEnd = start + length >= text.length;
  return `${start > 0 ? "… " : ""}${isEnd ? text.slice(start) : text.slice(start, end)}${isEnd ? "" : " …"}`;
}
