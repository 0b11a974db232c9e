/** What the tutor itself says in an answer; everything else in it is of a source or of a model. */
export const wordings = {
  nothing: "Your sources do not say. Nothing in them is about this.",
  noSources: "There is nothing here to read yet. Write something, or choose another source.",
  closest: "Your sources do not say this. The closest that stands in them:",
  unread: (titles: string) => `Not looked at, since it is still being read: ${titles}.`,
  builtinLead: "From your sources, word for word:",
  hint: "Try it yourself first. This is where to look:",
  socraticAsk: (question: string) => `With that in mind: ${question}`,
  ask: (question: string) => `**${question}**`,
  right: "That is right.",
  partly: "Partly right.",
  wrong: "Not yet.",
  answerIs: (answer: string) => `The answer: **${answer}**`,
  noQuestion: "I found no fact here that makes a good question. Choose a source with more text, or a deck.",
  noMoreQuestions: "That was everything I can ask about these sources.",
  next: "Next:",
  otherLanguage: (language: string) =>
    `(The model did not answer in ${language.replaceAll(/[^\p{L}\p{M}\s()-]/gu, "")}, though it was asked to twice.)`,
  blind: "(This model was not able to look at the pictures. The text that was recognised in them is all it had.)",
  planLead: "Cards that come due, as the schedule stands now:",
  planEmpty: "No card comes due in the next seven days.",
  planNew: (count: number) => `${count === 1 ? "1 card is" : `${count} cards are`} new and can be begun on any day.`,
} as const;

/** Words of a source in Markdown: shown as they are, whatever marks they hold. */
export const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_{}[\]<>#|~$!]/g, String.raw`\$&`);
