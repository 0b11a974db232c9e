/** Points at what a listener cannot see. */
const POINTS_AT_PAGE =
  /\b(?:shown|depicted|illustrated|pictured|seen|listed|plotted) (?:here|above|below|in|on|at)\b|\b(?:figure|fig\.|table|diagram|image|photo|graph|map|slide|blackboard)\b|\b(?:above|below|opposite|following)[,:.]|:$|\bclick\b/iu;
/** "The following discussion", "can be found in Appendix B", "(Eq. (1))": the listener has no pages to turn. */
const POINTS_ELSEWHERE =
  /\b(?:following|next|previous|preceding|earlier|later|last) (?:discussion|section|chapter|paragraph|example|subsection|unit|module|lesson|exercise|question)s?\b|\b(?:discussed|described|explained|mentioned|defined|introduced|given|found|covered) (?:above|below|earlier|later|previously|(?:in|at) (?:the )?(?:appendix|supplement|section|chapter|box|equation))\b|\b(?:rows?|columns?|periods?|panels?|scenarios?|examples?|problems?|exercises?|appendix|eq\.|equations?) \(?(?:\d|[A-H]\b)/iu;
/** "Due to two reasons.", "in three ways.": what they are is not said. */
const ONLY_COUNTS =
  /\b(?:two|three|four|five|six|several|some|many|various|different) (?:\p{Ll}+ )?(?:reasons|ways|points|things|questions|respects|problems|examples|steps|factors|aspects)[.!]$/iu;
/** Speaks to the people in a room: what they hear and see, who speaks, and when it begins. */
const SPEAKS_TO_ROOM =
  /^(?:alright|all right|hopefully|thanks|thank you|welcome|hello|hi|hey|sorry|oops|um|uh|laughter|applause)\b|\b(?:thanks|thank you) (?:\w+ )?for (?:coming|having|listening|watching|joining)\b|\bI(?:['’]m| am) (?:going|gonna|here|happy|glad)\b|\bI(?:['’]ll| will) (?:wait|talk|show|start|begin|explain|cover|get|come|go|try|be)\b|\byou (?:can|could) (?:all )?(?:read|see|hear)\b|\bmy (?:\w+ )?(?:slides?|hand ?writing|screen|talk|microphone)\b|\byou all\b|\b(?:subscribe|camera man|cameraman)\b/iu;

/** "To release this energy": what it means stands in the sentence before. */
const REFERS_BACK = /^(?:\S+\s){1,5}?(?:this|these|those|they|it|he|she|them)\b/iu;
/** Goes on from a sentence that the listener may not have heard. */
const GOES_ON =
  /^(?:(?:the )?subsequent(?:ly)?|(?:the )?others?|for (?:the same|this|that|these|similar) reasons?|conversely|otherwise|nevertheless|nonetheless|consequently|accordingly|furthermore|moreover|likewise|meanwhile|specifically|more specifically|in particular|in comparison|by comparison|by contrast|in sum|in short|in summary|as a consequence|as yet another|in a sense|on the one hand|on the other hand|firstly|secondly|finally|lastly|not like|as (?:we|you|I)|of course|okay|ok|so|to (?:summarize|summarise|sum up)|(?:first|second|third|next|last|yes|no|well)(?=[,:]))\b/iu;
const GOES_ON_LATER =
  /^(?!(?:if|when|once|after|before|as soon as)\b)(?:\S+ ){1,4}then\b(?! as\b)|\b(?:as well|too|either)[.!]$|,\s(?:on the (?:one|other) hand|by contrast|in contrast|however|therefore|though|for example|for instance|too)[,.]/iu;
/** "The second example is", "In the first case", "two of these": counts what was named before. */
const COUNTS_BACK =
  /^(?:in |for |with )?(?:the|our|each) (?:(?:first|second|third|next|last) (?:example|case|group|reason|kind|approach|method|step|point|question|problem|way|one)|former|latter|previous|other)\b|^(?:over|during|at|by|in) (?:that|this|the same) (?:time|period|point|case)\b/iu;
/** Only says that something will be said. */
const ANNOUNCES =
  /\b(?:as follows|worth (?:noting|remembering|mentioning|pointing out)|arise here|let us|let's|let me|(?:offers|gives|provides|consider|here are) (?:a|an|one|two|three|four|several|some) (?:very )?(?:\w+ )?(?:examples?|stor(?:y|ies)|cases?))\b|^(?:consider|find|calculate|compute|suppose|assume|imagine|recall|note|notice|remember|try|let|see)\b|^as (?:is )?shown\b|^(?:title|name|type|source|adapted)\b[^.]*:/iu;
/** A heading that a reader joined to the sentence under it, a cut sentence, or the number of the next item of a list. */
const BROKEN = /\p{Ll}{4}\p{Lu}\p{Ll}|\.\.\.|…|\s\d{1,2}\.$|--/u;

const UNCLEAR: readonly RegExp[] = [
  POINTS_AT_PAGE,
  POINTS_ELSEWHERE,
  REFERS_BACK,
  GOES_ON,
  GOES_ON_LATER,
  COUNTS_BACK,
  ANNOUNCES,
  ONLY_COUNTS,
  SPEAKS_TO_ROOM,
  BROKEN,
];

const OPERATOR = /[=≤≥≪≫∈×·⋅∼≈∝√±∥|]/gu;
/** A letter for a value: "k", "S". "I" and "a" are words, and "T cell" is a name. */
const VARIABLE = /(?<![\p{L}\p{N}.'’-])[B-HJ-Zb-zα-ω](?![\p{L}\p{N}'’-]|\.\p{Lu}| cells?\b)/gu;
/** `sim(q, p)`, `E(·)`. */
const FUNCTION = /\p{L}\([^()\s]{0,6}[,·;]\s?[^()\s]{0,6}\)/u;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** A formula with letters for values takes a page to be followed. */
function holdsFormula(sentence: string): boolean {
  const operators = countOf(sentence, OPERATOR);
  return operators > 1 || (operators === 1 && countOf(sentence, VARIABLE) > 0) || FUNCTION.test(sentence);
}

/** Whether a sentence can be followed by somebody who hears it alone, without the page. */
export const isClearAlone = (sentence: string): boolean =>
  !UNCLEAR.some((pattern) => pattern.test(sentence)) && !holdsFormula(sentence);
