/** Characters of context on each side of the quote. */
const CONTEXT_CHARS = 160;

/** The text before and after the quote, cut at word boundaries; empty if the passage does not contain it. */
export function quoteContext(passage: string, quote: string): { before: string; after: string } {
  const at = passage.indexOf(quote);
  if (at === -1 || quote === "") return { before: "", after: "" };
  const end = at + quote.length;
  let before = passage.slice(Math.max(0, at - CONTEXT_CHARS), at);
  let after = passage.slice(end, end + CONTEXT_CHARS);
  if (at > CONTEXT_CHARS) before = `… ${before.slice(before.indexOf(" ") + 1)}`;
  if (end + CONTEXT_CHARS < passage.length) after = `${after.slice(0, Math.max(0, after.lastIndexOf(" ")))} …`;
  return { before, after };
}
