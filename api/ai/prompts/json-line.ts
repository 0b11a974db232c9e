/**
 * A value as one line of JSON, so that no text in it can break out of it. U+2028 and U+2029, which JSON leaves as they
 * are, end a line for some readers.
 */
export const toJsonLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
