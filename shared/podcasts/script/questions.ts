/** A verb that says nothing without its object: "What does the use of vectors have?" */
const ENDS_EMPTY = /\b(?:have|has|be|is|are|do|does|make|made|become|include|get|show)\?$/iu;
/** "What does typically creep up": the subject of the sentence was lost. */
const LACKS_SUBJECT =
  /\b(?:do|does|did)\s(?:\p{L}+ly|often|also|not|then|still|just|never|always|indeed|usually|well)\b/iu;
/** The first noun after the verb of a question: "What are services combined into?" */
const SUBJECT = /^(?:\S+,\s)?(?:what|who|where|when|how)\s(?:is|are|was|were|do|does|did|can|must)\s(\p{Ll}{3,})\s/iu;

/** Whether a question about a sentence can be put to a listener as it is. */
export function isAskable(question: string, sentence: string): boolean {
  if (ENDS_EMPTY.test(question) || LACKS_SUBJECT.test(question)) return false;
  const subject = SUBJECT.exec(question)?.[1];
  if (subject === undefined || /^(?:the|this|that|these|those|each|every|most|some|all|any|its|their)$/iu.test(subject))
    return true;
  // Half of a pair or of a longer name: "goods and services", "a basket of goods".
  return !new RegExp(`\\b(?:and|or|of)\\s${subject}\\b`, "iu").test(sentence);
}
