import { buildProfile } from "./layout/document-profile.ts";
import { layOutPage } from "./layout/page-layout.ts";
import { PassageAssembler } from "./passage-assembler.ts";
import type { PlacedText } from "./layout/placed-text.ts";
import type { Passage } from "./schema.ts";

/** A word recognised by OCR: its box in pixels, its line's height and baseline. */
export interface OcrWord {
  text: string;
  x0: number;
  x1: number;
  baseline: number;
  lineHeight: number;
}

export interface OcrPage {
  page: number;
  /** Size of the upright picture, in pixels. */
  width: number;
  height: number;
  words: readonly OcrWord[];
}

/** Measured line heights vary with the letters, so only a larger ratio means another font size. */
const SIZE_STEP = 1.3;

/** Lays out OCR words like a PDF page: columns, headings by size, lists, page numbers. Positions are in pixels. */
export function passagesFromWords({ page, width, height, words }: OcrPage): Passage[] {
  const typicalHeight = median(words.map(({ lineHeight }) => lineHeight));
  const items = words.map((word) => toPlaced(word, typicalHeight));
  const laid = layOutPage({ page, width, height, frames: items.length > 0 ? [{ direction: "right", items }] : [] });
  const assembler = new PassageAssembler(buildProfile([laid]));
  assembler.addPage(laid);
  return assembler.finish()?.passages ?? [];
}

function toPlaced({ text, x0, x1, baseline, lineHeight }: OcrWord, typicalHeight: number): PlacedText {
  const ratio = lineHeight / Math.max(1, typicalHeight);
  const size = ratio < SIZE_STEP && ratio > 1 / SIZE_STEP ? typicalHeight : lineHeight;
  return {
    text,
    u: x0,
    v: baseline,
    width: Math.max(0, x1 - x0),
    size: Math.max(1, size),
    isBold: false,
    isItalic: false,
    isMono: false,
    isRightToLeft: /[\u0590-\u08FF\uFB1D-\uFEFC]/u.test(text),
    hasSpaceBefore: true,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}
