import { BLANK, type EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { toSpeech } from "../../speech/to-speech.ts";
import { isClearInContext } from "../self-contained.ts";
import { isAskable, isAnswerableFromMemory } from "./questions.ts";
import type { ScriptQuestion } from "../script-source.ts";

/** The topic at the beginning of a card's question. */
const TOPIC_PREFIX = /^[^:?]{2,80}:\s(?=\p{Lu})/u;
/** A longer question is nearly its own answer, so the listener would hear the sentence twice. */
const MAX_QUESTION_CHARS = 110;
/** The share of an answer's words that a sentence must contain. */
const MIN_ANSWER_SHARE = 0.75;

const contentOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu));

/** The share of an answer's words that a sentence contains, 0 to 1. */
function shareIn(sentence: string, answer: string): number {
  const [words, wanted] = [contentOf(sentence), [...contentOf(answer)]];
  if (wanted.length === 0) return sentence.toLowerCase().includes(answer.trim().toLowerCase()) ? 1 : 0;
  return wanted.filter((word) => words.has(word)).length / wanted.length;
}

/** The sentence of a card's quote that answers it; undefined if the answer is spread over several sentences. */
function sentenceWith(passage: Passage, { quote, answer }: EngineCard): string | undefined {
  const at = passage.text.indexOf(quote.slice(0, Math.min(40, quote.length)));
  if (at === -1) return undefined;
  const sentences = splitSentences(passage.text).filter(({ start, end }) => end > at && start < at + quote.length);
  return sentences.find(({ text }) => shareIn(text, answer) >= MIN_ANSWER_SHARE)?.text.trim();
}

/** "What does forgetting refer to?" becomes "What is meant by forgetting?". */
const simplifyQuestion = (question: string) =>
  question.replace(/^what (?:does|do) (.+) refer to\?$/iu, (_, term: string) => `What is meant by ${term}?`);

/** What the host asks so that the card's sentence is the answer; undefined if that would give the answer away. */
function questionOf({ kind, question }: EngineCard): ScriptQuestion | undefined {
  if (kind === "qa")
    return question.endsWith("?")
      ? { kind: "card", text: simplifyQuestion(question.replace(TOPIC_PREFIX, "")) }
      : undefined;
  const match = new RegExp(`^(.{15,})\\s${BLANK}[.\\s]*$`, "u").exec(question.replace(TOPIC_PREFIX, ""));
  return match?.[1] === undefined ? undefined : { kind: "completion", text: match[1] };
}

/**
 * "A stack of thylakoids is called …", "A granum is a …". Only the end of such a sentence is worth asking for; the end
 * of any other sentence is a detail of its source.
 */
const ENDS_BEFORE_DEFINITION = /\b(?:is|are|means|called|termed|named|known as|referred to as)(?: (?:an?|the))?$/iu;

const isUsable = ({ kind, text }: ScriptQuestion, sentence: string) =>
  text.length <= MAX_QUESTION_CHARS &&
  toSpeech(text) !== undefined &&
  isAskable(text, sentence) &&
  (kind === "completion" ? ENDS_BEFORE_DEFINITION.test(text) : isAnswerableFromMemory(text));

/** "What are the neurons, and how are they linked?": a question that the author asks and then answers. */
const QUESTION_OF_SOURCE = /^(?:what|why|how|when|where|who|which)\b[^?]{12,}\?$/iu;
const ADDRESSES_READER = /\b(?:you|your|we|our|us|I|my|this|these|that|those|it|he|she|they)\b/iu;

/** The source's own question before a sentence, if the host can ask it. */
export function readOwnQuestion(before: string | undefined): ScriptQuestion | undefined {
  if (before === undefined || !QUESTION_OF_SOURCE.test(before) || before.length > MAX_QUESTION_CHARS) return undefined;
  const isClear = isClearInContext(before) && toSpeech(before) !== undefined;
  return isClear && !ADDRESSES_READER.test(before) ? { kind: "source", text: before } : undefined;
}

/**
 * The questions of a passage's cards that somebody who knows the subject can answer, by the sentence that answers them.
 */
export function readQuestions(passage: Passage, cards: readonly EngineCard[]): Map<string, ScriptQuestion> {
  const questions = new Map<string, ScriptQuestion>();
  for (const card of cards) {
    const question = questionOf(card);
    const sentence = question && sentenceWith(passage, card);
    if (!question || sentence === undefined || !isUsable(question, sentence)) continue;
    if (question.kind === "card" || !questions.has(sentence)) questions.set(sentence, question);
  }
  return questions;
}
