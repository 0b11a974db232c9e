import { t } from "#shared/messages/translate.ts";
import type { Given, QuizQuestion } from "#shared/quiz/schema.ts";
import { spokenForm } from "#webapp/study/speech.ts";

/** The student's answer as text; empty if there was none. */
export function saidBy(given: Given, question: QuizQuestion): string {
  if (given === null) return "";
  if ("text" in given) return given.text.trim();
  if ("isTrue" in given) return t(given.isTrue ? "quiz.true" : "quiz.false");
  const option = question.type === "multiple_choice" ? question.options[given.option] : undefined;
  return spokenForm(option?.text ?? "") || t("quiz.picture");
}
