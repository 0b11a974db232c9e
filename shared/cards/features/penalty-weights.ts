/** How much is taken from the worth of a card for each kind of fault, where a deck need not be full. */
export const PENALTY = {
  /** The blank stands where it has several right answers, or tells its own. */
  ambiguous: 1.2,
  sparse: 0.9,
  /** Its sentence is about another name, or leans on what is not there. */
  offTopic: 0.6,
  openQuestion: 0.4,
  partialLeak: 0.3,
  hedged: 0.3,
} as const;
