import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";

const MAX_DESCRIPTION = 80;
/** When asked for a topic, students answer with a few words. */
const MAX_TOPIC_WORDS = 8;

const QUESTION_WORDS =
  "what|who|whom|whose|why|how|when|where|which|is|are|was|were|do|does|did|can|could|should|was|wer|wen|wem|wie|warum|wieso|weshalb|wann|wo|woher|wohin|wozu|welche[rsnm]?|ist|sind|waren|kann|können";
const STARTS_AS_QUESTION = new RegExp(String.raw`^(?:${QUESTION_WORDS})(?!\p{L})`, "iu");
const ASKS = new RegExp(String.raw`\?\s*$|^\s*(?:${QUESTION_WORDS}|compare|explain|vergleiche|erkläre)(?!\p{L})`, "iu");
const REFERS_BACK =
  /(?:^|[^\p{L}])(?:it|this|that|these|those|they|them|es|dies|dieses|diese|das hier|davon)(?!\p{L})/iu;

/** Whether a text is a question rather than a topic. */
export const isQuestion = (text: string) => ASKS.test(text);
/** Whether a text refers to something that it does not name. */
export const refersBack = (text: string) => REFERS_BACK.test(text);

const toLine = (text: string) => text.trim().replaceAll(/\s+/g, " ");
const termsOf = (text: string) => searchTerms(contentQuery(text));
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** A text in one line, cut between words. */
export function describeQuestion(question: string): string {
  const line = toLine(question);
  if (line.length <= MAX_DESCRIPTION) return line;
  const cut = line.slice(0, MAX_DESCRIPTION);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_DESCRIPTION / 2)).trimEnd()}…`;
}

/** "ribosomes: How do ribosomes make proteins?" → "How do ribosomes make proteins?" */
function withoutRepeatedTopic(text: string): string {
  const [, topic = "", rest = ""] = /^([^:?!]+):\s+(.+)$/u.exec(text) ?? [];
  if (rest === "" || isQuestion(topic) || !isQuestion(rest)) return text;
  const restTerms = new Set(termsOf(rest));
  return termsOf(topic).every((term) => restTerms.has(term)) ? rest : text;
}

/** Joins a question with the student's reply to the question back. */
export function joinAnswer(question: string, answer: string): string {
  const asked = toLine(question).replace(/[.\s]+$/, "");
  const topic = toLine(answer).replace(/[.\s]+$/, "");
  const isTopic = topic.split(" ").length <= MAX_TOPIC_WORDS && !isQuestion(topic);
  if (isTopic && isQuestion(asked) && refersBack(asked)) return `${topic}: ${lowerFirst(asked)}`;
  return withoutRepeatedTopic(`${asked}: ${toLine(answer)}`);
}

/** Words such as "mRNA" and "pH" keep their lower-case first letter. */
const upperFirst = (text: string) =>
  /^\p{Ll}+(?:\p{Lu}|\d)/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** The title of a session: its question in one line, capitalised like a sentence. */
export function titleOf(question: string): string {
  const line = withoutRepeatedTopic(toLine(question)).replace(/[.,;:\s]+$/, "");
  const title = describeQuestion(line);
  const asks = !/[.!?]\s/.test(line) && STARTS_AS_QUESTION.test(line);
  return upperFirst(asks && /[\p{L}\p{N})”"“’]$/u.test(title) ? `${title}?` : title);
}
