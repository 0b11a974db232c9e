import type { Flashcard } from "#shared/flashcards/schema.ts";

type Sides = Pick<Flashcard, "question" | "answer">;

export interface RewriteProposal {
  /** Why this may be easier to remember. */
  kind: "split" | "shorter" | "two_ways";
  cards: readonly Sides[];
}

const MAX_PARTS = 8;
const LONG_ANSWER_WORDS = 14;
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

/** The parts of an answer that is a list: lines, bullets, or items between semicolons. */
function listParts(answer: string): string[] {
  const lines = answer.split(/\n+|;\s+/).map((line) => line.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, "").trim());
  return lines.filter(Boolean);
}

function splitList({ question, answer }: Sides): RewriteProposal | undefined {
  const parts = listParts(answer);
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const cards = parts.map((part, index) => ({
    question: `${question} (${index + 1} of ${parts.length})`,
    answer: part,
  }));
  return { kind: "split", cards };
}

/** Only the first sentence or clause of a longer answer. */
function shorten({ question, answer }: Sides): RewriteProposal | undefined {
  if (wordsOf(answer).length < LONG_ANSWER_WORDS) return undefined;
  const first = /^.+?(?:[.!?](?=\s)|[:;](?=\s)|,(?=\s(?:which|because|so|while|whereas)\b))/su.exec(answer)?.[0];
  const cut = first?.replace(/[,:;]$/, "").trim();
  if (cut === undefined || wordsOf(cut).length < 2 || cut.length >= answer.trim().length) return undefined;
  return { kind: "shorter", cards: [{ question, answer: cut }] };
}

/** A short pair that is asked in both directions is easier to recall. */
function askBothWays({ question, answer }: Sides): RewriteProposal | undefined {
  if (wordsOf(answer).length > 5 || /_{3,}/.test(question) || wordsOf(question).length > 8) return undefined;
  return {
    kind: "two_ways",
    cards: [
      { question, answer },
      { question: answer, answer: question },
    ],
  };
}

/**
 * Proposals for rewriting a leech. Nothing is invented: every proposal uses only the card's own words. The first card
 * of a proposal replaces the old one and keeps its history.
 */
export function proposeRewrites(card: Sides): RewriteProposal[] {
  return [splitList(card), shorten(card), askBothWays(card)].filter((proposal) => proposal !== undefined);
}
