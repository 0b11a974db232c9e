/** "Messenger RNA (mRNA)": captures the words before the brackets, and the abbreviation. */
const INTRODUCED = /((?:[\p{L}\p{N}]+[ -]){1,6})\(((?=\p{L}*\p{Lu}\p{L}*\p{Lu})[\p{L}\p{N}]{2,8}?)s?\)/gu;
const SMALL_WORD = /^(?:of|and|the|for|in|to|a)$/iu;
/** An abbreviation replaces its long form if the texts use it at least this many times as often. */
const MIN_RATIO = 2;

const lettersOf = (word: string) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.charAt(0));

/** The words at the end of a text that an abbreviation stands for: "messenger RNA" for "mRNA"; undefined if none. */
function longFormOf(before: string, short: string): string | undefined {
  const words = before.trim().split(/[ -]/);
  for (let start = words.length - 1; start >= 0; start -= 1) {
    const long = words.slice(start);
    const letters = long.filter((word) => !SMALL_WORD.test(word)).map(lettersOf);
    if (long.length > 1 && letters.join("").toLowerCase() === short.toLowerCase()) return long.join(" ");
  }
  return undefined;
}

function findAbbreviations(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const text of texts)
    for (const [, before = "", short = ""] of text.matchAll(INTRODUCED)) {
      const long = longFormOf(before, short);
      if (long !== undefined) found.set(short, long.toLowerCase());
    }
  return found;
}

const countIn = (texts: readonly string[], pattern: RegExp) =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);

const wholeWords = (phrase: string, flags: string) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${phrase.replaceAll(" ", "[ -]")}s?(?![\p{L}\p{N}])`, flags);

/**
 * A question with the abbreviation or the long form that the texts use: "mRNA" for "messenger RNA", if they introduce it
 * and then hardly use the long form, and the other way round.
 */
export function withUsualForms(question: string, texts: readonly string[]): string {
  let written = question;
  for (const [short, long] of findAbbreviations(texts)) {
    const [isShort, isLong] = [wholeWords(short, "gu"), wholeWords(long, "giu")];
    const [shorts, longs] = [countIn(texts, isShort), countIn(texts, isLong)];
    if (shorts >= longs * MIN_RATIO) written = written.replaceAll(isLong, short);
    else if (longs >= shorts * MIN_RATIO) written = written.replaceAll(isShort, long);
  }
  return written;
}
