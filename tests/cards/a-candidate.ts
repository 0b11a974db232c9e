import type { Candidate, CardStyle } from "#shared/cards/generate/candidates.ts";
import { readFacts } from "#shared/cards/source/facts.ts";

/** A candidate card with this front and back, made from this sentence. */
export function aCandidate(style: CardStyle, question: string, answer: string, text = "Lamps have rings."): Candidate {
  const passage = { id: "1", kind: "paragraph" as const, text, bold: [], italic: [], locator: {} };
  const [fact] = readFacts(passage, [], 0);
  if (!fact) throw new Error(`no sentence: ${text}`);
  return { style, question, answer, fact };
}
