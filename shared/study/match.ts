import { hasSound, parseCardText } from "#shared/flashcards/card-text.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { stem, wordsOf } from "#shared/text/words.ts";
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
  /** Cards whose question was paired with another answer. */
  mixedUp: ReadonlySet<string>;
}

const PAIRS = 6;
const MIN_PAIRS = 2;
/** A longer side does not fit on a tile of a phone. */
export const MAX_TILE_CHARS = 100;

/** Text without markup, numbers or signs, because two sides may differ only in those. */
const PLAIN_WORDS = /^[\p{L}\s-]+$/u;

const normalise = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

const ARTICLES = new Set(["a", "an", "the"]);
/** Stems without articles. Other stop words stay, because two sides may differ only in "not" or "under". */
const stemsOf = (text: string) =>
  wordsOf(text)
    .filter((word) => !ARTICLES.has(word))
    .map(stem);

/** Sides that differ only in case, spaces, an article, the form of a word or the full stop look alike. */
function keyOf(text: string, image: string | null | undefined): string {
  const whole = normalise(text);
  const bare = whole.replace(/^(?:an?|the) (?=\S)/, "").replace(/(?<=\S)[.;,]+$/, "");
  const stems = PLAIN_WORDS.test(bare) ? stemsOf(bare).join(" ") : "";
  return `${stems || bare}\n${image ?? ""}`;
}
const isBlank = (key: string) => key === "\n";

/** The length of a side on a tile, without pictures and the syntax around code and formulas. */
const tileLength = (side: string) =>
  parseCardText(side).reduce((sum, { kind, text }) => sum + (kind === "image" ? 0 : text.length), 0);

// An audio player contains a button, which cannot be nested inside a tile, because a tile is a button itself.
const fitsTile = (side: string) => tileLength(side) <= MAX_TILE_CHARS && !hasSound(side);

const sidesOf = (card: Flashcard) => [keyOf(card.question, card.questionImage), keyOf(card.answer, card.answerImage)];

/** The cards whose sides fit on tiles and occur only once, so that every tile has exactly one partner. */
export function listMatchable(cards: readonly Flashcard[]): Flashcard[] {
  const seen = new Set<string>();
  return cards.filter((card) => {
    // A tile shows the section above the question, so the section does not count.
    if (!fitsTile(splitSectionLine(card).question) || !fitsTile(card.answer)) return false;
    const sides = sidesOf(card);
    if (sides[0] === sides[1] || sides.some((side) => isBlank(side) || seen.has(side))) return false;
    for (const side of sides) seen.add(side);
    return true;
  });
}

/** The pairs of a round with this many cards that fit; 0 if there are too few. */
export const countPairs = (matchable: number): number => (matchable < MIN_PAIRS ? 0 : Math.min(matchable, PAIRS));

/** A round of up to six cards that fit; undefined with fewer than two. */
export function startMatch(cards: readonly Flashcard[], random: () => number): MatchRound | undefined {
  const cardsInRound = listMatchable(shuffled(cards, random)).slice(0, PAIRS);
  if (cardsInRound.length < MIN_PAIRS) return undefined;
  const tiles = cardsInRound.flatMap(({ id }): Tile[] => [
    { id: `${id}:question`, cardId: id, side: "question" },
    { id: `${id}:answer`, cardId: id, side: "answer" },
  ]);
  return { tiles: shuffled(tiles, random), matched: new Set(), chosen: null, misses: 0, mixedUp: new Set() };
}

export type MatchOutcome = "chosen" | "left" | "found" | "wrong";

/** Selects a tile, deselects it, or compares it with the selected one. */
export function pressTile(round: MatchRound, tileId: string): { round: MatchRound; outcome: MatchOutcome } | undefined {
  const tile = round.tiles.find(({ id }) => id === tileId);
  if (!tile || round.matched.has(tile.cardId)) return undefined;
  const selected = round.tiles.find(({ id }) => id === round.chosen);
  if (!selected) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (selected === tile) return { round: { ...round, chosen: null }, outcome: "left" };
  // A second question is not a guess; it changes the selection.
  if (selected.side === tile.side) return { round: { ...round, chosen: tile.id }, outcome: "chosen" };
  if (selected.cardId !== tile.cardId) {
    const { cardId } = tile.side === "question" ? tile : selected;
    const mixedUp = new Set(round.mixedUp).add(cardId);
    return { round: { ...round, chosen: null, misses: round.misses + 1, mixedUp }, outcome: "wrong" };
  }
  return { round: { ...round, chosen: null, matched: new Set(round.matched).add(tile.cardId) }, outcome: "found" };
}

export const pairsLeft = ({ tiles, matched }: MatchRound): number => tiles.length / 2 - matched.size;
