import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { answerShare } from "#shared/tutor/extraction/answer-share.ts";
import type { Excerpt, FoundPassage } from "#shared/tutor/extraction/excerpts.ts";
import { selectAnswer, selectCentral } from "#shared/tutor/extraction/select-answer.ts";
import type { Selection } from "#shared/tutor/schema.ts";
import type { Model } from "#api/ai/port.ts";
import { escapeMarkdown, phrase } from "#shared/tutor/phrases.ts";
import { citationOf, type RetrievedPassage, type AnswerBuilder } from "./answer-builder.ts";
import { findStatement, type Quote } from "./derived-cards.ts";
import type { RetrievalResult } from "./retrieve.ts";
import type { PendingQuestion } from "../store.ts";

/** Number of closest passages to show if the sources do not cover the question. */
const MAX_CLOSEST = 2;
/** Passages with the student's selection rank higher. */
const SELECTION_FACTOR = 1.5;
const MIN_RIGHT = 0.6;
const MIN_PARTLY = 0.3;
/** Passages that are searched together for facts to ask about. */
const QUIZ_PASSAGE_LIMIT = 30;

interface ExplainRequest {
  found: RetrievalResult;
  /** Best context windows, from `findContextWindows`. */
  windows: readonly (readonly RetrievedPassage[])[];
  selection: Selection | null;
  maxWords: number;
  /** The student asked for a summary, perhaps of one topic. */
  isSummary: boolean;
}

/** The beginning of a selection identifies its passage. */
const SELECTION_CHARS = 60;

export function toFoundPassage(
  { passage, position, score, source }: RetrievedPassage,
  selection: Selection | null,
): FoundPassage {
  const isSelected = selection !== null && passage.text.includes(selection.text.slice(0, SELECTION_CHARS).trim());
  return {
    text: passage.text,
    score: isSelected ? score * SELECTION_FACTOR : score,
    heading: passage.locator.heading ?? "",
    sourceId: source.id,
    title: source.title,
    position,
    isCard: source.kind === "deck",
  };
}

/** A capitalised word that does not begin the question. */
const NAME = /(?<=[^.!?\s]\s+)\p{Lu}[\p{L}-]+/gu;

/** Whether a passage contains one of the names in the question; true for a question without names. */
function hasName(question: string, text: string): boolean {
  const names = searchTerms((question.match(NAME) ?? []).join(" "));
  const textTerms = new Set(searchTerms(text));
  return names.length === 0 || names.some((name) => textTerms.has(name));
}

/**
 * Extractive answer: the passages that answer the question, word for word. Further passages follow, which the screen
 * collapses.
 */
export function writeExplanation(
  answer: AnswerBuilder,
  { found, windows, selection, maxWords, isSummary }: ExplainRequest,
): void {
  const hits = windows.flat();
  const passages = hits.map((hit) => toFoundPassage(hit, selection));
  const isAboutWhole = isSummary || searchTerms(contentQuery(found.question)).length === 0;
  const { best, more, isCovered } = isAboutWhole
    ? { best: selectCentral(passages, maxWords), more: [], isCovered: true }
    : selectAnswer(found.question, passages);
  const shown = isCovered ? best : best.filter(({ text }) => hasName(found.question, text)).slice(0, MAX_CLOSEST);
  if (shown.length === 0) {
    answer.write(phrase(found.sources.length === 0 ? "no_sources" : "nothing"));
    return;
  }
  const quotes = listQuotes(shown, hits, []);
  const writeQuotes = (list: readonly Quote[]) => {
    for (const { hit, text } of list) {
      answer.write("\n\n", escapeMarkdown(text));
      answer.citeIn(hit, text);
    }
  };
  answer.write(phrase(isCovered ? "builtin_lead" : "closest"));
  writeQuotes(quotes);
  const further = isCovered ? listQuotes(more, hits, quotes) : [];
  if (further.length === 0) return;
  answer.write("\n\n", phrase("more_passages"));
  writeQuotes(further);
}

/** What excerpts quote, each once. Of a card and its source, the source is quoted. */
function listQuotes(
  excerpts: readonly Excerpt[],
  hits: readonly RetrievedPassage[],
  earlier: readonly Quote[],
): Quote[] {
  const quotes: Quote[] = [];
  for (const { passage, text } of excerpts) {
    const hit = hits[passage];
    const quote = hit && (findStatement(hit, hits) ?? { hit, text });
    if (quote && ![...earlier, ...quotes].some((other) => other.text.includes(quote.text))) quotes.push(quote);
  }
  return quotes;
}

