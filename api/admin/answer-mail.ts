import { mails as german } from "#shared/messages/de/account/mails.ts";
import { mails as english } from "#shared/messages/en/account/mails.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Mail } from "#api/outside/mailer.ts";

const subjects: Readonly<Record<Language, string>> = {
  en: english.feedback_answer_subject,
  de: german.feedback_answer_subject,
};

/** Composes the answer, with the feedback quoted below it. */
export function composeFeedbackAnswer(
  { email, feedback }: { email: string; feedback: string },
  answer: string,
  language: Language,
): Mail {
  const quoted = feedback
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
  return { to: email, subject: subjects[language], text: `${answer}\n\n${quoted}\n` };
}
