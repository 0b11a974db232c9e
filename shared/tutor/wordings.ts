const cards = (count: number) => (count === 1 ? "1 card" : `${count} cards`);
const judged = (verdict: string) => (answer: string) => `${verdict} The answer: **${answer}**`;

/**
 * The tutor's own phrases in an answer, stored in English; everything else in it is from a source or a model. Each is a
 * separate paragraph so that `inWordsHere` can find and translate it.
 */
export const wordings = {
  nothing: "Your sources do not say. Nothing in them is about this.",
  noSources: "There is nothing here to read yet. Write something, or choose another source.",
  closest: "Your sources do not say this. The closest that stands in them:",
  unread: (titles: readonly string[], more: number) =>
    `Not looked at, since it is still being read: ${titles.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  builtinLead: "From your sources, word for word:",
  hint: "Try it yourself first. This is where to look:",
  socraticAsk: (question: string) => `With that in mind: ${question}`,
  ask: (question: string) => `**${question}**`,
  right: judged("That is right."),
  partly: judged("Partly right."),
  wrong: judged("Not yet."),
  noQuestion: "I found no fact here that makes a good question. Choose a source with more text, or a deck.",
  noMoreQuestions: "That was everything I can ask about these sources.",
  next: (question: string) => `Next: **${question}**`,
  otherLanguage: (language: string) =>
    `(The model did not answer in ${language.replaceAll(/[^\p{L}\p{M}\s()-]/gu, "")}, though it was asked to twice.)`,
  blind: "(This model was not able to look at the pictures. The text that was recognised in them is all it had.)",
  planLead: "Cards that come due, as the schedule stands now:",
  planEmpty: "No card comes due in the next seven days.",
  planDay: (day: string, count: number, decks: string) => `- **${day}**: ${cards(count)} (${decks})`,
  planNew: (count: number) => `${cards(count)} ${count === 1 ? "is" : "are"} new and can be begun on any day.`,
  followUp: (heading: string) => `What do my sources say about “${heading}”?`,
} as const;

/** Escapes a source's text so that Markdown shows it unchanged. */
export const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_{}[\]<>#|~$!]/g, String.raw`\$&`);
