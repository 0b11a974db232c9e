import { contentStems } from "#shared/text/words.ts";

/** A verb that says nothing without its object: "What does the use of vectors have?" */
const ENDS_EMPTY = /\b(?:even|only|just|also|have|has|be|is|are|do|does|make|made|become|include|get|show)\?$/iu;
/** "What does typically creep up": the subject of the sentence was lost. */
const LACKS_SUBJECT =
  /\b(?:do|does|did)\s(?:\p{L}+ly|often|also|not|then|still|just|never|always|indeed|usually|well)\b/iu;
/** The first noun after the verb of a question: "What are services combined into?" */
const SUBJECT = /^(?:\S+,\s)?(?:what|who|where|when|how)\s(?:is|are|was|were|do|does|did|can|must)\s(\p{Ll}{3,})\s/iu;

/** "What is drugs that raise the activity?": one of many. */
const MIXES_NUMBER = /^what is (?:\p{Ll}+ )?\p{Ll}+[^\Wius]s (?:that|of|who|which)\b/iu;
/** "What intended to feed the family withered?": half of a name, with its own verb. */
const CUTS_NAME =
  /^what \p{Ll}+ed (?:to|by|in|on|from|with|for|as) .*\s(?!\p{Ll}+eed\b)(?:\p{Ll}+ed|was|were|is|are|has|had)\b/iu;
/** "What would look to the next president?": people do that. */
const IS_PERSON =
  /^what (?:(?:would|could|can|will|did|has|have) )?(?:looks?|looked|says?|said|thinks?|thought|believes?|believed|argues?|argued|announces?|announced|presents?|presented|writes?|wrote|carried|hopes?|hoped|recalls?|recalled|remembers?|remembered|intends?|intended) /iu;
/** The part of a question's words that its answer must hold. */
const SHARED = 0.5;

/** Whether the sentence speaks of what the question asks about. */
function speaksOf(question: string, sentence: string): boolean {
  const asked = [...new Set(contentStems(question))];
  const held = new Set(contentStems(sentence));
  return asked.filter((stem) => held.has(stem)).length >= asked.length * SHARED;
}

/** A question with more of the sentence's words than this is the sentence, said twice. */
const REPEATED = 0.75;

/** "What has evolved processes to conserve water?" of "Desert plants have evolved processes to conserve water." */
function repeatsSentence(question: string, sentence: string): boolean {
  const asked = new Set(contentStems(question));
  const held = [...new Set(contentStems(sentence))];
  return held.length > MIN_STEMS && held.filter((stem) => asked.has(stem)).length > held.length * REPEATED;
}

/** A question about a shorter sentence always repeats most of its words. */
const MIN_STEMS = 4;

/** "Why are witnesses misled due to suggestibility?": asks for a cause, and names one. */
const NAMES_CAUSE = /^why\b.*\b(?:due to|because of|as a result of|thanks to|owing to)\b/iu;
/** "How is P680’s electron replaced?", "the top 100 passages": a detail. */
const ASKS_DETAIL = /\d/u;
/** "What happens when …": the answer is only where it begins. */
const ONLY_BEGINS = /\bthe (?:first|next|last|final) (?:task|step|thing)\b/iu;
/** "What happens when inflation happens?" */
const ASKS_ITSELF = /\bhappens when .*\b(?:happens|occurs)\?$/iu;
const FAULTS = [NAMES_CAUSE, ENDS_EMPTY, LACKS_SUBJECT, MIXES_NUMBER, CUTS_NAME, IS_PERSON, ASKS_ITSELF];
/** "The load factor is an important concept": does not say what it is. */
export const SAYS_LITTLE =
  /\b(?:is|are) (?:an?|the|one of the|among the) (?:very |most |other )?(?:important|key|main|final|common|popular|central|first|last|major|essential|useful|good|great|simple|second|third|next)\b/iu;

/** What a term is, why something happens and what follows from it: who knows the subject can answer that unheard. */
const RECALLED =
  /^(?:why|how|what (?:is|are) (?:an? |the )?[\p{L}\p{N}’'()-]+(?: [\p{L}\p{N}’'()-]+){0,3}\?$|what (?:happens|do(?:es)? .* (?:refer to|mean|describe|measure|depend on|involve|consist of)\b)|where (?:is|are|do|does)\b|when (?:is|are|do|does)\b)/iu;

/** "What is photosynthesis essential to?": one sentence of one book. */
const ENDS_OPEN = /^what (?:is|are) .*\b(?:to|of|in|for|by|with|from|on|at|into|as|called|named)\?$/iu;

/** Whether a question can be answered by somebody who knows the subject, before the source's sentence is heard. */
export const isRecalled = (question: string): boolean =>
  RECALLED.test(question) && !ENDS_OPEN.test(question) && !ASKS_DETAIL.test(question);

/** "What is a pigment?": the term. */
const ASKS_TERM = /^what (?:is|are) (?:an? |the )?(.+)\?$/iu;

/** "Embedded in it is chlorophyll, a pigment": mentions the term, and does not say what it is. */
function saysWhatItIs(question: string, sentence: string): boolean {
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

/** Whether a question about a sentence can be put to a listener as it is. */
export function isAskable(question: string, sentence: string): boolean {
  if (FAULTS.some((fault) => fault.test(question)) || !speaksOf(question, sentence)) return false;
  if (/^what (?:is|are)\b/iu.test(question) && SAYS_LITTLE.test(sentence)) return false;
  if (!saysWhatItIs(question, sentence) || ONLY_BEGINS.test(sentence)) return false;
  if (!/^(?:why|how)\b/iu.test(question) && repeatsSentence(question, sentence)) return false;
  const subject = SUBJECT.exec(question)?.[1];
  if (subject === undefined || /^(?:the|this|that|these|those|each|every|most|some|all|any|its|their)$/iu.test(subject))
    return true;
  // Half of a pair or of a longer name: "goods and services", "a basket of goods".
  return !new RegExp(`\\b(?:and|or|of)\\s${subject}\\b`, "iu").test(sentence);
}
