import type { Candidate, CardStyle } from "../generate/candidates.ts";
import type { Fact } from "../source/facts.ts";
import { isGeneralWord } from "../source/terms.ts";
import { posAt, wordAt } from "#shared/text/tokens.ts";
import { contentStems } from "#shared/text/words.ts";

/** "The ____ for all living things is to obtain energy": a generic noun. */
const GENERIC_NOUN =
  /^(?:challenges?|goals?|aims?|tasks?|purposes?|problems?|questions?|reasons?|advantages?|disadvantages?|benefits?|ideas?|points?|ways?|results?|effects?|roles?|functions?|examples?|approach(?:es)?|solutions?)$/i;
/** "Two distinct phases": a number instead of the things. */
const COUNT_INSTEAD_OF_NAMES =
  /^(?:two|three|four|five|six|seven|eight|nine|ten) (?:[\p{L}-]+ )?(?:phases|stages|parts|steps|types|kinds|groups|forms|classes|categories|components|levels|regions|ways|factors|elements|sections)$/iu;
/** "A few types of fungi": which ones? */
const INDEFINITE_QUANTITY =
  /^(?:many|most|several|numerous|obvious|a few|a number of|a variety of|a different|an? (?:additional|similar)|the same|another|other|some|certain|various|any of the)\b|^(?:one|most) of\b/i;
const INDEFINITE_QUESTION = /\b(?:is|are|do|does|can|must|did) (?:a few|a number of|a variety of)\b/i;
/** "Factors involved in it": not a name. */
const DESCRIPTION_WITHOUT_NAME =
  /^(?:the )?(?:factors|things|elements|mechanisms|processes|structures|changes|aspects) (?:that|which|involved|of|in)\b/i;
/** "Certain duties": which ones? */
const UNSPECIFIED_CERTAIN = /\bcertain (?!that\b|of\b)/i;
/** "A must, unless B": false without the exception. */
const EXCEPTION = /\b(?:unless|except)\b/i;
/** "Three examples of fuels are": there are others. */
const EXAMPLES_QUESTION = /^What are (?:(?:the )?(?:\p{L}+ )?examples\b|(?:on|in|at|for|by|to) )/iu;
/** "When is it called X? After J. X": an eponym, not a time. */
const EPONYM = /^(?:After|Before) \p{Lu}/u;
/** "When does it rise whenever …?": the time is asked for twice. */
const DOUBLE_WHEN = /^When\b.*\b(?:when|whenever)\b/i;

/** "In the tower, that opening is a window": which opening? */
const UNRESOLVED_THAT = /^[^,_]{3,60}, that \p{Ll}{4,} (?:is|was) (?:an?|the)\b/u;
/** "After the process is complete, it": which process? "Also found there are": besides what? */
const UNRESOLVED_PROCESS =
  /^(?:[^:?_]{2,60}: )?(?:(?:After|Before|When|Once|During) (?:the|this) process\b(?! (?:of|by|in)\b)|Also )/;
/** "Prophase II, and so on": an incomplete list. */
const INCOMPLETE_LIST = /\b(?:and so on|and so forth|etc)\b/i;
/** "The reduced form of the molecule": of which molecule? */
export const GENERIC_POSSESSOR =
  /\b(?:of|in) the (?:system|molecule|compound|substance|process|object|structure|method|device)\b(?! (?:of|that|which|in|from)\b)/i;
/** "The curve, noted ____": an abbreviation of the words before it. */
const ABBREVIATION = /^\p{Lu}{2,6}s?$/u;
const initialsOf = (words: string) =>
  (words.match(/\p{L}+/gu) ?? []).map((word) => word.charAt(0).toUpperCase()).join("");
export const matchesInitials = (words: string, letters: string) =>
  initialsOf(words).includes(letters.replace(/s$/, ""));

