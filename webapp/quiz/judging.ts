import type { Flashcard } from "#shared/flashcards/schema.ts";
import { judge } from "#shared/quiz/quiz.ts";
import type { Given, Judgement, QuizQuestion } from "#shared/quiz/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** The student waits: after this the words decide. */
const PATIENCE_MS = 10_000;

/**
 * What an answer is worth. A short answer that does not match by its words is shown to the model, where there is one and
 * a network; otherwise, and for everything else, the rules decide on this device.
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
    logTrouble("An answer was judged by its words alone", error);
    return byWords;
  }
}
