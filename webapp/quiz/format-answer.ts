import { t } from "#shared/messages/translate.ts";
import type { QuizAnswer, QuizQuestion } from "#shared/quiz/schema.ts";
import { toSpokenText } from "#webapp/study/speech.ts";

/** Formats the student's answer as text; empty if the student gave no answer. */
export function formatStudentAnswer(studentAnswer: QuizAnswer, question: QuizQuestion): string {
  if (studentAnswer === null) return "";
  if ("text" in studentAnswer) return studentAnswer.text.trim();
  if ("isTrue" in studentAnswer) {
    const verdict = t(studentAnswer.isTrue ? "quiz.true" : "quiz.false");
    const shown = question.type === "true_false" ? toSpokenText(question.shown.text) : "";
    return shown === "" ? verdict : t("quiz.judged", { verdict, text: shown });
  }
  const option = question.type === "multiple_choice" ? question.options[studentAnswer.option] : undefined;
  return toSpokenText(option?.text ?? "") || t("quiz.picture");
}