/** "In languages with a ____, the GC frees": the answer's initials are in the question. */
function leaksInitials(question: string, answer: string): boolean {
  const letters = initialsOf(answer);
  return letters.length > 1 && question.split(/[^\p{L}\p{N}]+/u).some((word) => word.replace(/s$/, "") === letters);
}

/** "So that when they divide": the rest was cut off. */
const UNFINISHED = /^So that (?:when|if|once|after|before)\b[^,]*$/i;

/** "What seemed sound since all disks used a sector? The sector assumption": most of the answer is in the question. */
function repeatsQuestion({ question, answer }: Candidate): boolean {
  const questionStems = new Set(contentStems(question));
  const answerStems = [...new Set(contentStems(answer))];
  return (
    answerStems.length > 2 &&
    answerStems.length < 6 &&
    answerStems.filter((stem) => questionStems.has(stem)).length >= answerStems.length * 0.66
  );
}

/** "A group that is no longer in use", "a regulator of some of the enzymes": true, but not a definition. */
const NOT_A_DEFINITION =
  /\bno longer\b|\bspecial cases? of\b|\bof (?:some|many|most|several) of\b|^[Aa]n? (?:[\p{L}-]+ ){0,3}process that requires\b/u;
/** "What are basidia? The swollen cell": a singular for a plural. "A group of", "a set of" are plural. */
const SINGULAR_DEFINITION =
  /^(?:The|An?) (?!(?:[\p{L}-]+ ){0,4}(?:groups?|class(?:es)?|sets?|series|collections?|types?|kinds?|forms?|famil(?:y|ies)|numbers?|pairs?|networks?|layers?|range|variety|system|array|subset|phylum|order|genus|clusters?|chains?|process|result|products?|part|way|method|means|source|site|place|area|region|study|majority|sum) )(?:[\p{Ll}-]+ ){0,3}\p{Ll}+[^s\W] (?:of|that|which|in|from|with)\b/u;
/** "What are later ones? Slower after it": a property instead of a definition. */
const COMPARISON_ANSWER =
  /^(?:(?:(?:slow|fast|high|low|larg|small|long|short|strong|weak|cheap|old|new|heav|light|wid|narrow|great|hard|eas|saf|rar|simpl|thick|thinn)i?er|better|worse|(?:more|less|as) \p{L}+) (?:than|following|after|before|in|on|when|if|with|by|for|at|during|as|to)\b|(?:An?|The) (?:(?:much|far) )?(?:more|less|better|worse) )/iu;
const definesPluralAsSingular = ({ question, answer }: Candidate) =>
  /^What are (?!.* and )/.test(question) && SINGULAR_DEFINITION.test(answer);
/** "What does the isomerase convert? A into B": part of the answer belongs in the question. */
const CONVERSION_QUESTION = /\b(?:convert|transform|turn|change|break|divide|hold|keep|pull|bring)\?$/;
/** "When may he want to look into it?": advice. */
const ADVICE_QUESTION = /\b(?:may|might|can) .*\b(?:want|wish|like) to\b/;
/** "There are three kinds: ____, in which …": the others are missing. */
const FIRST_OF_LIST = /\b(?:two|three|four|five|six|several) [^:.]*: (?:an? |the |a\/an )?____/i;
/** "The ____ for removal is fraud": praise instead of a name. */
const EVALUATIVE_WORD = /^(?:most|best|clearest|main|key|simplest|easiest|greatest|biggest|major|primary|important) /i;
/** "…, designed in such a way": the rest was cut off. */
const CUT_OFF = /(?:\b(?:in such a way|so much|in order)|-|____, the \p{L}+|\bof \p{Lu})\.$/u;
/** "What happens in exchange?" has too many answers. */
const HAPPENS_QUESTION = /^(?:.*: )?What (?:happens|happened|will happen|would happen)\b/;
const asksTooBroadly = (question: string) =>
  HAPPENS_QUESTION.test(question) && (contentStems(question).length < 3 || /\bin (?:\S+ ){0,2}\S+\?$/.test(question));

