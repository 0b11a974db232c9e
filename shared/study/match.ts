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
  matched: ReadonlySet<string>;
  /** The selected tile. */
  chosen: string | null;
  misses: number;
}

const PAIRS = 6;
/** Cards with longer sides are used only if there are not enough short ones. */
const MAX_SHORT_SIDE_CHARS = 120;

const keyOf = (text: string, image: string | null | undefined) =>
  `${text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim()}\n${image ?? ""}`;
const isShort = ({ question, answer }: Flashcard) =>
  question.length <= MAX_SHORT_SIDE_CHARS && answer.length <= MAX_SHORT_SIDE_CHARS;
const isBlank = (key: string) => key === "\n";

const sidesOf = (card: Flashcard) => [keyOf(card.question, card.questionImage), keyOf(card.answer, card.answerImage)];

/**
 * A round of up to six cards without identical sides, so that every tile has exactly one partner; undefined with fewer
 * than two.
 */
export function startMatch(cards: readonly Flashcard[], random: () => number): MatchRound | undefined {
  // An audio player contains a button and cannot be nested inside a tile, which is one.
  const silent = cards.filter(({ question, answer }) => !hasSound(question) && !hasSound(answer));
  const mixed = shuffled(silent, random);
  const ordered = [...mixed.filter(isShort), ...mixed.filter((card) => !isShort(card))];
  const seen = new Set<string>();
  const cardsInRound: Flashcard[] = [];
  for (const card of ordered) {
    const sides = sidesOf(card);
    const isUnambiguous = sides[0] !== sides[1] && sides.every((side) => !isBlank(side) && !seen.has(side));
    if (!isUnambiguous) continue;
    for (const side of sides) seen.add(side);
    cardsInRound.push(card);
    if (cardsInRound.length === PAIRS) break;
  }
  if (cardsInRound.length < 2) return undefined;
  const tiles = cardsInRound.flatMap(({ id }): Tile[] => [
    { id: `${id}:question`, cardId: id, side: "question" },
    { id: `${id}:answer`, cardId: id, side: "answer" },
  ]);
  return { tiles: shuffled(tiles, random), matched: new Set(), chosen: null, misses: 0 };
}

export type MatchOutcome = "chosen" | "left" | "found" | "wrong";

/** Selects a tile, deselects it, or compares it with the selected one. */
export function pressTile(round: MatchRound, tileId: string): { round: MatchRound; outcome: MatchOutcome } | undefined {
  const tile = round.tiles.find(({ id }) => id === tileId);
  if (!tile || round.matched.has(tile.cardId)) return undefined;
  const waiting = round.tiles.find(({ id }) => id === round.chosen);
  if (!waiting) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (waiting === tile) return { round: { ...round, chosen: null }, outcome: "left" };
  // Two questions are no guess: the student changed the selection.
  if (waiting.side === tile.side) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (waiting.cardId !== tile.cardId)
    return { round: { ...round, chosen: null, misses: round.misses + 1 }, outcome: "wrong" };
  return { round: { ...round, chosen: null, matched: new Set(round.matched).add(tile.cardId) }, outcome: "found" };
}

export const pairsLeft = ({ tiles, matched }: MatchRound): number => tiles.length / 2 - matched.size;
