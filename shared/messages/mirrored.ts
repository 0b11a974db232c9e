const OVERRIDE = "\u202E";
const END = "\u202C";

/** A message as pseudo right-to-left text: every word reversed and a third longer. */
export const mirrorMessage = (message: string): string =>
  message.replaceAll(
    /\p{L}+/gu,
    (word) => `${OVERRIDE}${word}${word.length > 3 ? "\u00B7".repeat(Math.round(word.length / 3)) : ""}${END}`,
  );
