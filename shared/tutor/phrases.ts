const cards = (count: number) => (count === 1 ? "1 card" : `${count} cards`);
const verdictPhrase = (verdict: string) => (answer: string) => `${verdict} The answer: **${answer}**`;

/**
 * The tutor's own phrases in an answer, stored in English; everything else in it is from a source or a model. Each is a
 * separate paragraph so that `inWordsHere` can find and translate it.
 */
export const tutorPhrases = {
  nothing: "Your sources do not say. Nothing in them is about this.",
  noSources: "There is no text here yet. Write something, or choose another source.",
  closest: "Your sources do not say this. Closest passages:",
  unread: (titles: readonly string[], more: number) =>
    `Not included, because it is still being processed: ${titles.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  builtinLead: "From your sources, word for word:",
  hint: "Try it yourself first. Look here:",
  socraticAsk: (question: string) => `With that in mind: ${question}`,
  ask: (question: string) => `**${question}**`,
  right: verdictPhrase("That is right."),
  partly: verdictPhrase("Partly right."),
  wrong: verdictPhrase("Not yet."),
  noQuestion: "I found nothing here for a good question. Choose a source with more text, or a deck.",
  noMoreQuestions: "I have no more questions about these sources.",
  next: (question: string) => `Next: **${question}**`,
  otherLanguage: (language: string) =>
    `(The model did not answer in ${language.replaceAll(/[^\p{L}\p{M}\s()-]/gu, "")}, even after a second try.)`,
  blind: "(This model can't see pictures. It used only the text recognised in them.)",
  planLead: "Cards due in the next seven days:",
  planEmpty: "No cards are due in the next seven days.",
  planDay: (day: string, count: number, decks: string) => `- **${day}**: ${cards(count)} (${decks})`,
  planNew: (count: number) => `${cards(count)} ${count === 1 ? "is" : "are"} new and can be started on any day.`,
  followUp: (heading: string) => `What do my sources say about “${heading}”?`,
} as const;

/** Escapes a source's text so that Markdown shows it unchanged. */
export const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_{}[\]<>#|~$!]/g, String.raw`\$&`);
