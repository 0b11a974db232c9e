import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { wordsOf } from "#shared/text/words.ts";
import { excerptsOfAll } from "#shared/tutor/extraction/excerpts.ts";
import { splitAtMore } from "#shared/tutor/message-parts.ts";
import { asksToSummariseAnswer } from "#shared/tutor/requests.ts";
import type { ConversationTurn } from "../conversation-history.ts";
import type { MessageDoc } from "../store.ts";
import type { RetrievedPassage } from "./answer-builder.ts";

/** The answer that "Sum it up" means: the last one, if it cites sources. */
function findAnswerToSummarise(question: MessageDoc, turns: readonly ConversationTurn[]): MessageDoc | undefined {
  const last = turns.at(-1)?.message;
  const isAnswer = last?.role === "assistant" && last.mode === question.mode && last.citations.length > 0;
  return isAnswer && asksToSummariseAnswer(question.text) ? last : undefined;
}

export const findLastQuestion = (turns: readonly ConversationTurn[]): string | undefined =>
  turns.findLast(({ message }) => message.role === "user")?.message.text;

/** The question of the answer to summarise. A summary of the source is not about the question before it. */
export const findSummarisedQuestion = (question: MessageDoc, turns: readonly ConversationTurn[]): string | undefined =>
  findAnswerToSummarise(question, turns) ? findLastQuestion(turns) : undefined;

/** A quote from its first to its last sentence about the question, if they can be understood alone. */
function cutToQuestion(quote: string, questionTerms: ReadonlySet<string>): string {
  const about = splitSentences(quote).filter(({ text }) => searchTerms(text).some((term) => questionTerms.has(term)));
  const [first, last] = [about[0], about.at(-1)];
  const cut = first && last ? quote.slice(first.start, last.end) : quote;
  return excerptsOfAll([{ text: cut, score: 1 }]).length > 0 ? cut : quote;
}

/** What the answer to summarise quotes, as passages of their own; undefined if there is no such answer. */
export function quotesToSummarise(
  question: MessageDoc,
  turns: readonly ConversationTurn[],
  passages: readonly RetrievedPassage[],
): RetrievedPassage[] | undefined {
  const answer = findAnswerToSummarise(question, turns);
  const questionTerms = new Set(searchTerms(contentQuery(findLastQuestion(turns) ?? "")));
  // Further passages, which the screen collapses, are not part of the answer.
  const shown = new Set(splitAtMore(answer?.parts ?? []).shown.map((part) => (part.type === "citation" ? part.n : 0)));
  const quoted = (answer?.citations ?? []).flatMap(({ n, quote }) => {
    if (!shown.has(n)) return [];
    const hit = passages.find(({ passage }) => passage.text.includes(quote));
    return hit ? [{ ...hit, passage: { ...hit.passage, text: cutToQuestion(quote, questionTerms) } }] : [];
  });
  return quoted.length > 0 ? quoted : undefined;
}

/** A summary has about half of the words, but at least one sentence. */
export const countSummaryWords = (quoted: readonly RetrievedPassage[]): number =>
  Math.ceil(quoted.reduce((sum, { passage }) => sum + wordsOf(passage.text).length, 0) / 2);
