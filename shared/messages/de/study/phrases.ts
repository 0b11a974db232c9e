import type { phrases as english } from "../../en/study/phrases.ts";

/** What the tutor itself says in an answer or suggests as a question. */
export const phrases: Readonly<Record<keyof typeof english, string>> = {
  nothing: "Deine Quellen sagen dazu nichts. Nichts in ihnen handelt davon.",
  no_sources: "Hier gibt es noch keinen Text. Schreibe etwas oder wähle eine andere Quelle.",
  closest: "Deine Quellen sagen das nicht. Am nächsten kommen:",
  unread: "Nicht einbezogen, weil es noch verarbeitet wird: {{titles}}.",
  unread_more: "Nicht einbezogen, weil es noch verarbeitet wird: {{titles}} und {{more}} weitere.",
  builtin_lead: "Aus deinen Quellen, Wort für Wort:",
  hint: "Versuche es zuerst selbst. Sieh hier nach:",
  socratic_question: "Und nun: {{question}}",
  quiz_question: "**{{question}}**",
  next_question: "Weiter: **{{question}}**",
  right: "Das stimmt. Die Antwort: **{{answer}}**",
  partly: "Zum Teil richtig. Die Antwort: **{{answer}}**",
  wrong: "Noch nicht. Die Antwort: **{{answer}}**",
  no_question: "Ich habe hier nichts für eine gute Frage gefunden. Wähle eine Quelle mit mehr Text oder einen Stapel.",
  no_more_questions: "Ich habe keine weiteren Fragen zu diesen Quellen.",
  other_language: "(Das Modell hat auch beim zweiten Versuch nicht in dieser Sprache geantwortet: {{language}}.)",
  blind: "(Dieses Modell kann keine Bilder sehen. Es hat nur den darin erkannten Text verwendet.)",
  plan_lead: "Fällige Karten in den nächsten sieben Tagen:",
  plan_empty: "In den nächsten sieben Tagen werden keine Karten fällig.",
  plan_day_one: "**{{day}}**: 1 Karte",
  plan_day_other: "**{{day}}**: {{count}} Karten",
  plan_new_one: "1 Karte ist neu und kann an jedem Tag begonnen werden.",
  plan_new_other: "{{count}} Karten sind neu und können an jedem Tag begonnen werden.",
  follow_up: "Was sagen meine Quellen über „{{heading}}“?",
};
