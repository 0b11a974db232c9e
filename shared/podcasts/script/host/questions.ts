import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal } from "#shared/text/tokens.ts";
import { contentStems } from "#shared/text/words.ts";

/** Ends in a verb that needs an object: "What does the use of vectors have?" */
const INCOMPLETE_END = /\b(?:even|only|just|also|have|has|be|is|are|do|does|make|made|become|include|get|show)\?$/iu;
/** "What does typically creep up": the subject is missing. */
const WITHOUT_SUBJECT =
  /\b(?:do|does|did)\s(?:\p{L}+ly|often|also|not|then|still|just|never|always|indeed|usually|well)\b/iu;
/** The first noun after the verb of a question: "What are services combined into?" */
const SUBJECT = /^(?:\S+,\s)?(?:what|who|where|when|how)\s(?:is|are|was|were|do|does|did|can|must)\s(\p{Ll}{3,})\s/iu;

/** "What is drugs that raise the activity?": mixes singular and plural. */
const SINGULAR_VERB_WITH_PLURAL = /^what is (?:\p{Ll}+ )?\p{Ll}+[^\Wius]s (?:that|of|who|which)\b/iu;
/** "What intended to feed the family withered?": the name was cut and its participle was taken for the verb. */
const PART_OF_NAME =
  /^what \p{Ll}+ed (?:to|by|in|on|from|with|for|as) .*\s(?!\p{Ll}+eed\b)(?:\p{Ll}+ed|was|were|is|are|has|had)\b/iu;
/** "What would look to the next president?": asks "what" about a person. */
const ABOUT_PERSON =
  /^what (?:(?:would|could|can|will|did|has|have) )?(?:looks?|looked|says?|said|thinks?|thought|believes?|believed|argues?|argued|announces?|announced|presents?|presented|writes?|wrote|carried|hopes?|hoped|recalls?|recalled|remembers?|remembered|intends?|intended) /iu;
/** The share of a question's words that its answer must contain. */
const MIN_QUESTION_SHARE = 0.5;

/** Whether the sentence is about what the question asks. */
function isAboutQuestion(question: string, sentence: string): boolean {
  const asked = [...new Set(contentStems(question))];
  const stems = new Set(contentStems(sentence));
  return asked.filter((stem) => stems.has(stem)).length >= asked.length * MIN_QUESTION_SHARE;
}

/** A question that contains a larger share of the sentence's words only repeats the sentence. */
const MAX_REPEATED_SHARE = 0.75;
/** Sentences with fewer words are exempt, because any question about them repeats most of their words. */
const MIN_STEMS = 4;

/**
 * Whether a question repeats its sentence: "What has evolved processes to conserve water?" for "Desert plants have
 * evolved processes to conserve water."
 */
function repeatsSentence(question: string, sentence: string): boolean {
  const asked = new Set(contentStems(question));
  const stems = [...new Set(contentStems(sentence))];
  return stems.length > MIN_STEMS && stems.filter((stem) => asked.has(stem)).length > stems.length * MAX_REPEATED_SHARE;
}

/** "Why are witnesses misled due to suggestibility?": asks for a cause, but names it. */
const WHY_WITH_ITS_CAUSE = /^why\b.*\b(?:due to|because of|as a result of|thanks to|owing to)\b/iu;
/** "How is P680’s electron replaced?", "the top 100 passages": asks for a detail. */
const ANY_DIGIT = /\d/u;
/** "What happens when …": the sentence gives only the beginning of the answer. */
const FIRST_OR_NEXT_STEP = /\bthe (?:first|next|last|final) (?:task|step|thing)\b/iu;
/** "What happens when inflation happens?": asks about itself. */
const HAPPENS_WHEN_IT_HAPPENS = /\bhappens when .*\b(?:happens|occurs)\?$/iu;
/** "What is prices?": the plural of a word that is also used in the singular. */
function asksPluralAsOne(question: string): boolean {
  const [, term = ""] = /^what is (\p{Ll}+)\?$/iu.exec(question) ?? [];
  const [token] = tagSentence(term);
  return token !== undefined && isNominal(token) && /(?<!ic|[siu])s$/u.test(token.lower) && token.lemma !== token.lower;
}

