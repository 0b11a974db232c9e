/** Shorter words must match exactly, because one other letter makes another word. */
export const MIN_TYPO_CHARS = 4;

/** Number of typos that a word may have. */
export const allowedTypos = (word: string) => (word.length < MIN_TYPO_CHARS ? 0 : word.length > 7 ? 2 : 1);
