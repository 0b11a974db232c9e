/** Score penalties for each kind of fault, in a deck that doesn't have to be full. */
export const PENALTY = {
  /** A blank with several right answers, or one revealed by its sentence. */
  ambiguous: 1.2,
  sparse: 0.9,
  /** A sentence about another name, or one that depends on missing text. */
  offTopic: 0.6,
  openQuestion: 0.4,
  partialLeak: 0.3,
  hedged: 0.3,
} as const;
