import { PARAGRAPH_CONNECTIVE } from "./excerpts.ts";

const ASKS_WHAT =
  /^\s*(?:what|who)\s+(?:is|are|was|were)\s+(?:an?\s+|the\s+)?(\p{L}[\p{L}\p{N}\s-]{1,60}?)\s*\?*\s*$|^\s*(?:define|explain|describe)\s+(?:an?\s+|the\s+)?(.{2,60}?)\s*[?.]*\s*$|^\s*what\s+(?:do|does|did)\s+(?:an?\s+|the\s+)?(.{2,40}?)\s+do\b|\b(?:what)\s+(?:an?\s+|the\s+)?(.{2,40}?)\s+(?:is|are|means?)\b/iu;

/** The bonus for an excerpt that defines the term, and for one that only makes a statement about it. */
const DEFINITION_BONUS = 0.7;
const STATEMENT_BONUS = 0.15;

/** "is a …", "means …", "occurs when …", "is information about …", but not "is associated with …". */
const DEFINING = String.raw`(?:(?:is|are|was|were)\s+(?:commonly |generally |simply |usually |often |sometimes |also )?(?:an?|the|any|one|when|what|how|those|where|defined|described as|called|known as|responsible for|\p{L}+(?:\s\p{L}+){0,2}\s(?:that|which|who|about|of|for|in which))\b|means?\b|refers?\b|occurs? when\b|happens? when\b|consists? of\b|describes?\b|examines?\b|asserts?\b|says?\b|suggests?\b|states?\b|contains?\b|involves?\b|prevents?\b|(?:aims?|seeks?) to\b|[^,.]{3,60}, that is\b)`;
const STATING = String.raw`(?:is|are|was|were|occurs?|happens?)\b`;
/** Excludes a term after a preposition: "Unlike memory, the …". */
const UNGOVERNED = String.raw`(?<!\b(?:unlike|like|in|of|with|from|for|by|to|at|on|during|under|than)\s+(?:an?\s+|the\s+)?)`;
const ARTICLE = String.raw`(?:an?\s+|the\s+)?`;

/** Whether a bonus is the bonus of a definition. */
export const isDefinition = (bonus: number): boolean => bonus >= DEFINITION_BONUS;

/** The bonus of an excerpt that defines the term of the question: "A codon is …". */
export function definitionBonus(question: string): (text: string) => number {
  const groups = ASKS_WHAT.exec(question);
  const term = groups?.slice(1).find((group) => group !== undefined);
  if (term === undefined) return () => 0;
  const stem = term
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .replace(/(?<=[^s])s$/u, "")
    .replaceAll(/[\s-]+/gu, String.raw`[\s-]+`);
  const named = String.raw`["“]?${stem}(?:e?s)?["”]?(?:\s+\([^)]*\))?`;
  const defining = [
    String.raw`^${PARAGRAPH_CONNECTIVE}?${ARTICLE}${named}(?:\s+or\s+["“]?[^,.]{2,30}?)?(?:,[^,.]{1,60},|,)?["”]?\s+${DEFINING}`,
    String.raw`\b(?:called|known as|termed)\s+${ARTICLE}${named}`,
    String.raw`\brefer(?:s|red)? to\s[^.;]{3,120}?\sas\s+${ARTICLE}${named}`,
    String.raw`\b(?:is|are)\s+${ARTICLE}${named}\s*(?:,\s+(?:an?|which|that|in which)\b|which\b|that\b)`,
    String.raw`${UNGOVERNED}(?<!-\p{L}+\s)\b${named},\s+(?:or\s+)?(?:an?|the)\s+[^,.]{2,80}\b(?:of|that|which|done|made|between|for)\b`,
  ].map((pattern) => new RegExp(pattern, "iu"));
  // The colon of a title is followed by a capital letter. "A type of memory: it stores …" defines that type.
  const after = String.raw`\s*(?:\p{Ll}|(?:If|When|As|The)\b)`;
  const afterColon = new RegExp(
    String.raw`(?<!\b(?:type|kind|form|part|example)s? of (?:\p{L}+ )?)${stem}s?["”]?\s*:${after}|${UNGOVERNED}${stem}s?["”]?\s*[—–]${after}`,
    "u",
  );
  const stating = new RegExp(String.raw`^${ARTICLE}${named}(?:,[^,.]{1,60},)?\s+${STATING}`, "iu");
  return (text) => {
    const defines = defining.some((pattern) => pattern.test(text)) || afterColon.test(text);
    if (defines) return DEFINITION_BONUS;
    return stating.test(text) ? STATEMENT_BONUS : 0;
  };
}
