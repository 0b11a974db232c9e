import { wordsOf } from "#shared/engine/words.ts";

const DISCOURSE =
  /^(?:however|therefore|thus|hence|moreover|furthermore|in addition|additionally|consequently|nevertheless|nonetheless|in fact|indeed|instead|finally|similarly|likewise|in general|generally|in other words|as a result|for this reason|of course|interestingly|importantly|notably|also|again|overall|on the other hand|in contrast|by contrast|conversely|meanwhile|then|next|first|second|third|for (?:example|instance)|specifically|in particular|typically|usually|basically|essentially|clearly|obviously|today|more specifically|strictly speaking|simply put|note that|recall that|it is important to note that|it should be noted that|remember that|yet|but|and|so|still|now|ultimately|eventually|subsequently|in turn|at first|in short|in brief|in summary|to summarize|rather|accordingly),?\s+(?=\S)/i;

const BARE_DISCOURSE =
  /^(?:first|second|third|then|next|again|generally|typically|usually|today|now|still|rather|so|indeed|also|overall|instead)\s+[^,]/i;

/** Up to this many characters between brackets count as an aside. */
const ASIDE = /\s*(?:\([^()]{0,160}\)|\[[^[\]]{0,80}\])/g;

/** A heading that the reader of the file glued to the text under it: "Early LifeThe first cells". */
const GLUED_TITLE =
  /^[^.?!]{3,90}?\p{Ll}{2}(?=(?:The|A|An|In|When|If|It|This|These|Some|Many|Most|All|As|At|For|One) \p{Ll})/u;

const TRAILING_POINTER =
  /,? (?:(?:as|and is|and are|which is|which are) )?(?:shown|seen|illustrated|depicted|described|pictured|listed|summarized) in (?:the )?(?:figure|fig\.|table)s?[\s\d.]*(?=[.,;])/gi;
const TRAILING_ADDRESS = /, (?:where|which|as|because|so|and|but|when|since|if) (?:we|you) [^.;]*(?=[.;]|$)/;

/** "Forensic ScientistForensic science is": two title words and the first word of the text run into the second. */
const GLUED = /^\p{Lu}\p{L}+ (?:\p{L}+ ){0,5}?\p{Lu}?\p{Ll}{3,}\p{Lu}\p{Ll}+ \p{Ll}/u;

function dropOpening(text: string): string {
  let rest = text;
  for (let i = 0; i < 3; i++) {
    const match = BARE_DISCOURSE.test(rest) ? null : DISCOURSE.exec(rest);
    const needsComma = match && !match[0].includes(",") && !/^(?:note|recall|remember|it) /i.test(match[0]);
    if (!match || (needsComma && !/^(?:but|and|yet|so) /i.test(match[0]))) break;
    rest = rest.slice(match[0].length);
  }
  return rest;
}

