/** A completion finishes a sentence, never a paragraph. */
export const MAX_COMPLETION_WORDS = 30;
/** Shorter lines give too little context. */
const MIN_CHARS = 8;

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;

/** How many words of a completion count against the daily limit. */
export const countWords = (text: string): number => text.match(WORD)?.length ?? 0;

/** Whether a completion should be requested for a line. */
export function canComplete(line: string): boolean {
  return line.trim().length >= MIN_CHARS && countWords(line) >= 2 && !/[.!?:;。！？]\s*$/.test(line);
}

/** The first word of a completion, with the space before it, for accepting word by word. */
export function takeFirstWord(text: string): string {
  return /^\s*\S+/.exec(text)?.[0] ?? text;
}

/** Cuts a completion at the word limit and at the end of its line. */
export function trimCompletion(text: string, maxWords: number): string {
  const line = text.split(/\r?\n/)[0] ?? "";
  const limit = Math.min(maxWords, MAX_COMPLETION_WORDS);
  let words = 0;
  for (const match of line.matchAll(/\S+/g)) {
    words += 1;
    if (words === limit) return line.slice(0, match.index + match[0].length);
  }
  return line.trimEnd();
}

/** The part of a completion that can be appended to the text: without a repeated line or a second space. */
export function joinCompletion(before: string, completion: string): string {
  const tail = before.slice(before.lastIndexOf("\n") + 1).trimStart();
  const repeated = tail.length >= MIN_CHARS && completion.trimStart().startsWith(tail.trimEnd());
  const addition = repeated ? completion.trimStart().slice(tail.trimEnd().length) : completion;
  return /\s$/.test(before) ? addition.trimStart() : addition;
}
