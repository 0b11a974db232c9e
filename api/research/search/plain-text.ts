import { parseHTML } from "#api/outside/parse-html.ts";

/** The text of a fragment of HTML or JATS, without its markup. */
export function stripMarkup(fragment: string): string {
  if (!/[<&]/.test(fragment)) return fragment.replaceAll(/\s+/g, " ").trim();
  const { document } = parseHTML(`<html><body>${fragment}</body></html>`);
  return (document.body.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

const MAX_ABSTRACT_CHARS = 50_000;
/** Bounded, because otherwise the time for tags without an end would grow with the square of their number. */
const HEADING = /<(h\d|jats:title|title)(?:\s[^>]{0,200})?>(.{1,200}?)<\/\1>/gi;
const END_OF_PARAGRAPH = /<\/(?:jats:)?(?:p|sec)>/gi;

/** The text of an abstract with one line for each paragraph, and its headings as in wiki text. */
export function readAbstract(fragment: string): string {
  return fragment
    .slice(0, MAX_ABSTRACT_CHARS)
    .replaceAll(/\s+/g, " ")
    .replaceAll(HEADING, (_whole, _tag, heading: string) => `\n== ${stripMarkup(heading)} ==\n`)
    .replaceAll(END_OF_PARAGRAPH, "\n")
    .split("\n")
    .map(stripMarkup)
    .filter((line) => line !== "" && !/^== (?:abstract)? ?==$/i.test(line))
    .join("\n");
}
