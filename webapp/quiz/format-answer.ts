import { t } from "#shared/messages/translate.ts";
import type { QuizAnswer, QuizQuestion } from "#shared/quiz/schema.ts";
import { toSpokenText } from "#webapp/study/speech.ts";

/** The student's answer as text; empty if there was none. */
export function formatStudentAnswer(studentAnswer: QuizAnswer, question: QuizQuestion): string {
  if (studentAnswer === null) return "";
  if ("text" in studentAnswer) return studentAnswer.text.trim();
  if ("isTrue" in studentAnswer) return t(studentAnswer.isTrue ? "quiz.true" : "quiz.false");
  const option = question.type === "multiple_choice" ? question.options[studentAnswer.option] : undefined;
  return toSpokenText(option?.text ?? "") || t("quiz.picture");
}