/** "What happens in living systems?" has too many answers. */
const GENERIC_PLACE_QUESTION =
  /^(?:.*: )?What (?:happens|happened) in (?:\S+ )?(?:systems?|organisms?|cells?|environments?|conditions?|cases?)\?$/;

/** "What is the term for the end of a beam? Cats": singular and plural don't match. */
const SINGULAR_DESCRIPTION =
  /^(?:.*: )?What is the term for (?:the|an?) (?:[\p{L}-]+ ){0,3}?(\p{L}+) (?:of|that|which|who|in|from|with|where|made)\b/u;
const PLURAL_DESCRIPTION =
  /^(?:.*: )?What is the term for (?:[\p{Ll}-]+ ){0,3}?(\p{Ll}+s) (?:of|that|which|who|in|from|with|where|made)\b/u;
const isPluralForSingular = ({ question, answer, fact }: Candidate) =>
  SINGULAR_DESCRIPTION.test(question) &&
  !PLURAL_DESCRIPTION.test(question) &&
  (/[^sui]s$/.test(answer) || fact.original.toLowerCase().includes(`${answer.toLowerCase()} (singular`)) &&
  !COLLECTIVE_NOUN.test(question);
const isSingularForPlural = ({ question, answer }: Candidate) =>
  !SINGULAR_DESCRIPTION.test(question) &&
  PLURAL_DESCRIPTION.test(question) &&
  /^\p{L}+[^s\W]$/u.test(answer) &&
  !/(?:a|i|ae)$/.test(answer);
const COLLECTIVE_NOUN =
  /\b(?:groups?|class|set|series|collection|types?|kinds?|forms?|family|number|pair|network|range|variety|study|phylum)\b/;
/** "Zij is the number": a symbol of a missing formula. */
const FORMULA_LEGEND = /^(?:and|here|where)\b/i;
/** "What is R?": a symbol needs its formula. */
const SYMBOL_QUESTION = /^What (?:is|are) (?:the |an? )?\p{L}\d?\?$/u;
/** "How does it light the bay and prevents harm?": the second verb keeps its ending. */
const INFLECTED_SECOND_VERB =
  /\bdo(?:es)? .* and (?:prevents|allows|causes|helps|makes|provides|keeps|gives|ensures|leads|results|produces|creates|protects)\b|\b(?:how|why|when|where) (?:is|are|was|were) .* and (?:is|are|was|were) /i;

/** "In it there is a method called ____": no description. */
const NAME_WITHOUT_DESCRIPTION =
  /\bthere (?:is|are|was|were) (?:an?|another|two|three) (?:\S+ ){1,3}called (?:the )?____\.$/;

/** "What is CLs?": a plural abbreviation asked for as a singular. */
const PLURAL_ABBREVIATION_QUESTION = /^What is (?:an? |the )?\p{Lu}{2,}s\?$/u;
/** "What is the lighting of it? The key event": asked the wrong way round. */
const EVALUATION_ANSWER = /^The (?:key|main|major|primary|only|clearest|most important|critical) \p{Ll}+\b/u;

/** "such as lilies and ____": one of two examples. */
const ONE_OF_TWO_EXAMPLES = /\b(?:such as|including|like|for example) [^.;:]{2,60} (?:and|or) (?:an? |a\/an )?____/;
/** "The ____ interface" for "new file system": an adjective that isn't part of the name. */
const ADJECTIVE_OUTSIDE_NAME = /^(?:new|old|other|same|different|additional|various|certain|specific|actual) /i;

const isNamedAfter = ({ question, answer }: Candidate) =>
  /\b(?:called|named|termed)\b/.test(question) && EPONYM.test(answer);

/** "using package ____": which of many packages is looked up, not learnt. */
const SOFTWARE_PACKAGE = /\bpackages? ____|____ packages?\b/;

