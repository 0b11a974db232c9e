import { isGeneralWord } from "./terms.ts";

export interface Label {
  name: string;
  /** The text after the label. */
  text: string;
}

const LABELLED = /^((?:the |an? )?[\p{L}\p{N}][\p{L}\p{N}'’ /-]{1,48}?)\s*(?::|\s[–—-])\s+(\S.{7,500})$/iu;
const NOT_A_LABEL =
  /^(?:to-?do|fixme|question|background|hypothesis|step|notes?|examples?|answer|results?|conclusion|figure|table|sources?|credit|tip|warning|critical|important|caution|remarks?|definition|see|also|summary|aim|objective|method|materials|procedure|data|problem|solution|proof|theorem|chapter|section|part|author|date|page|file(?:name)?|path|url|links?|source|input|output|version|usage|syntax|default|email|tel|phone|keywords?|abstract|assumptions?|setting|algorithm|types?|symptoms|remedies|estimation|vocabulary|test your \w+|analyze your \w+|draw a \w+|(?:\p{L}+ )?(?:chapter|part|section|unit|lesson|module|appendix|article|volume|book|step|phase|week|day|experiment|study|case|exercise|figure|table|example|problem|question|theorem|lemma|algorithm|assumption) (?:\d+|[ivx]+|[a-z])|given|hints?|claim|to (?:prove|show|find)|required|construction|idea|goal|intuition)$/iu;

/** "Isthmus: a narrow strip of land": a definition in notes. */
export function readLabel(text: string): Label | undefined {
  const match = LABELLED.exec(text);
  const name = match?.[1]?.trim() ?? "";
  const explanation = match?.[2] ?? "";
  const words = name.split(" ");
  const hasVerb = words.some((w) =>
    /^(?:is|are|was|were|has|have|include|includes|can|may|will|that|which|and)$/.test(w),
  );
  if (!match || words.length > 5 || hasVerb) return undefined;
  return {
    name,
    text: explanation.charAt(0).toUpperCase() + explanation.slice(1) + (/[.:?!]$/.test(explanation) ? "" : "."),
  };
}

/** Whether the label is a term rather than part of the page's layout. */
export function isTermLabel(name: string): boolean {
  const words = name.toLowerCase().split(" ");
  // "Left box: all subjects": part of a picture.
  if (/^(?:the )?(?:left|right|top|bottom|upper|lower|middle|first|second|third)\b/i.test(name)) return false;
  // "Remove a package: dpkg --purge": a task.
  if (/^(?!(?:the|an?|of|on|in|for|to) )\p{L}+ (?:an?|the|your) /iu.test(name)) return false;
  // "data2: the source of it": an identifier of a program.
  return (
    !NOT_A_LABEL.test(name) && !/^\p{Ll}+\d/u.test(name) && !words.every((w) => isGeneralWord(w)) && words.length < 5
  );
}
