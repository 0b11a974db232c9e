import { phraseKey, wordsOf } from "#shared/text/words.ts";

const STARTS_WITH_REFERENCE =
  /^(?:it|its|otherwise|an? (?:second|third|fourth|fifth|further|final) |in (?:return|exchange|turn|response|comparison)|this|these|those|that|they|their|them|such|he|his|she|her|another|others?|both|neither|either|each of (?:these|them|which)|all of (?:these|them)|some of (?:these|them)|one of (?:these|them)|one|some|many|most|several|few|two|the (?:other|others|former|latter|same|above|following|first|second|third|fourth|fifth|next|last|final|previous|resulting|remaining|rest|two|three|four|latter|term|word|name|answer|question|reader|author|result|results|example|reason|idea|point|fact|case|image|process|study|authors?|students?)|here|there|what|why|how|who|where|which|perhaps|maybe|yes|no|not|like|as (?:mentioned|described|noted|stated|seen|shown|discussed|you)|again|so|then|thanks|see|note)\b/i;
/** Openings from the list above that are acceptable if more follows. */
const SAFE_OPENING =
  /^(?:(?:some|many|most|several|few|two|both|all|each|one of the|one) (?!of (?:these|them|which)|such|other|more|are|is|can|have|will|may|was|were|do|does)\p{L}|the (?:term|word|process|name|first|last|two|three|four|second|third|result|reason) (?:\p{L}+ )?(?:of|for|by|in|that|to)\b|(?:such as|like|as|what) )/iu;
