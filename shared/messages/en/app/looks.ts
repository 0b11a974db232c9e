/** What administrators read of a student, in the settings. */
export const looks = {
  title: "Looks by administrators",
  text: "Administrators can't open your pages, cards or files. They can read what you share with a rating, and, if the log of prompts is switched on, what was sent to a language model. Each look is listed here.",
  none: "Nobody has looked at anything.",
  failed: "The list could not be loaded.",
  shared_answer: "{{admin}} read an answer that you had shared",
  shared_card: "{{admin}} read a card that you had shared",
  shared_completion: "{{admin}} read a completion that you had shared",
  logged_answer: "{{admin}} read an entry of the log of prompts",
} as const;
