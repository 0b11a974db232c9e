/**
 * What the tutor itself says in an answer or suggests as a question (`shared/tutor/phrases.ts`). Answers are Markdown;
 * values are escaped.
 */
export const phrases = {
  nothing: "Your sources do not say. Nothing in them is about this.",
  no_sources: "There is no text here yet. Write something, or choose another source.",
  closest: "Your sources may not say this. Closest passages:",
  unread: "Not included, because it is still being processed: {{titles}}.",
  unread_more: "Not included, because it is still being processed: {{titles}} and {{more}} more.",
  builtin_lead: "From your sources, word for word:",
  more_passages: "More passages",
  hint: "Try it yourself first. Look here:",
  socratic_question: "With that in mind: {{question}}",
  quiz_question: "**{{question}}**",
  next_question: "Next: **{{question}}**",
  right: "That is right. The answer: **{{answer}}**",
  partly: "Partly right. The answer: **{{answer}}**",
  wrong: "Not yet. The answer: **{{answer}}**",
  no_question: "I found nothing here for a good question. Choose a source with more text, or a deck.",
  no_cards: "I found nothing here for a good card. Choose a source with more text.",
  cards_one: "Here is 1 card. Nothing is in a deck yet.",
  cards_other: "Here are {{count}} cards. Nothing is in a deck yet.",
  no_more_questions: "I have no more questions about these sources.",
  other_language: "(The model did not answer in {{language}}, even after a second try.)",
  blind: "(This model can't see pictures. It used only the text recognised in them.)",
  plan_lead: "Cards due in the next seven days:",
  plan_empty: "No cards are due in the next seven days.",
  plan_day_one: "**{{day}}**: 1 card",
  plan_day_other: "**{{day}}**: {{count}} cards",
  plan_new_one: "1 card is new and can be started on any day.",
  plan_new_other: "{{count}} cards are new and can be started on any day.",
  follow_up: "What do my sources say about “{{heading}}”?",
} as const;