/** "What is what remains?": the subject was a clause. */
const ABOUT_CLAUSE = /^what (?:is|are) (?:what|how|why|where|when|that|it|there)\b/iu;

const FAULTS = [
  ABOUT_CLAUSE,
  WHY_WITH_ITS_CAUSE,
  INCOMPLETE_END,
  WITHOUT_SUBJECT,
  SINGULAR_VERB_WITH_PLURAL,
  PART_OF_NAME,
  ABOUT_PERSON,
  HAPPENS_WHEN_IT_HAPPENS,
];

const hasFault = (question: string) => FAULTS.some((fault) => fault.test(question)) || asksPluralAsOne(question);
/** "The load factor is an important concept": does not explain the concept. */
export const EXPLAINS_LITTLE =
  /\b(?:is|are) (?:an?|the|one of the|among the) (?:very |most |other |\p{Ll}+ly )?(?:important|key|main|final|common|popular|central|first|last|major|essential|useful|good|great|simple|second|third|next)\b/iu;

/**
 * Asks what a term is, why something happens, or what follows from it: a listener who knows the subject can answer that
 * from memory.
 */
const ANSWERABLE_FROM_MEMORY =
  /^(?:why|how|what (?:is|are) (?:an? |the )?[\p{L}\p{N}’'()-]+(?: [\p{L}\p{N}’'()-]+){0,3}\?$|what (?:happens|do(?:es)? .* (?:refer to|mean|describe|measure|depend on|involve|consist of)\b)|where (?:is|are|do|does)\b|when (?:is|are|do|does)\b)/iu;

/** "What is photosynthesis essential to?": asks for the wording of one source. */
const ENDS_WITH_PREPOSITION = /^what (?:is|are) .*\b(?:to|of|in|for|by|with|from|on|at|into|as|called|named)\?$/iu;

/** Whether a listener who knows the subject can answer a question from memory, before the sentence is spoken. */
export const isAnswerableFromMemory = (question: string): boolean =>
  ANSWERABLE_FROM_MEMORY.test(question) && !ENDS_WITH_PREPOSITION.test(question) && !ANY_DIGIT.test(question);

/** "What is a pigment?": captures the term. */
export const ASKS_TERM = /^what (?:is|are) (?:an? |the )?(.+)\?$/iu;

/** Whether a sentence defines the term of a question. "Embedded in it is chlorophyll, a pigment" only mentions it. */
function isDefinitionOf(question: string, sentence: string): boolean {
  const term = ASKS_TERM.exec(question)?.[1]?.toLowerCase();
  if (term === undefined) return true;
  const plain = sentence.toLowerCase().replaceAll(/\s?\([^)]*\)/gu, "");
  const [before, ...after] = plain.split(term);
  if (before === undefined || after.length === 0) return true;
  if (/^(?:(?:an?|the)\s)?$/u.test(before)) return true;
  if (/\b(?:called|termed|named|known as|referred to as|term)\s(?:(?:an?|the)\s)?[“"]?$/u.test(before)) return true;
  return after.some((rest) =>
    /^[”"]?,?\s(?:(?:is|are|was|were|means?|refers?|describes?|which|or|that is|the|an?)\b|\p{Ll}+(?:\s\p{Ll}+)?\s(?:that|which|who|of)\b)/u.test(
      rest,
    ),
  );
}

/** Whether the host can ask a question about a sentence unchanged. */
export function isAskable(question: string, sentence: string): boolean {
  if (hasFault(question) || !isAboutQuestion(question, sentence)) return false;
  if (/^what (?:is|are)\b/iu.test(question) && EXPLAINS_LITTLE.test(sentence)) return false;
  if (!isDefinitionOf(question, sentence) || FIRST_OR_NEXT_STEP.test(sentence)) return false;
  if (!/^(?:why|how)\b/iu.test(question) && repeatsSentence(question, sentence)) return false;
  const subject = SUBJECT.exec(question)?.[1];
  if (subject === undefined || /^(?:the|this|that|these|those|each|every|most|some|all|any|its|their)$/iu.test(subject))
    return true;
  // Reject half of a pair or of a longer name: "goods and services", "a basket of goods".
  return !new RegExp(`\\b(?:and|or|of)\\s${subject}\\b`, "iu").test(sentence);
}