/** A sentence without asides, escapes and opening connectives: what a card is made of. The quote stays as it stood. */
export function cleanSentence(raw: string): string {
  let text = raw.replace(/\\(?=[^\p{L}\p{N}\s])/gu, "").replace(/\s+/g, " ");
  text = text.replace(ASIDE, "").replace(ASIDE, "");
  text = text.replace(GLUED_TITLE, "");
  text = text.replace(TRAILING_POINTER, "").replace(TRAILING_ADDRESS, "");
  text = text.replace(
    /^(?:as|like) (?:shown|seen|illustrated|depicted|described|mentioned|noted|discussed|stated)[^,]{0,60}, /i,
    "",
  );
  text = text.replace(/^(?:\d{1,2}[.)]|[•◦▪‣–*-])\s+/, "");
  text = text.replace(/\s+([.,;:!?])/g, "$1").replace(/,(?:\s*,)+/g, ",").replace(/(\p{L})(["”])\d{1,3}(?=\s|$)/gu, "$1$2");
  // Footnote marks: a small figure glued to the word before a stop.
  text = text.replace(/(\p{Ll}{3,}[.,])\d{1,3}(?=\s|$)/gu, "$1").trim();
  const kept = dropOpening(text);
  return /^\p{Ll}+(?:\s|,)/u.test(kept) && /^\p{Lu}|^(?:as|like) /u.test(raw)
    ? kept.charAt(0).toUpperCase() + kept.slice(1)
    : kept;
}

export function isExample(raw: string): boolean {
  return /^(?:for (?:example|instance)|suppose|imagine|consider)\b/i.test(raw);
}

const OPENS_ON_ANOTHER =
  /^(?:it|its|this|these|those|that|they|their|them|such|he|his|she|her|another|others?|both|neither|either|each of (?:these|them|which)|all of (?:these|them)|some of (?:these|them)|one of (?:these|them)|one|some|many|most|several|few|two|the (?:other|others|former|latter|same|above|following|first|second|third|fourth|fifth|next|last|final|previous|resulting|remaining|rest|two|three|four|latter|term|word|name|answer|question|reader|author|result|results|example|reason|idea|point|fact|case|image|process|study|authors?|students?)|here|there|what|why|how|who|where|which|perhaps|maybe|yes|no|not|like|as (?:mentioned|described|noted|stated|seen|shown|discussed|you)|again|so|then|thanks|see|note)\b/i;
/** Openers from the list above that are safe when more follows. */
const SAFE_OPENING =
  /^(?:(?:some|many|most|several|few|two|both|all|each|one of the|one) (?!of (?:these|them|which)|such|other|more|are|is|can|have|will|may|was|were|do|does)\p{L}|the (?:term|word|process|name|first|last|two|three|four|second|third|result|reason) (?:\p{L}+ )?(?:of|for|by|in|that|to)\b|(?:such as|like|as|what) )/iu;
const PERSONAL =
  /\b(?:we|we’re|we've|us|our|ours|you|you’re|your|yours|me|my|mine|let’s|let's)\b|\bI (?:am|was|have|had|do|did|will|would|can|think|know|see|saw|want|use)\b|\bI['’](?:m|ve|ll|d)\b/i;
const POINTS_AWAY =
  /\b(?:figures?|fig\.|tables?|chapters?|(?:this|next|previous|following|earlier|later|last) sections?|section \d|above|below|earlier in|previously|as follows|following (?:example|figure|table|section)|it (?:is|was) (?:helpful|useful|important|necessary|worth|clear|possible|interesting)|(?:following|this|our|later|earlier) discussion|(?:be|is|are) (?:discussed|examined|explored|covered) (?:in|later|next|below|here)|not just|this (?:book|text|course|lecture|paper|article|site|video|link|animation|interactive|module|unit|lesson|handout|document)|click|website|video|animation|page \d+|slide|photo(?:graph)?|pictured|et al|ibid|theorem \d|lemma \d|eq\.)\b|\[\d|_{2,}|\.{3}|…/i;
const BACKWARD =
  /\b(?:these|those)\b(?! (?:that|who|which|of|in|with|from|whose|found|used))|\bthis\b|\b(?:this|these|those|such) (?:is|are|was|were|can|means|makes?)\b|\b(?:these|those|this) \p{Ll}+|\b(?:the (?:former|latter)|aforementioned|likewise|mentioned|the other|another)\b/iu;

/** Why a cleaned sentence cannot stand on a card, or undefined when it can. */
export function refuseSentence(text: string): "context" | "address" | "noise" | undefined {
  const words = wordsOf(text);
  if (words.length < 5 || words.length > 50) return "noise";
  if (!/^["“‘']?[\p{Lu}\p{N}]|^\p{Ll}{1,2}\p{Lu}/u.test(text) || /[?!]["”]?$/.test(text) || !/[.:]["”’]?$/.test(text))
    return "noise";
  const letters = text.match(/[\p{L}\s]/gu)?.length ?? 0;
  if (letters < text.length * 0.85 || /[=∑∫√≤≥→←∂∇θλµ∈]|\p{L}\d{2,}\p{L}/u.test(text)) return "noise";
  if (hasLooseQuotes(text) || GLUED.test(text)) return "noise";
  if (PERSONAL.test(text)) return "address";
  if (POINTS_AWAY.test(text)) return "context";
  if (OPENS_ON_ANOTHER.test(text) && !SAFE_OPENING.test(text)) return "context";
  return undefined;
}

/** Points back to another sentence from within; still fit for a blank when that sentence comes along. */
export function pointsBack(text: string): boolean {
  return BACKWARD.test(text);
}

function hasLooseQuotes(text: string): boolean {
  const opened = text.match(/[“«]/g)?.length ?? 0;
  const closed = text.match(/[”»]/g)?.length ?? 0;
  return opened !== closed || (text.match(/"/g)?.length ?? 0) % 2 === 1;
}
