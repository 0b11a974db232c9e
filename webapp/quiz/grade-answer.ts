import type { Flashcard } from "#shared/flashcards/schema.ts";
import { judgeAnswer } from "#shared/quiz/quiz.ts";
import type { QuizAnswer, Judgement, QuizQuestion } from "#shared/quiz/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";

/** If the model has not responded within this time, the local grading is used. */
const TIMEOUT_MS = 10_000;

/**
 * Grades an answer. A short answer that does not match the card's words is graded by the model, if there is a model and
 * a network. All other answers are graded on this device.
 */
export async function gradeAnswer(
  question: QuizQuestion,
  card: Flashcard,
  studentAnswer: QuizAnswer,
): Promise<Judgement & { judgedBy: string | null }> {
  const localResult = { ...judgeAnswer(question, card, studentAnswer), judgedBy: null };
  const isShortAnswer = question.type === "short_response" && studentAnswer !== null && "text" in studentAnswer;
  if (!isShortAnswer || localResult.verdict === "right" || !navigator.onLine) return localResult;
  try {
    const input = { question: card.question, answer: card.answer, studentAnswer: studentAnswer.text };
    return await client.quiz.gradeAnswer(input, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    logWarning("Model grading failed; the answer was graded locally", error);
    return localResult;
  }
}
