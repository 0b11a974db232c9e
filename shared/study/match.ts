import { hasSound } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { shuffled } from "./shuffle.ts";

export interface Tile {
  id: string;
  cardId: string;
  side: "question" | "answer";
}

export interface MatchRound {
  tiles: readonly Tile[];
  /** Cards whose two sides were found. */
  found: ReadonlySet<string>;
  /** The tile that waits for its other side. */
  chosen: string | null;
  misses: number;
}

const PAIRS = 6;
/** Longer sides are read, not matched; they are taken only where there is nothing shorter. */
const SHORT = 120;

const keyOf = (text: string, image: string | null | undefined) =>
  `${text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim()}\n${image ?? ""}`;
const isShort = ({ question, answer }: Flashcard) => question.length <= SHORT && answer.length <= SHORT;
const isBlank = (key: string) => key === "\n";

const sidesOf = (card: Flashcard) => [keyOf(card.question, card.questionImage), keyOf(card.answer, card.answerImage)];

/** A round of up to six cards in which no two sides read alike, so that every tile has one partner; undefined with fewer than two. */
export function dealMatch(cards: readonly Flashcard[], random: () => number): MatchRound | undefined {
  // A player is a button of its own and cannot stand inside a tile.
  const silent = cards.filter(({ question, answer }) => !hasSound(question) && !hasSound(answer));
  const mixed = shuffled(silent, random);
  const inTurn = [...mixed.filter(isShort), ...mixed.filter((card) => !isShort(card))];
  const seen = new Set<string>();
  const dealt: Flashcard[] = [];
  for (const card of inTurn) {
    const sides = sidesOf(card);
    const isClear = sides[0] !== sides[1] && sides.every((side) => !isBlank(side) && !seen.has(side));
    if (!isClear) continue;
    for (const side of sides) seen.add(side);
    dealt.push(card);
    if (dealt.length === PAIRS) break;
  }
  if (dealt.length < 2) return undefined;
  const tiles = dealt.flatMap(({ id }): Tile[] => [
    { id: `${id}:question`, cardId: id, side: "question" },
    { id: `${id}:answer`, cardId: id, side: "answer" },
  ]);
  return { tiles: shuffled(tiles, random), found: new Set(), chosen: null, misses: 0 };
}

export type MatchOutcome = "chosen" | "left" | "found" | "wrong";

/** A tile is pressed: it waits for its partner, is let go of, or is held against the one that waits. */
export function pressTile(round: MatchRound, tileId: string): { round: MatchRound; outcome: MatchOutcome } | undefined {
  const tile = round.tiles.find(({ id }) => id === tileId);
  if (!tile || round.found.has(tile.cardId)) return undefined;
  const waiting = round.tiles.find(({ id }) => id === round.chosen);
  if (!waiting) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (waiting === tile) return { round: { ...round, chosen: null }, outcome: "left" };
  // Two questions are no guess: the student thought of another.
  if (waiting.side === tile.side) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (waiting.cardId !== tile.cardId)
    return { round: { ...round, chosen: null, misses: round.misses + 1 }, outcome: "wrong" };
  return { round: { ...round, chosen: null, found: new Set(round.found).add(tile.cardId) }, outcome: "found" };
}

export const pairsLeft = ({ tiles, found }: MatchRound): number => tiles.length / 2 - found.size;
