/** The log of administrator access, in the settings. */
export const accessLog = {
  title: "Administrator access",
  text: "Administrators can't open your pages, cards or files. They can read what you share with a rating, and, if prompt logging is on, what was sent to a language model. Every access is listed here.",
  none: "No administrator has read anything of yours.",
  failed: "The list could not be loaded.",
  shared_answer: "{{admin}} read an answer that you shared",
  shared_card: "{{admin}} read a card that you shared",
  shared_completion: "{{admin}} read a completion that you shared",
  logged_answer: "{{admin}} read a logged prompt of yours",
} as const;