/** "The optional argument ____ selects the type": the name of a parameter. */
const PARAMETER_BLANK =
  /\boptional (?:(?:input|output|return) )?(?:arguments?|parameters?|inputs?|outputs?|values?) ____|\b(?:input|output|return) (?:argument|parameter|value) ____/i;

/** Sentences that say too much or too little about the blank. */
const BAD_BLANK_CONTEXTS = [
  PARAMETER_BLANK,
  SOFTWARE_PACKAGE,
  /____, or \p{Lu}{2}/u,
  FIRST_OF_LIST,
  NAME_WITHOUT_DESCRIPTION,
  CUT_OFF,
  ONE_OF_TWO_EXAMPLES,
];
/** Blanked words that aren't names, such as the file extension "-shm". */
const UNSUITABLE_BLANKS = [
  ADJECTIVE_OUTSIDE_NAME,
  EVALUATIVE_WORD,
  /^[^\p{L}\p{N}]/u,
  /^(?:even|only|just|almost|nearly|both|multiple)$/i,
];
/** "In ____, the" for "contrast". */
const IN_BLANK = /(?:^|[;,.:] )in ____, /i;
const CONNECTIVE_AFTER_IN =
  /^(?:contrast|addition|turn|fact|short|general|particular|comparison|practice|principle|theory|summary)$/i;
/** "To ____ into sugar" for "turn a gas", "responsible for ____" for "making gas". */
function startsWithVerb({ tokens, text }: Fact, answer: string): boolean {
  const start = text.indexOf(answer);
  const first = tokens.findIndex((t) => t.start === start);
  if (first < 1 || posAt(tokens, first) !== "VERB" || !answer.includes(" ")) return false;
  return /^(?:to|for|by|who|which|that|they|can|may|must|will)$/.test(wordAt(tokens, first - 1));
}
/** "HHHH" as a placeholder. */
const PLACEHOLDER = /(\p{Lu})\1{3}/u;

const NON_NOUN_POS = /^(?:VERB|AUX|ADV|ADP|PRON|DET|PART|SCONJ|CCONJ)$/;

/** "____ A be a real arrangement" for an emphasised "Let": no word of the answer names anything. */
function hasNoNoun({ text, tokens }: Fact, answer: string): boolean {
  const from = text.indexOf(answer);
  const answerTokens = tokens.filter(({ start, end }) => from !== -1 && start >= from && end <= from + answer.length);
  return (
    answerTokens.length > 0 && answerTokens.every(({ pos, lower }) => NON_NOUN_POS.test(pos) && !lower.endsWith("ing"))
  );
}

const hasInitials = (question: string, answer: string) =>
  (ABBREVIATION.test(answer) && matchesInitials(question, answer)) || leaksInitials(question, answer);

const termDescription = ({ question }: Candidate) => question.replace(/^.*?\bthe term for /, "").replace(/\?$/, "");

/** "What is a vector of weights? The optional return value w": asked the wrong way round. */
const PARAMETER_ANSWER =
  /^(?:The )?(?:optional )?(?:(?:return|output|input) )?(?:values?|arguments?|parameters?|inputs?|outputs?)(?: \p{Ll}\w*)?$/iu;
/** "What is the function?", "What is an alternative?": to what? */
const UNSPECIFIED_SUBJECT =
  /^What (?:is|are) (?:an? (?:alternative|option|approach|solution|possibility)|the (?:alternatives?|functions?|outputs?|inputs?|results?|values?|commands?|methods?|options?))\?$/;

