import type { Flashcard } from "#shared/flashcards/schema.ts";
import { judge } from "#shared/quiz/quiz.ts";
import type { Given, Judgement, QuizQuestion } from "#shared/quiz/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** After this time the local comparison decides. */
const PATIENCE_MS = 10_000;

/**
 * Grades an answer. A short answer that does not match the card's words is graded by the model, if there is one and a
 * network; everything else is graded on this device.
 */
export async function judgeWell(
  question: QuizQuestion,
  card: Flashcard,
  given: Given,
): Promise<Judgement & { judgedBy: string | null }> {
  const byWords = { ...judge(question, card, given), judgedBy: null };
  const isOpen = question.type === "short_response" && given !== null && "text" in given;
  if (!isOpen || byWords.verdict === "right" || !navigator.onLine) return byWords;
  try {
    const asked = { question: card.question, answer: card.answer, given: given.text };
    return await client.quiz.gradeAnswer(asked, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    logTrouble("Model grading failed; the answer was graded locally", error);
    return byWords;
  }
}
