import { contentStems } from "#shared/text/words.ts";
import { withoutPointers } from "../speech/to-speech.ts";

/** Points at something on the page, which a listener cannot see. */
const POINTS_AT_PAGE =
  /\b(?:shown|depicted|illustrated|pictured|seen|listed|plotted) (?:here|above|below|in|on|at)\b|\b(?:fig\.|diagrams?|slide|blackboard)\b|\bfigure\b(?! (?:out|of speech)\b)|\b(?:this|these|see|following|(?:in|on|from|by|at|of) the) (?:tables?|images?|photos?|photographs?|graphs?|maps?)\b|\b(?:tables?|images?|photos?|photographs?|graphs?|maps?)(?: \(?\d| (?:shows?|illustrates?|depicts?|displays?|summari[sz]es?|lists?|presents?|compares?|above|below|here|on the (?:left|right))\b)|\b(?:left|right|middle|top|bottom) (?:column|panel|row|block)\b|\b(?:above|below|opposite|following)[,:.]|:$|\bclick\b|\b(?:watch|view|visit) (?:a|an|this|these|the)\b/iu;
/** "The resulting plot", "the shading underlying the heatmap", "our graph", "is visualized": a drawing. */
const POINTS_AT_DRAWING =
  /\b(?:underlying|resulting|corresponding) (?:\p{Ll}+ )?(?:plots?|charts?|heat ?maps?|histograms?|displays?|graphs?)\b|\b(?:underlying|in|on|from|by) the (?:\p{Ll}+ )?(?:plots?(?! of\b)|charts?|heat ?maps?|histograms?|scatter ?plots?)\b|\bthe (?:plots?|charts?|heat ?maps?|histograms?) (?:shows?|visuali[sz]es?|illustrates?|depicts?|displays?)\b|\b(?:our|this) (?:graph|plot|chart|diagram|picture|equation|formula)\b|\b(?:is|are) (?:visuali[sz]ed|depicted|plotted)\b/iu;
/** "The following discussion", "can be found in Appendix B", "(Eq. (1))": a listener cannot turn pages. */
const POINTS_ELSEWHERE =
  /\b(?:following|next|previous|preceding|earlier|later|last) (?:discussion|section|chapter|paragraph|example|code|listing|snippet|formula|equation|list|steps?|subsection|unit|module|lesson|exercise|question)s?\b|\b(?:following|next) (?:\p{L}+ ){0,4}(?:feature|box)\b|\b(?:discussed|described|explained|mentioned|defined|introduced|given|found|covered) (?:above|below|earlier|later|previously|(?:in|at) (?:the )?(?:appendix|supplement|section|chapter|box|equation))\b|\b(?:rows?|columns?|periods?|panels?|scenarios?|examples?|problems?|exercises?|appendix|eq\.|equations?) \(?(?:\d|[A-H]\b)/iu;
/**
 * "Section VI", "the above relaxations", "Theorems 1 and 2", "as you have read": refers to another part of the text.
 */
const POINTS_AT_PARTS =
  /\b(?:sub)?sections?\s(?:[IVX]+|\d[\d.]*)\b|^the (?:first|second|final|last|next|remaining|following|rest of the) (?:section|chapter|part|paper|article)s?\b|\bthe (?:above|below)\b|\b(?:sketched|outlined|noted|stated|discussed|presented|defined|derived|described|mentioned) (?:above|below|previously)\b|\bas \p{Ll}+(?:ed|en) (?:above|below|before|previously)\b|\bas (?:previously|already) \p{Ll}+ed\b|\bin what follows\b|\p{Ll} (?:below|above) (?:shows?|illustrates?|lists?|describes?|gives?|summari[sz]es?)\b|\b(?:theorem|lemma|definition|proposition|corollary|algorithm)s?\s\d|\b(?:you|we|I)(?: have|['’]ve| will have) (?:just |so far |already )?(?:read|learned|learnt|seen|discussed|described|mentioned|covered|explained|already)\b/iu;
/** "As the representations (11) and (13) suggest": numbers of formulas; but not "(1) root, and (2) leaf". */
const POINTS_AT_FORMULAS =
  /^(?!.*\(1\)).*\b(?:in|by|from|of|and|see|using|equations?|representations?|formulas?|integrals?|expressions?|conditions?|statistics?|hypothes[ie]s) \(\d{1,3}\)/iu;
/** Front and back matter of a text: keywords, references, authors and acknowledgements. */
const FRONT_OR_BACK_MATTER =
  /^(?:index terms|key ?words)\b|^we (?:thank|acknowledge|are grateful)\b|\bauthors? (?:thanks?|acknowledges?|would like to thank)\b|\b(?:is|are|was|were) (?:partially |partly |also )?(?:supported|funded) (?:by|as|in part|under)\b.*\b(?:grants?|government|foundation|projects?|programme?|council|ministry)\b|\b(?:opinions|views) expressed\b|^(?:\p{Lu}\.\s?){1,3}\p{Lu}[\p{L}’'-]+,|\((?:(?:senior|student|life) )?(?:fellow|member), \p{Lu}|,\s\d+,\s\d+[–-]\d+\.?$/iu;
/** "Due to two reasons.", "in three ways.": announces a number of things without naming them. */
const COUNT_WITHOUT_NAMES =
  /\b(?:two|three|four|five|six|several|some|many|various|different) (?:\p{Ll}+ )?(?:reasons|ways|points|things|questions|respects|problems|examples|steps|factors|aspects)[.!]$/iu;
/** Addresses the audience in the room: what they can hear and see, who speaks, and when it begins. */
const ADDRESSES_AUDIENCE =
  /^(?:alright|all right|hopefully|thanks|thank you|welcome|hello|hi|hey|sorry|oops|um|uh|laughter|applause)\b|\b(?:thanks|thank you) (?:\w+ )?for (?:coming|having|listening|watching|joining)\b|\bI(?:['’]m| am) (?:going|gonna|here|happy|glad)\b|\bI(?:['’]ll| will) (?:wait|talk|show|start|begin|explain|cover|get|come|go|try|be)\b|\byou (?:can|could) (?:all )?(?:read|see|hear)\b|\bmy (?:\w+ )?(?:slides?|hand ?writing|screen|talk|microphone)\b|\byou all\b|\b(?:subscribe|camera man|cameraman|as you know|(?:most|some|many|all) of you)\b/iu;

/** "My hope is that you come away", "trust me", "the edge here": about the speaker or the screen, not the subject. */
const ABOUT_TALK =
  /\b(?:my hope is|in (?:just )?a (?:few )?(?:minutes?|moments?|seconds?)|trust me|to be honest|I (?:chose|find (?:it|this)|personally|said|talked|mentioned|told you)|I(?:['’]m| am) (?:showing|talking|telling)|bear with me|(?:as|while|at the time) I(?:['’]m| am) (?:recording|writing|filming|making)|what I want to|you(?:['’]ll| will) (?:see|notice) how|(?:this|these|the (?:next|following|last)) (?:\p{L}+ ){0,2}(?:videos?|lectures?|talks?|podcasts?|episodes?)|by the way|(?:an?|the|this|these) (?:\p{Ll}+ )?\p{Ll}+ here)\b|\bliving under a rock\b|\bhere[.!?]$/iu;

/** "To release this energy": the sentence before explains what "this" is. */
const REFERS_BACK =
  /^(?:[^\s,]+\s){1,5}?(?:this|these|those|they|it|he|she|them|such(?! as\b| an? (?:way|manner)\b))\b/iu;
/** "In keeping with his views, this body gave nothing": the pronoun is not at the beginning. */
const REFERS_BACK_LATER =
  /^(?!(?:if|when|while|although|though|because|once|unless|whether|even|whenever|where|wherever|whatever|what|given)\s\S+\s\S+\s[^,]*,|(?:since|after|before|as|until)\s[^,]*\b(?:is|are|was|were|has|have|had|can|does|did|\p{L}{2,}ed)\b[^,]*,)[^,;:]{5,160}, (?:this|these|those|they|he|she|such(?! as\b)|it(?! (?:is|was) (?:not )?(?:\p{L}+ )?(?:that|to)\b))\b/iu;
/**
 * "Lots of times we do not do this.", "The result is his curve.", "While both methods do well": refers to something
 * unnamed.
 */
const REFERS_TO_UNNAMED =
  /\b(?:do|does|did|done|doing|say|says|said|know|like|than|about|with|after|before|for|of) (?:this|that|these|those)[.!?]$|^(?:the|an?|one) \p{Ll}+ (?:is|are|was|were) (?:his|her|their|its)\b|^(?:(?:while|although|since|because|if|when|but) )?both (?!(?:of\b|\S+ (?:\S+ ){0,3}and\b))/iu;
/** Continues a sentence that the listener may not have heard. */
const CONTINUES_PREVIOUS =
  /^(?:(?:the )?subsequent(?:ly)?|similar results|the same (?:is true|holds|applies)|for other|again(?=,)|analogously|correspondingly|if again|an? (?:rather |quite |completely |very |slightly )?(?:different|similar|related) (?:approach|method|idea|way|strategy|problem|question) (?:is|was|to)|(?:the )?others?|for (?:the same|this|that|these|similar) reasons?|conversely|otherwise|nevertheless|nonetheless|consequently|accordingly|furthermore|moreover|likewise|meanwhile|specifically|more specifically|in particular|in comparison|by comparison|by contrast|in sum|in short|in summary|as a consequence|as yet another|in a sense|on the one hand|on the other hand|only then|firstly|secondly|finally|lastly|not like|as (?:we|you|I)|yet|indeed|rather|after all|of course|now(?=,)|maybe|perhaps|okay|ok|so|to (?:summarize|summarise|sum up)|(?:first|second|third|next|last|yes|no|well)(?=[,:]))\b/iu;
const CONTINUES_PREVIOUS_LATER =
  /^the (?:\p{Ll}+ )?(?:reason|result|problem|difference|answer|consequence) (?:is|was)\b|^the (?:outcome|idea|trick|solution) (?:is|was)\b|^[^,;:]*\b(?:thus|hence|therefore)\b(?! far)|^(?!(?:if|when|once|after|before|as soon as)\b)[^,;:]*\b(?:is|are|was|were) then\b(?! as\b)|^all of (?:that|this|these|those)\b|^(?:in fact|besides|instead|as a result)\b|\b(?:is|are|was|were) (?:yet )?(?:another|a further) (?:example|case|kind|type|reason|way)\b|^(?!(?:if|when|once|after|before|as soon as)\b)(?:\S+ ){1,4}then\b(?! as\b)|\b(?:as well|too|either)[.!]$|,\s(?:on the (?:one|other) hand|by contrast|in contrast|however|therefore|though|for example|for instance|too)[,.]|\b(?:different|similar|same|again) though[.!]$|^(?!.*\b(?:one|some|each|only|half)\b).*\bthe others\b/iu;
/**
 * "The second example is", "In the first case", "The key difference between the two is": counts things that were named
 * before.
 */
const REFERS_TO_COUNTED =
  /^an? (?:important|key|major|main|further|second|similar|related) (?:difference|exception|reason|advantage|disadvantage|problem|result|point|example|consequence)s? (?:is|was|are|were)\b|^each one\b|\b(?:in|from|for|at) our (?:data|example)\b|^(?:in )?the (?:first|second|third|fourth|fifth|last|other|final) (?:is|are|was|were|two|three)\b|^(?:in |for |with )?(?:the|our|each) (?:(?:first|second|third|next|last|other) (?:example|case|group|reason|kind|approach|method|step|point|question|problem|way|thing|fact|one|alternative|option)|former|latter|previous|other)\b|^(?:over|during|at|by|in) (?:that|this|the same) (?:time|period|point|case)\b|^(?:at the time|on (?:one|the other) (?:side|hand))\b|\bthe latter\b|(?<!\bof )the (?:three|four|five|six|seven|eight|nine|ten) (?:\p{Ll}+ )?\p{Ll}+s (?!that\b|which\b|who\b|where\b)|^later (?:that|the same)\b|\b(?:the|these|those) (?:two|three|four)(?=[,.;!]| (?:is|are|was|were|has|have|had|can|do|did|differ|share)\b)|^one (?:such |other |possible |common |important )?(?:way|strategy|strategies|example|reason|method|approach|type|kind|problem|possibility|step|explanation|option|solution|difference|incident|case|factor|advantage)s?\b(?! (?:to|of|for|in which|that)\b)|^(?:another|some other|other|a second|a third) (?:such |possible |common |important )?(?:ways?|strategy|strategies|examples?|reasons?|methods?|approach(?:es)?|types?|kinds?|problems?|possibility|steps?|explanations?|options?|solutions?|differences?|incidents?|cases?|factors?|advantages?)\b/iu;
/** Only announces what follows. */
const ANNOUNCEMENT =
  /\b(?:as follows|worth (?:noting|remembering|mentioning|pointing out)|arise here|(?:in|by) (?:other|later|the next|subsequent) (?:chapters|sections|lectures)|(?:offers|gives|provides|here are) (?:a|an|one|two|three|four|several|some) (?:very )?(?:\w+ )?(?:examples?|stor(?:y|ies)|cases?))\b|\bthe following (?:\p{Ll}+ )?(?:lemma|theorem|claim|result|algorithm|question|problem|assumption)s?\b|\bthe following(?: \p{Ll}+){0,2}\.$|^(?:find|calculate|compute|note|notice|remember|try|see)\b|\bcheck yourself\b|\byou (?:just )?wrote\b|^(?:now|next),? (?:try|count|write|read|look|close)\b|^as (?:is )?shown\b|^(?:below|above)\b|^(?:one|an) (?:\p{Ll}+ )?question (?:is|regarding|about|remains|concerns)\b|^(?:title|name|type|source|adapted)\b[^.]*:/iu;
/**
 * "We will discuss three projects", "My purpose is to set the stage", "It is useful to offer a preview here": about the
 * text itself.
 */
const ABOUT_TEXT =
  /\bwe(?:['’]re| are) going to (?:prove|see|look|talk|discuss|learn|cover|solve|implement|start|begin)\b|\b(?:we|I)(?:['’]ll| will| shall) (?:now |also |then |next |shortly |soon |later )?(?:come to |be )?(?:discuss|consider|look|see|examine|explore|turn|return|focus|cover|describe|introduce|talk|learn|begin|start)\b|\bthis (?:discussion|section|chapter|lecture|lesson|video|module) (?:will|is|has|presents|describes|covers|discusses|introduces)\b|^(?:the|this) (?:final |last |next )?(?:chapter|section|article|paper|lesson|module) (?:will|closes?|ends?|begins?|concludes?|considers?)\b|^for (?:more |further |the )?(?:technical |computational )?details\b|\b(?:we|I) (?:\p{Ll}+ )?refer (?:the reader )?to\b|\bdetails? (?:\p{L}+ ){0,6}(?:are|is) (?:omitted|given|discussed|provided|available)\b|\bomitted (?:here|for brevity)\b|\bwe (?:briefly |now )(?:illustrate|sketch|review|outline)\b|\bwill be (?:identified|described|discussed|introduced|presented|explained|explored|examined|reviewed|covered|outlined)\b(?! (?:as|by)\b)|\bin (?:this|the present) (?:section|chapter|lecture|lesson|video|module|discussion)\b|\bbefore (?:we|I) (?:move on|continue|go on|begin|start)\b|\byou will (?:learn|see|read|find)\b|\b(?:my purpose|offer a preview|take a (?:closer )?look|we (?:considered|discussed|introduced|have seen|saw|looked))\b/iu;
/** Begins an example, a thought experiment or a task, without which the following sentences cannot be understood. */
const BEGINS_EXAMPLE =
  /\b(?:let us|let['’]s|let me)\b|^(?:consider|suppose|assume|imagine|recall|let|picture|take (?:an?|the|your)|read|look|do not|say|think (?:about|back))\b|,\s(?:consider|suppose|assume|imagine|let|read|look at)\s(?:an?|the|that|us|over|this)\b|^(?:however|but|now),? (?:put|set|leave|forget)\b/iu;
/**
 * Damaged by the reader: a heading joined to the next sentence, a cut sentence, a lost symbol ("an [ε] parameter"), or
 * the number of the next list item.
 */
const DAMAGED_TEXT =
  /\p{Ll}{4}\p{Lu}\p{Ll}|\ban [bcdfgjklmnpqrstvwxyz]\p{Ll}{2}|\.\.\.|…|(?<!\b(?:to|and|or|of|than|is|are|was|were|be|by|from|at|about|around|only|exactly|say|input|number|age|equals|minus|plus|times|as|in|on|for|least|most))\s\d{1,2}\.$|--|^[A-H]\. \p{Lu}\p{Ll}+ (?:The|An?|In) \p{Ll}|\p{Ll} (?:Alternatively|However|Moreover|Furthermore|Therefore|In addition|In contrast),|^\(|^(?:\d{1,2}|[a-h]|[ivx]{1,4})\)|(?:^|\s)-\p{L}|\b(?:w\.r\.t|i\.e|e\.g|vs|cf)\.$/u;
/** "What to do in the general case.", "So that to minimize their time": parts of sentences that a speaker begins again. */
const FRAGMENT = /^(?:so that|which|(?:what|how|where|when) to)\b(?!.*\?$)/iu;
/** Direct speech of somebody whom the sentence does not name. */
const ONLY_SPEECH = /^[“"][^“”"]*[”"]$/u;
/** "Theorem 5 (The discrete mechanism).": only a label. */
const ONLY_LABEL = /^(?:definition|theorem|lemma|proposition|corollary|proof|remark|algorithm|axiom)\b/iu;

/** "[12]", "(Smith, 2010)", "Smith et al. (2010)", "(see Box 2)": references, which are not worth speaking. */
const CITES =
  /\[\d+(?:\s*[,–-]\s*\d+)*\]|\([^()]*\p{Lu}[^()]*,?\s(?:1[5-9]|20)\d\d[a-z]?\b[^()]*\)|\b\p{Lu}[\p{L}’'-]+\s\((?:1[5-9]|20)\d\d[a-z]?\b[^()]*\)|\bet al\b|\((?:see|cf\.)\s/u;

/** "(Roediger and DeSoto, in press)": references without a year. */
const CITES_UNPUBLISHED =
  /\([^()]*\p{Lu}[^()]*,\s(?:in press|in preparation|under review|submitted|forthcoming|unpublished|n\.d\.)[^()]*\)/iu;
/** "patient/*.read", "std::vector", "print()", "vcovHC", “coxph” objects, "fixef(model)", "max_length": code, which can only be read on a page. */
const CONTAINS_CODE =
  /\p{L}{3}\((?!(?:e?s|ies|e?d|e?r|ren|[IVX]+)\))["\p{L}]|\p{L} ?= ?["“”‘’'`]|\*\.|\/\*|::|\p{L}\(\)|\p{L}_\p{L}|(?<!\p{L})\p{Ll}{3,}\p{Lu}{2}|\p{Ll}[”"] (?:objects?|class(?:es)?|methods?|functions?)\b|[-=]>|\p{L}\/\p{L}+[/.*]\p{L}/u;

/** Sentences that cannot be understood by ear, even after the sentence before them. */
const UNFIT_FOR_LISTENING: readonly RegExp[] = [
  POINTS_AT_PAGE,
  POINTS_AT_DRAWING,
  POINTS_AT_FORMULAS,
  POINTS_ELSEWHERE,
  POINTS_AT_PARTS,
  FRONT_OR_BACK_MATTER,
  CITES,
  CITES_UNPUBLISHED,
  CONTAINS_CODE,
  ANNOUNCEMENT,
  ABOUT_TEXT,
  BEGINS_EXAMPLE,
  COUNT_WITHOUT_NAMES,
  ADDRESSES_AUDIENCE,
  ABOUT_TALK,
  DAMAGED_TEXT,
  FRAGMENT,
  ONLY_SPEECH,
  ONLY_LABEL,
];
/** "Such a context", "in these cases", "In the thylakoid, that opening is": refers to something named before. */
const EMPHATIC_REFERENCE =
  /\b(?:this|these|such an? (?!way|manner)\p{Ll}+)\b|^\p{L}+, that (?:is|was)\b|^[^,]{3,60}, that \p{L}+ (?:is|are|was|were|has|had|can)\b|^the (?:participants|subjects|researchers|experimenters|experiment|study|authors|respondents)\b/iu;
/** A pronoun for a person whom the sentence does not name: no word after the first is capitalised. */
const UNNAMED_PERSON = /^(?!.+\s\p{Lu}\p{Ll}+).*\b(?:he|she|his|her|him)\b/u;
/** "Even that effort failed": refers to something named before. "That water is heavy is known" is rare. */
const UNRESOLVED_THAT =
  /^(?:(?:even|only|just|yet|still) )?that (?:\p{Ll}+ )?\p{Ll}+ (?:\p{Ll}+ed|is|was|has|had|can|could|will|would|does|did|makes|shows|means|leads|helps|gives)\b/iu;
/** "Carotenoids are a much larger group", "suffered still more": compares with something named before. */
const COMPARISON_WITHOUT_THAN =
  /^(?!.*\bthan\b).*\b(?:(?:much|far) (?!under|after|rather|other|over|ever|never)(?:\p{Ll}{3,}er|more|less|fewer)|still (?:more|less|fewer))\b/iu;
/** "Words that had been encoded semantically": refers to an experiment that was not described. */
const UNDESCRIBED_EXPERIMENT = /^(?:the )?(?:\p{L}+ )?\p{L}+ (?:that|who|which) had been\b/iu;
const NEEDS_SENTENCE_BEFORE: readonly RegExp[] = [
  UNRESOLVED_THAT,
  COMPARISON_WITHOUT_THAN,
  UNDESCRIBED_EXPERIMENT,
  UNNAMED_PERSON,
  EMPHATIC_REFERENCE,
  REFERS_BACK,
  REFERS_BACK_LATER,
  REFERS_TO_UNNAMED,
  CONTINUES_PREVIOUS,
  CONTINUES_PREVIOUS_LATER,
  REFERS_TO_COUNTED,
];

const OPERATOR = /[=≤≥≪≫∈×·⋅∼≈∝√±∥|]/gu;
/** A letter used as a variable: "k", "S". "I" and "a" are words, and "T cell" is a name. */
const VARIABLE = /(?<![\p{L}\p{N}.'’-])[B-HJ-Zb-zα-ω](?![\p{L}\p{N}'’-]|\.\p{Lu}| cells?\b)/gu;
/** `sim(q, p)`, `E(·)`. */
const FUNCTION = /\p{L}\([^()\s]{0,6}[,·;]\s?[^()\s]{0,6}\)/u;
/** `max(A)`. */
const CALL = /\p{L}\(\p{L}/u;
/** `exp(n)`, `f (D)`; but not "protein(s)". */
const FUNCTION_OF_LETTER = /\p{L}\((?!s\))\p{L}\)|(?<!\p{L})\p{L}{1,2} \(\p{Lu}\)/u;

/** "[0, 1]", "∞": intervals. */
const INTERVAL = /∞|\[-?[\d.]+, ?-?[\d.]+[\])]/u;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** A formula with variables can only be followed on a page. */
function containsFormula(sentence: string): boolean {
  const operators = countOf(sentence, OPERATOR);
  const hasValue = countOf(sentence, VARIABLE) > 0 || CALL.test(sentence);
  return (
    INTERVAL.test(sentence) ||
    operators > 1 ||
    (operators === 1 && hasValue) ||
    FUNCTION.test(sentence) ||
    FUNCTION_OF_LETTER.test(sentence)
  );
}

/** A sentence with more numbers is a table in prose: "(69.9/86.3 vs. 75.0/89.1)". */
const MAX_NUMBERS = 4;
const containsTable = (sentence: string) => countOf(sentence, /(?<![\p{L}\p{N}.,-])\p{N}[\p{N}.,]*/gu) > MAX_NUMBERS;

const isBalanced = (sentence: string) =>
  countOf(sentence, /[“(]/gu) === countOf(sentence, /[”)]/gu) && countOf(sentence, /"/gu) % 2 === 0;

/** Whether a sentence contains variables, as in "when k is small". */
export const containsVariable = (sentence: string): boolean => countOf(sentence, VARIABLE) > 0;

/** Whether a sentence begins an example that the following sentences continue. */
export const beginsExample = (sentence: string): boolean => BEGINS_EXAMPLE.test(sentence);

/** "was proposed in [3]": the sentence is incomplete without the number. */
const CITATION_AS_NOUN = /\b(?:in|by|of|from|include|includes|see|than|following|and|with|to)\s\[\d/iu;

/** Whether a sentence is only about the talk or the text itself, so that the listener misses nothing without it. */
export const isAboutPresentation = (sentence: string): boolean =>
  ABOUT_TALK.test(sentence) || ABOUT_TEXT.test(sentence);

/** "Figure 3 shows three palettes.", "The points in Table 2 mark": what follows describes the picture, too. */
const DESCRIBES_PICTURE =
  /^(?:the (?:\p{Ll}+ )?)?(?:figures?|figs?\.|tables?) \d[\d.]*[a-z]? (?:and \d[\d.]* )?\p{Ll}+\b(?! that\b)|^(?:the|both|all|each) [^,]{3,50} (?:in|of) (?:figures?|figs?\.|tables?) \d[\d.]*[a-z]? \p{Ll}+/iu;

/** Whether a sentence describes a picture, which the sentences after it usually do as well. */
export const describesPicture = (sentence: string): boolean => DESCRIBES_PICTURE.test(withoutPointers(sentence));

/** A variable outside of a formula: "n", "t0", "Zj", "the number E"; but not "a p value", "(b)", "5 m" or "vitamin C". */
const PROSE_VARIABLE =
  /(?<![\p{L}\p{N}.'’(-]|\p{N}\s)[b-z](?![\p{L}\p{N}.'’)-]| (?:values?|tests?|axis|axes|scores?)\b)|(?<![\p{L}\p{N}-])[b-z]\d(?![\p{L}\p{N}-])|(?<![\p{L}\p{N}-])[A-Z][jk](?![\p{L}\p{N}-])|(?<=\b(?:numbers?|values?|parameters?|variables?|vectors?|matrix) )[B-HJ-Z](?![\p{L}\p{N}'’-])/gu;

/** "The number of cases is n", "d is the number of days", "call it k". */
const explainsVariable = (variable: string, sentence: string): boolean =>
  new RegExp(
    String.raw`\b(?:is|are|be|called?|denoted by|letter|say) (?:it )?${variable}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])${variable} (?:is|are) (?:the\b|an? (?:\p{Ll}+ )?(?:number|amount|size|length|value|rate|probability|set|index|share|time|distance|angle)\b)|(?<![\p{L}\p{N}])${variable} (?:denotes?|stands? for)\b`,
    "u",
  ).test(sentence);

/** False if a sentence contains a variable that neither it nor the sentences before it explain. */
export const hasExplainedVariables = (sentence: string, before: readonly string[]): boolean =>
  (sentence.match(PROSE_VARIABLE) ?? []).every((variable) =>
    [...before, sentence].some((one) => explainsVariable(variable, one)),
  );

/** `plain` is the sentence without references to figures and works. */
const isClear = (sentence: string, plain: string): boolean =>
  !CITATION_AS_NOUN.test(sentence) &&
  !UNFIT_FOR_LISTENING.some((pattern) => pattern.test(plain)) &&
  !containsFormula(plain) &&
  !containsTable(plain) &&
  isBalanced(plain);

/** Whether a listener understands a sentence without the page, after the sentence before it. */
export const isClearInContext = (sentence: string): boolean => isClear(sentence, withoutPointers(sentence));

/** "In this paper we describe", "This article compares": the paper itself, which the listener knows. */
const THIS_PAPER = /\bthis (?:paper|article)\b|(?<=\bin )this (?:work|study)(?=,? (?:we|I)\b)/giu;

/** A sentence in which a paper does not refer to itself as "this". */
export const withoutSelfReference = (sentence: string): string => sentence.replaceAll(THIS_PAPER, "a paper");

/** "You split it into subproblems, then you solve each of these subproblems": what "these" are, the same sentence says. */
const withoutResolvedReferences = (sentence: string): string =>
  sentence.replaceAll(/\b(?:this|these|those) (\p{Ll}{4,})/gu, (reference, noun: string, at: number) => {
    const before = new Set(contentStems(sentence.slice(0, at)));
    return contentStems(noun).some((stem) => before.has(stem)) ? `the ${noun}` : reference;
  });

/** Whether a listener understands a sentence without the page and without the sentence before it. */
export function isSelfContained(sentence: string): boolean {
  const plain = withoutResolvedReferences(withoutSelfReference(withoutPointers(sentence)));
  return isClear(sentence, plain) && !NEEDS_SENTENCE_BEFORE.some((pattern) => pattern.test(plain));
}

/** "There are two types", "One way is to ask openly", "First, it is slow": the listener expects more. */
const ANNOUNCES_MORE =
  /\b(?:there (?:are|were)|ha(?:s|ve)|involves?|includes?|consists? of|from|in|of|on|suffers? from) (?:the )?(?:two|three|four|five|six|several|many|various|a (?:few|number of)) (?:\p{L}+ ){0,3}(?:types|kinds|ways|forms|stages|steps|phases|reasons|factors|categories|parts|components|modules|layers|classes|groups|elements|aspects|principles|mechanisms|criteria|methods|strategies|theories|approaches|perspectives|levels|models|problems|advantages|disadvantages|examples|weaknesses|names|questions|conditions)\b(?![^.]*\b(?:is|are) (?!:))|\b(?:carried out|conducted|performed) (?:an? |several |many |some |two |three )?(?:\p{Ll}+ )?(?:surveys?|experiments?|stud(?:y|ies)|interviews?)\b(?![^.]*\b(?:found|show(?:ed|s)?|which|that)\b)|^(?:first(?:ly)?,|(?:in|at|during|with) the first \p{L}+,|one (?:such |other |possible |common |important )?(?:way|strategy|example|reason|method|approach|type|kind|problem|step|explanation|option|solution|factor|advantage) is\b|on (?:the )?one (?:hand|side)\b)/iu;

/** Whether the listener expects more after a sentence. */
export const announcesMore = (sentence: string): boolean => ANNOUNCES_MORE.test(withoutPointers(sentence));

/** "Second, we verify", "The third reason is": continues a count. */
const CONTINUES_COUNT = /^(?:the |a )?(?:second|third|fourth|fifth)(?:ly)?(?:,|\s)/iu;
const BEGINS_COUNT = /\b(?:first(?:ly)?|two|three|four|five|six|several|both|one)\b/iu;
/** "The key difference between the two is", "These two differ", "The latter is cheaper": refers to a pair. */
const REFERS_TO_PAIR =
  /\b(?:the|these|those) two(?=[,.;!?]| (?:is|are|was|were|have|had|can|do|did|differ|share)\b)|\b(?:the|this) (?:latter|former)\b/iu;
const CONTAINS_PAIR = /\b(?:two|both|and|or|either|neither|versus|vs|than|while|whereas)\b/iu;

/** "Recalling a lesson is another example of it." */
const ANOTHER_EXAMPLE = /\b(?:another|a further|a second) (?:\p{Ll}+ )?example\b/iu;
const CONTAINS_EXAMPLE = /\b(?:examples?|for instance|such as|like)\b|^(?:if|when)\b/iu;

/**
 * False if a sentence continues a count that the sentences before it did not begin, or refers to a pair that they did
 * not name.
 */
export function hasResolvedEnumeration(sentence: string, before: readonly string[]): boolean {
  const named = (pattern: RegExp) => before.some((one) => pattern.test(one));
  if (CONTINUES_COUNT.test(sentence) && !named(BEGINS_COUNT)) return false;
  if (ANOTHER_EXAMPLE.test(sentence) && !named(CONTAINS_EXAMPLE)) return false;
  return (
    !REFERS_TO_PAIR.test(sentence) ||
    CONTAINS_PAIR.test(sentence.split(REFERS_TO_PAIR)[0] ?? "") ||
    named(CONTAINS_PAIR)
  );
}
