/** How much is taken from the worth of a card for each kind of fault, where a deck need not be full. */
export const DOUBT = {
  /** The blank stands where it has several right answers, or tells its own. */
  inPlace: 1.2,
  thin: 0.9,
  /** Its sentence is about another name, or leans on what is not there. */
  elsewhere: 0.6,
  asked: 0.4,
  halfTold: 0.3,
  hedged: 0.3,
} as const;
