import type { Density, GenerationOptions, TextSource } from "./schema.ts";

/** Number of cards per density, as the release notes promise. */
const densityRanges = {
  LOW: { min: 30, max: 50 },
  MEDIUM: { min: 100, max: 120 },
  HIGH: { min: 300, max: 600 },
  VERY_HIGH: { min: 600, max: 900 },
} as const satisfies Record<Exclude<Density, "AUTO">, { min: number; max: number }>;

/** Source words per card at automatic density: about one card a paragraph. */
const WORDS_PER_CARD = 80;

/** The target number of cards of a whole request, however many sources share it. */
export function cardTarget(density: Density, wordCount: number): { min: number; max: number } {
  if (density !== "AUTO") return densityRanges[density];
  const count = Math.min(Math.max(Math.round(wordCount / WORDS_PER_CARD), 1), densityRanges.VERY_HIGH.max);
  return { min: count, max: count };
}

/** Additional cards for one section or term. */
export const FOCUS_CARD_COUNT = 12;

interface PageRange {
  startPage?: number | undefined;
  endPage?: number | undefined;
}

/** The pages of a range, clipped to the document; undefined if it contains none. */
export function clipPageRange(range: PageRange, pageCount: number): { from: number; to: number } | undefined {
  const from = range.startPage ?? 1;
  const to = Math.min(range.endPage ?? pageCount, pageCount);
  return from > to ? undefined : { from, to };
}

export function usableTexts(
  texts: readonly TextSource[],
): { text: string; location: { pageId: string; componentId: string } | null }[] {
  return texts
    .map((source) =>
      typeof source === "string"
        ? { text: source.trim(), location: null }
        : { text: source.text.trim(), location: { pageId: source.pageId, componentId: source.componentId } },
    )
    .filter(({ text }) => text !== "");
}

/** What the student asked for, apart from where the cards go. */
export type CardOptions = Pick<GenerationOptions, "density" | "customInstructions" | "language">;
