/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** The words in a run of letters, with their positions. Only a script without spaces gives more than one word. */
export function splitUnspaced(run: string): { segment: string; index: number }[] {
  return isUnspaced(run) ? [...segmenter.segment(run)] : [{ segment: run, index: 0 }];
}

/** Chinese, Japanese or Thai with spaces between the words; any other text as it is. */
export const spaceWords = (text: string): string =>
  isUnspaced(text) ? [...segmenter.segment(text)].map(({ segment }) => segment).join(" ") : text;

/** How many words a text has, also in a script without spaces. */
export const countWordsOfAnyScript = (text: string): number =>
  spaceWords(text)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
