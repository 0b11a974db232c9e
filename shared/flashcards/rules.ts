import type { Density, GenerationOptions, TextSource } from "./schema.ts";

/** How many cards a density asks for, as the release notes promise. */
const densityRanges = {
  LOW: { min: 30, max: 50 },
  MEDIUM: { min: 100, max: 120 },
  HIGH: { min: 300, max: 600 },
  VERY_HIGH: { min: 600, max: 900 },
} as const satisfies Record<Exclude<Density, "AUTO">, { min: number; max: number }>;

/** Words of source text for one card where the density is automatic: about one a paragraph. */
const WORDS_PER_CARD = 80;

/** How many cards a whole request aims at, however many sources share it. */
export function cardTarget(density: Density, wordCount: number): { min: number; max: number } {
  if (density !== "AUTO") return densityRanges[density];
  const count = Math.min(Math.max(Math.round(wordCount / WORDS_PER_CARD), 1), densityRanges.VERY_HIGH.max);
  return { min: count, max: count };
}

/** A few more about one section or term. */
export const CARDS_IN_FOCUS = 12;

interface PageRange {
  startPage?: number | undefined;
  endPage?: number | undefined;
}

/** The pages that a range names in a document: clipped to it, undefined where it names none. */
export function pagesOfRange(range: PageRange, pageCount: number): { from: number; to: number } | undefined {
  const from = range.startPage ?? 1;
  const to = Math.min(range.endPage ?? pageCount, pageCount);
  return from > to ? undefined : { from, to };
}

/** Blank texts are no sources. */
export function usableTexts(
  texts: readonly TextSource[],
): { text: string; place: { pageId: string; componentId: string } | null }[] {
  return texts
    .map((source) =>
      typeof source === "string"
        ? { text: source.trim(), place: null }
        : { text: source.text.trim(), place: { pageId: source.pageId, componentId: source.componentId } },
    )
    .filter(({ text }) => text !== "");
}

/** What a text file may be called; browsers do not know the type of many. */
const TEXT_NAMES = /\.(?:txt|text|md|markdown|csv|tsv|tex|rst|org|srt|vtt)$/i;
/** Text to a browser, markup to a reader. */
const MARKUP_TYPES = /^text\/(?:html|xml|javascript|css)/;

/** What kind of source a loose file is: only texts and images are generated from without an upload to a page. */
export function sourceKindOf(name: string, type: string): "text" | "image" | "other" {
  if (type.startsWith("image/")) return "image";
  if (MARKUP_TYPES.test(type)) return "other";
  return type.startsWith("text/") || TEXT_NAMES.test(name) ? "text" : "other";
}

/** What the student asked for, apart from where the cards go. */
export type CardWishes = Pick<GenerationOptions, "density" | "customInstructions" | "language">;
