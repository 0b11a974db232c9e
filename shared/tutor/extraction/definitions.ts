const ASKS_WHAT =
  /^\s*(?:what|who)\s+(?:is|are|was|were)\s+(?:an?\s+|the\s+)?(\p{L}[\p{L}\p{N}\s-]{1,60}?)\s*\?*\s*$|^\s*define\s+(?:an?\s+|the\s+)?(.{2,60}?)\s*[?.]*\s*$|\b(?:what)\s+(?:an?\s+|the\s+)?(.{2,40}?)\s+(?:is|are|means?)\b/iu;

/** How much more an excerpt counts that defines the term, and one that only says something of it. */
const DEFINES = 0.7;
const STATES = 0.15;

/** "is a …", "means …", "occurs when …", "is information about …", but not "is associated with …". */
const DEFINING = String.raw`(?:(?:is|are|was|were)\s+(?:commonly |generally |simply |usually |often )?(?:an?|the|any|one|when|what|how|those|where|defined|described as|\p{L}+(?:\s\p{L}+){0,2}\s(?:that|which|who|about|of|for|in which))\b|means?\b|refers?\b|occurs? when\b|happens? when\b|consists? of\b|describes?\b|examines?\b|asserts?\b|says?\b|suggests?\b|states?\b|contains?\b|involves?\b|prevents?\b|[^,.]{3,60}, that is\b)`;
const STATING = String.raw`(?:is|are|was|were|has|have|can|occurs?|happens?)\b`;
const ARTICLE = String.raw`(?:an?\s+|the\s+)?`;

/** The bonus of an excerpt that says what the thing is that was asked about: "A codon is …". */
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
    String.raw`^${ARTICLE}${named}(?:,[^,.]{1,60},|,)?\s+${DEFINING}`,
    String.raw`\b(?:called|known as|termed)\s+${ARTICLE}${named}`,
    String.raw`\b(?:is|are)\s+${ARTICLE}${named}\s*(?:,|which\b|that\b)`,
    String.raw`\b${named},\s+(?:or\s+)?(?:an?|the)\s+[^,.]{2,80}\b(?:of|that|which|done|made|between|for)\b`,
  ].map((pattern) => new RegExp(pattern, "iu"));
  // The colon of a title is followed by a capital letter.
  const afterColon = new RegExp(String.raw`${stem}s?["”]?\s*[:—–]\s*(?:\p{Ll}|(?:If|When|As|The)\b)`, "u");
  const stating = new RegExp(String.raw`^${ARTICLE}${named}\s+${STATING}`, "iu");
  return (text) => {
    const defines = defining.some((pattern) => pattern.test(text)) || afterColon.test(text);
    if (defines) return DEFINES;
    return stating.test(text) ? STATES : 0;
  };
}