/** For each style, the rule that rejects its worthless cards. */
const REJECTION_RULES: Readonly<Partial<Record<CardStyle, (candidate: Candidate) => boolean>>> = {
  definition: (candidate) =>
    SYMBOL_QUESTION.test(candidate.question) ||
    PLURAL_ABBREVIATION_QUESTION.test(candidate.question) ||
    FORMULA_LEGEND.test(candidate.fact.original) ||
    GENERIC_POSSESSOR.test(candidate.answer) ||
    NOT_A_DEFINITION.test(candidate.answer) ||
    COMPARISON_ANSWER.test(candidate.answer) ||
    GENERIC_PLACE_QUESTION.test(candidate.question) ||
    definesPluralAsSingular(candidate),
  cloze: ({ question, answer, fact }) =>
    hasInitials(question, answer) ||
    BAD_BLANK_CONTEXTS.some((pattern) => pattern.test(question)) ||
    UNSUITABLE_BLANKS.some((pattern) => pattern.test(answer)) ||
    (IN_BLANK.test(question) && CONNECTIVE_AFTER_IN.test(answer)) ||
    startsWithVerb(fact, answer) ||
    hasNoNoun(fact, answer) ||
    isGeneralWord(answer.toLowerCase()) ||
    (GENERIC_NOUN.test(answer) && fact.emphasised.length === 0),
  when: (candidate) =>
    DOUBLE_WHEN.test(candidate.question) || ADVICE_QUESTION.test(candidate.question) || isNamedAfter(candidate),
  term: (candidate) =>
    NOT_A_DEFINITION.test(termDescription(candidate)) ||
    COMPARISON_ANSWER.test(termDescription(candidate)) ||
    isPluralForSingular(candidate) ||
    isSingularForPlural(candidate),
  why: ({ question, answer }) => /^(?:While|Although)\b/.test(answer) || /\bthought of as\b/.test(question),
  list: ({ question }) => EXAMPLES_QUESTION.test(question),
  fact: ({ question, answer }) =>
    COUNT_INSTEAD_OF_NAMES.test(answer) ||
    INDEFINITE_QUANTITY.test(answer) ||
    DESCRIPTION_WITHOUT_NAME.test(answer) ||
    EVALUATION_ANSWER.test(answer) ||
    INDEFINITE_QUESTION.test(question) ||
    /^What (?:might|could)\b/.test(question) ||
    (CONVERSION_QUESTION.test(question) && / (?:into|together|apart)\b/.test(answer)) ||
    /^What (?:do|does) \p{L}+ing (?:or|and) \p{L}+ing\b/u.test(question) ||
    /\b(?:using|including|prior \p{L}+)\?$|^(?:[^:]{2,60}: )?What (?:is|are) .* (?:issued|sent|given|paid|submitted) to\?$|^What (?:allows|enables|permits) to\b/u.test(
      question,
    ),
};

/** "The latter approach is known as ____": only the sentence before says which one. */
const STARTS_WITH_LATTER =
  /^(?:[^:?_]{2,60}: )?The (?:latter|former) (?:\p{Ll}+ )?(?:is|are|was|were|can|may|has|have)\b/u;

/** Questions that refer to something missing or leave something open. */
const VAGUE_QUESTIONS = [
  UNSPECIFIED_SUBJECT,
  INFLECTED_SECOND_VERB,
  UNRESOLVED_THAT,
  UNRESOLVED_PROCESS,
  /\b[Tt]hese latter\b/,
  STARTS_WITH_LATTER,
];
const VAGUE_ANSWERS = [PARAMETER_ANSWER, UNSPECIFIED_CERTAIN, PLACEHOLDER, INCOMPLETE_LIST, UNFINISHED];

/** Whether a card is worthless for any source, because it has several right answers or no right answer. */
export function shouldReject(candidate: Candidate): boolean {
  const { style, question, answer, fact } = candidate;
  const dropsCondition = style !== "cloze" && EXCEPTION.test(fact.text) && !EXCEPTION.test(`${question} ${answer}`);
  return (
    dropsCondition ||
    VAGUE_QUESTIONS.some((pattern) => pattern.test(question)) ||
    VAGUE_ANSWERS.some((pattern) => pattern.test(answer)) ||
    (style !== "definition" && asksTooBroadly(question)) ||
    (style !== "cloze" && repeatsQuestion(candidate)) ||
    REJECTION_RULES[style]?.(candidate) === true
  );
}