const PERSONAL =
  /\b(?:we|we’re|we've|us|our|ours|you|you’re|your|yours|me|my|mine|let’s|let's)\b|\bI (?:am|was|have|had|do|did|will|would|can|could|should|might|must|never|also|just|really|always|think|thought|know|knew|see|saw|want|wanted|use|used|call|said|like|love|hope|guess|believe|couldn|didn|don|wouldn|can['’]t)\b|\bI['’](?:m|ve|ll|d)\b/i;
const REFERS_ELSEWHERE =
  /\b(?:figures?|fig\.|tables?|chapters?|(?:this|next|previous|following|earlier|later|last) sections?|above|below|earlier in|previously|as follows|such that:|following (?:example|figure|table|section|form|rule|steps?|assumptions?|exceptions?|conditions?|requirements?|items?|information|lists?|ways?|criteria|manner|code|listing)|listings? \d+|supplement(?:al|ary) materials?|(?:attached|enclosed) (?:form|sheet|list)|just (?:described|mentioned|discussed|seen)|it (?:is|was) (?:helpful|useful|important|necessary|worth|clear|possible|interesting)|(?:following|this|our|later|earlier) discussion|(?:be|is|are) (?:discussed|examined|explored|covered) (?:in|later|next|below|here)|not just|this (?:book|text|course|lecture|paper|article|site|video|link|animation|interactive|module|unit|lesson|handout|document)|click|https?:|www\.|website|video|animation|page \d+|slide|photo(?:graph)?|pictured|(?:bottom|top|upper|lower|left|right)[ -](?:left |right |hand )?(?:diagram|panel|plot|box|figure|graph|curve|side shows)s?|diagrams? (?:shows|below|above|on)|et al|ibid|here are|as is shown|(?:partially |was |is |were )supported by (?:the|a)|(?:partially|partly|financially) supported|funded by|(?:postdoctoral|assistant professor|associate professor|(?:full|distinguished|emeritus) professor|professor of \p{Lu}?\p{Ll}+|holds the [^,.]{2,40} chair|research fellow|ph\.?d\.? (?:student|degree)))\b|^\p{Lu}\. |\[\d|_{2,}|\.{3}|…/iu;
/** "According to the following: The enzyme": refers to a picture or a separate line. */
const MISSING_DISPLAYED_LINE = /\b(?:following|equations?|formulas?|reactions?): \p{Lu}\p{Ll}+ /u;
/** "As shown by the plot", "the dotted line": refers to a missing drawing. */
const DESCRIBES_DRAWING =
  /\b(?:dotted|dashed) (?:\p{L}+ )?lines?\b|\b(?:shown|seen) (?:by|in|on) [^.]*\bthe plots?\b/iu;
/** "Section II", "Definition 1", "Appendix A": other parts of the document. */
const NUMBERED_PART =
  /\b(?:[Ss]ections?|[Ss]teps?|[Aa]ppendix|[Dd]efinitions?|[Tt]heorems?|[Ll]emmas?|[Pp]ropositions?|[Cc]orollary|[Aa]lgorithms?|[Ee]quations?|[Ee]qs?\.?|[Ee]xamples?|[Ee]xercises?|[Qq]uestions?|[Pp]roblems?) (?:\d|[IVX]+\b|[A-Z]\b|\()/;
const REFERS_BACK =
  /^.{0,45}\b(?:of|in|at|to|by|from|on|for|with|during|after|before|into) that (?!(?:which|is|are|was|were|can|has|have|the|an?|they|all|of|in)\b)\p{Ll}{3,}\b|\b(?:prevents?|avoids?|causes?|stops?|breaks?|solves?) that \p{Ll}{3,}(?= (?:by|with|from|in|when|if|and)\b|[.,])|\bthat (?:part|kind|type|region|case|way|point|area|moment)\b(?! (?:of .{3,40} )?(?:that|which|where|is|are)\b)|\b(?:these|this)\b|\bthose\b(?! (?:(?:\p{Ll}+ )?(?:that|who|which|whose)|of|in|with|from|close to|able to|\p{Ll}+ed|\p{Ll}+ing|found|made))|\bsuch an? (?!(?:way|manner|degree|extent)\b)\p{Ll}+(?! (?:that|as)\b)\b|\bsuch (?:is|are|was|were|can|means|makes?)\b|\b(?:the (?:former|latter)|aforementioned|likewise|mentioned)\b|\bis (?:one|an) example\b|\bthere,? too\b|^(?:once|when|if|after|because|as|although|while|since) (?:it|they|he|she)\b|^(?:\p{Ll}+ly )?\p{L}+ed (?:to|in|by|with|from|for|as|on|at|into|of) [^,]{3,60}, (?:it|they|he|she)\b/iu;

const MATHEMATICS =
  /[=<>∑∫√≤≥←∂∇∈ℝ{}|〈〉⟨⟩‖′^~]|→|\p{Lu}[Α-Ω]|[Α-Ω][α-ω]|\p{L}\d{2,}\p{L}|[α-λν-ω][a-zA-Z]\b|\b(?:[Ii]f|[Ww]here|[Ww]hen|[Ll]et|that) \p{Lu} (?:is|are|denotes)\b|(?:^|(?<!\p{Ll}{4})\s)[α-ωΑ-Ω](?=\s)/u;
/** Left over from the file's format. */
const MARKUP = /\p{Ll}\/ \p{Ll}|<!--|-->|<\/?\p{L}+>|&\p{L}+;/u;
/** "Forensic ScientistForensic science is": a title glued to its text. */
const GLUED_HEADING = /^\p{Lu}\p{L}+ (?:\p{L}+ ){0,14}?\p{Lu}?\p{Ll}{3,}\p{Lu}\p{Ll}+ \p{Ll}/u;

function isSentence(text: string): boolean {
  const opens = /^["“‘']?[\p{Lu}\p{N}]|^\p{Ll}{1,2}\p{Lu}/u.test(text) && !/^as well as\b/i.test(text);
  // "aIn previous versions": a footnote letter before its text.
  const isFootnote = /^[a-h](?:In|The|An?|At|On|For|If|When|This|These|All|See|It)\b/.test(text);
  return opens && !isFootnote && /[.:]["”’]?$/.test(text) && !/[?!]["”]?$/.test(text);
}

function isProse(text: string): boolean {
  const letters = text.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters >= text.length * 0.85 && !MATHEMATICS.test(text) && !isSymbolic(text);
}

/** "would the the time": a typing error. "had had" isn't one. */
const REPEATED_WORD = /\b(the|an?|of|is|are|to|and|in|on|by|with|for|\p{L}{5,}) \1\b/iu;

function isNoise(text: string): boolean {
  const count = wordsOf(text).length;
  // "attain -differential": a symbol was lost.
  if (count < 5 || count > 50 || !isSentence(text) || / -\p{L}/u.test(text) || REPEATED_WORD.test(text)) return true;
  return (
    !isProse(text) || LONE_LETTER.test(text) || hasLooseQuotes(text) || GLUED_HEADING.test(text) || MARKUP.test(text)
  );
}

/** Many single letters are variables; "B and T cells", "vitamin K" are names. */
const isSymbolic = (text: string) =>
  (text.match(
    /(?<![\p{L}\p{N}’'-])(?:[b-z]|(?<!\p{Ll}{4,} )[B-HJ-Z](?! (?:and|or) \p{Lu} \p{Ll}| \p{Ll}{4,}))(?![\p{L}\p{N}’'-])/gu,
  )?.length ?? 0) > 3;

/** "There are three types of fibers within the cytoskeleton": needs no previous sentence. */
const EXISTENTIAL =
  /^there (?:also )?(?:is|are|exists?) (?!(?:no|another|other|also|still|usually|even|many|some|several|now|such|more|only|little|always|one) )(?=.{40})/i;

/** "Most members live on land": of what? */
const UNSPECIFIED_MEMBERS =
  /^(?:most|many|some|all|few|several|its|the) (?:members|individuals|representatives|varieties|examples)\b(?! (?:of|in|from|with|that|which|who))/i;

/** "In the fifth step, an enzyme": of what? */
const UNSPECIFIED_STEP =
  /^(?:in|during|at) (?:an?|the) (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|last|final|other) (?:type|step|stage|case|way|phase|form|kind|example|part|approach|round|method)\b(?! (?:of|in)\b)/i;

/** "Both methods are called": which two? */
const UNSPECIFIED_GROUP =
  /^an? (?:careful|closer?|quick|brief) look\b|^(?:both|all|each|either|neither|the two) (?:methods?|types?|processes|forms?|cases?|groups?|kinds?|steps?|stages?|approaches|systems?|models?|components?|parts?)\b(?! (?:of|in|that|which))/i;

/** Why a cleaned sentence can't be on a card; undefined if it can. */
export function rejectSentence(text: string): "context" | "address" | "noise" | undefined {
  if (isNoise(text)) return "noise";
  if (PERSONAL.test(text)) return "address";
  return rejectWithoutContext(text);
}

/** "we will see", "you may have read": mentions the book or its reader. */
const ABOUT_READING =
  /\b(?:we|you)(?:['’](?:ll|ve)| (?:will|may|might|can see|saw|read|learned|discuss|now|just)\b| have (?:seen|learned|read|discussed|already)\b)/i;

/**
 * Like `rejectSentence`, but for a sentence that opens with an emphasised term. In such a sentence "we" and "you" mean
 * people in general: "Jet lag results from a mismatch between our cycles and our environment".
 */
export const rejectTermSentence = (text: string) =>
  isNoise(text) ? "noise" : ABOUT_READING.test(text) ? "address" : rejectWithoutContext(text);

function rejectWithoutContext(text: string): "context" | undefined {
  if (refersOutside(text) || text.endsWith(":")) return "context";
  if (UNSPECIFIED_STEP.test(text) || /\baccordingly\b/i.test(text)) return "context";
  if (UNSPECIFIED_MEMBERS.test(text) || UNSPECIFIED_GROUP.test(text)) return "context";
  if (STARTS_WITH_REFERENCE.test(text) && !SAFE_OPENING.test(text) && !EXISTENTIAL.test(text)) return "context";
  return undefined;
}

/** Whether it refers to a figure, another part of the text, or the reader's actions. */
export const refersOutside = (text: string) =>
  REFERS_ELSEWHERE.test(text) ||
  MISSING_DISPLAYED_LINE.test(text) ||
  DESCRIBES_DRAWING.test(text) ||
  NUMBERED_PART.test(text) ||
  /^(?:one|doing so)\b.{0,60}\b(?:would be|is|was) (?:where|when|if)\b|^doing so\b/i.test(text);

/** "when c goes out of scope", "a reference to v": names from missing code or a drawing. */
const LONE_LETTER =
  /(?:^|\b(?:to|in|[Ww]hen|[Ii]f|[Tt]he|that|with|by|[Ww]hile|[Bb]oth|than|into) )[b-hj-z](?= (?!-)\p{Ll}|[.,;])/u;

/** Whether it refers to another sentence; a blank is still possible with that sentence as context. */
export function refersToOtherSentence(text: string): boolean {
  const otherMatch = /\b(?:the other|another)\b(?: (\p{L}+))?/iu.exec(text);
  if (COMPARISON.test(text) && !/\bthan\b/i.test(text)) return true;
  const lacksFirst =
    otherMatch !== null &&
    !ANY_OTHER_PERSON.test(otherMatch[0]) &&
    !/\bone\b/i.test(text.slice(0, otherMatch.index)) &&
    !isSecond(text, otherMatch);
  return lacksFirst || REFERS_BACK.test(withoutNamed(text.replace(NAMES_PREVIOUS_CLAUSE, " ")));
}

/** "To another person": to any other person. */
const ANY_OTHER_PERSON = /^another (?:person|individual|human|country|group|party)\b/i;

/** "The time for it is much longer.": than what? */
const COMPARISON =
  /\b(?:is|are|was|were|be|become|becomes|much|far|even|slightly|significantly|considerably) (?:(?:more|less) \p{L}{4,}|larger|smaller|longer|shorter|faster|slower|higher|lower|greater|better|worse|easier|harder|stronger|weaker|cheaper|older|newer|heavier|lighter|wider|narrower)\.$/iu;

const DEMONSTRATIVE_REFERENCE = /\b(?:this|these|those|that) (?=(\p{L}{3,}))/giu;

/** "involves a memory …; this memory will": the reference is within the sentence. */
const withoutNamed = (text: string) =>
  text.replace(DEMONSTRATIVE_REFERENCE, (whole, noun: string, at: number) =>
    at > 10 && ` ${phraseKey(text.slice(0, at))} `.includes(` ${phraseKey(noun)} `) ? "the " : whole,
  );

/** "Spores can fuse with another spore": the first one is in the same sentence. */
function isSecond(text: string, other: RegExpExecArray): boolean {
  const noun = phraseKey(other[1] ?? "");
  return noun.length > 3 && ` ${phraseKey(text.slice(0, other.index))} `.includes(` ${noun} `);
}

/** "…; these are called organelles": the text before the semicolon says what they are. */
const NAMES_PREVIOUS_CLAUSE =
  /(?<=.{20}; )(?:these|this) (?:\p{L}+ ){0,2}(?:are|is) (?=(?:called|termed|known|referred)\b)/iu;

function hasLooseQuotes(text: string): boolean {
  const opened = text.match(/[“«]/g)?.length ?? 0;
  const closed = text.match(/[”»]/g)?.length ?? 0;
  return opened !== closed || (text.match(/"/g)?.length ?? 0) % 2 === 1;
}
