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
  /** Cards whose two sides were matched. */
  found: ReadonlySet<string>;
  /** The selected tile. */
  chosen: string | null;
  misses: number;
}

const PAIRS = 6;
/** Cards with longer sides are used only if there are not enough short ones. */
const SHORT = 120;

const keyOf = (text: string, image: string | null | undefined) =>
  `${text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim()}\n${image ?? ""}`;
const isShort = ({ question, answer }: Flashcard) => question.length <= SHORT && answer.length <= SHORT;
const isBlank = (key: string) => key === "\n";

const sidesOf = (card: Flashcard) => [keyOf(card.question, card.questionImage), keyOf(card.answer, card.answerImage)];

/**
 * A round of up to six cards without identical sides, so that every tile has exactly one partner; undefined with fewer
 * than two.
 */
export function dealMatch(cards: readonly Flashcard[], random: () => number): MatchRound | undefined {
  // An audio player contains a button and cannot be nested inside a tile, which is one.
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

/** Selects a tile, deselects it, or compares it with the selected one. */
export function pressTile(round: MatchRound, tileId: string): { round: MatchRound; outcome: MatchOutcome } | undefined {
  const tile = round.tiles.find(({ id }) => id === tileId);
  if (!tile || round.found.has(tile.cardId)) return undefined;
  const waiting = round.tiles.find(({ id }) => id === round.chosen);
  if (!waiting) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (waiting === tile) return { round: { ...round, chosen: null }, outcome: "left" };
  // Two questions are no guess: the student changed the selection.
  if (waiting.side === tile.side) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (waiting.cardId !== tile.cardId)
    return { round: { ...round, chosen: null, misses: round.misses + 1 }, outcome: "wrong" };
  return { round: { ...round, chosen: null, found: new Set(round.found).add(tile.cardId) }, outcome: "found" };
}

export const pairsLeft = ({ tiles, found }: MatchRound): number => tiles.length / 2 - found.size;