/** Grades a student's answer against the expected one. */
export function writeVerdict(answer: AnswerBuilder, pending: PendingQuestion, studentAnswer: string): void {
  const share = answerShare(studentAnswer, pending.answer);
  const verdict = share >= MIN_RIGHT ? "right" : share >= MIN_PARTLY ? "partly" : "wrong";
  answer.write(phrase(verdict, { answer: pending.answer }));
  if (pending.citation) answer.cite(pending.citation);
}

interface QuizContext {
  model: Model;
  topic: string;
  signal: AbortSignal;
  previousQuestions: readonly string[];
}

/** Picks a quiz question: a card from the student's decks, otherwise a question generated from the sources. */
async function findQuestion(
  found: RetrievalResult,
  { model, topic, signal, previousQuestions }: QuizContext,
): Promise<PendingQuestion | undefined> {
  const previousSet = new Set(previousQuestions);
  const decks = found.passages.filter(({ source }) => source.kind === "deck");
  for (const hit of decks) {
    const split = hit.passage.text.indexOf("? ");
    if (split === -1) continue;
    const question = hit.passage.text.slice(0, split + 1);
    if (previousSet.has(question)) continue;
    const expected = hit.passage.text.slice(split + 2);
    const citation = citationOf(hit, hit.passage.text);
    return { question, answer: expected, citation, topic, previousQuestions: [...previousQuestions, question] };
  }
  return generateQuestion(
    found.passages.filter(({ source }) => source.kind !== "deck"),
    { model, topic, signal, previousQuestions },
  );
}

/** The first generated question that was not asked yet; the best facts of each part come before the other facts. */
async function generateQuestion(
  hits: readonly RetrievedPassage[],
  { model, topic, signal, previousQuestions }: QuizContext,
): Promise<PendingQuestion | undefined> {
  const askedSet = new Set(previousQuestions);
  for (const density of ["LOW", "AUTO"] as const)
    for (let from = 0; from < hits.length; from += QUIZ_PASSAGE_LIMIT) {
      const part = hits.slice(from, from + QUIZ_PASSAGE_LIMIT);
      const passages = part.map(({ passage }, index) => ({ ...passage, id: String(index), bold: [], italic: [] }));
      for await (const event of model.generateCards({ passages, options: { density }, existing: [], signal })) {
        if (event.type !== "card" || askedSet.has(event.card.question)) continue;
        const hit = part[Number(event.card.passageId)];
        if (!hit) continue;
        const { question, answer, quote } = event.card;
        return {
          question,
          answer,
          citation: citationOf(hit, quote),
          topic,
          previousQuestions: [...previousQuestions, question],
        };
      }
    }
  return undefined;
}

interface QuizTurn extends Omit<QuizContext, "previousQuestions"> {
  studentAnswer: string;
  /** Whether the student asked for a question instead of answering the pending one. */
  isRequest: boolean;
  pending: PendingQuestion | null;
}

/** Grades the answer and asks the next question; undefined if no question is left. */
export async function writeQuizTurn(
  answer: AnswerBuilder,
  found: RetrievalResult,
  quizTurn: QuizTurn,
): Promise<PendingQuestion | undefined> {
  const { studentAnswer, pending, isRequest } = quizTurn;
  const isGraded = pending !== null && !isRequest;
  if (isGraded) {
    writeVerdict(answer, pending, studentAnswer);
    answer.write("\n\n");
  }
  const next = await findQuestion(found, { ...quizTurn, previousQuestions: pending?.previousQuestions ?? [] });
  if (!next) {
    answer.write(phrase(pending ? "no_more_questions" : "no_question"));
    return undefined;
  }
  answer.write(phrase(isGraded ? "next_question" : "quiz_question", { question: next.question }));
  return next;
}

/** Socratic mode: points to a passage and asks instead of explaining. */
export async function writeSocraticTurn(
  answer: AnswerBuilder,
  found: RetrievalResult,
  quizTurn: QuizTurn,
): Promise<PendingQuestion | undefined> {
  const { studentAnswer: question, pending } = quizTurn;
  if (pending) {
    writeVerdict(answer, pending, question);
    answer.write("\n\n");
  }
  const best: RetrievedPassage | undefined = found.passages[0];
  if (!best) {
    answer.write(phrase(found.sources.length === 0 ? "no_sources" : "nothing"));
    return undefined;
  }
  const nearestSources = { ...found, passages: found.passages.slice(0, 8) };
  const next = await findQuestion(nearestSources, { ...quizTurn, previousQuestions: pending?.previousQuestions ?? [] });
  const [first] = selectAnswer(question, [toFoundPassage(best, null)]).best;
  answer.write(phrase("hint"));
  answer.citeIn(best, first?.text ?? best.passage.text);
  if (next) answer.write("\n\n", phrase("socratic_question", { question: next.question }));
  return next;
}
