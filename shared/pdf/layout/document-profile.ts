import { keyWithMostWeight, type LaidPage, type TextLine } from "./page-layout.ts";

/** Properties of a whole document that are needed to read each of its pages consistently. */
export interface DocumentProfile {
  bodySize: number;
  /** From the largest to the smallest. */
  headingSizes: number[];
  /** False if most of the text is bold, so that bold carries no meaning. */
  isBoldMeaningful: boolean;
  isMonoMeaningful: boolean;
  runningHeads: ReadonlySet<string>;
  hyphens: Hyphenation;
}

export interface Hyphenation {
  words: ReadonlySet<string>;
  hyphenated: ReadonlySet<string>;
  /** Whether most hyphens at line ends are from hyphenation. */
  isSoft: boolean;
}

const SAMPLE_PAGES = 24;
export const HEADING_RATIO = 1.12;

/** The pages to profile: all of a short document, otherwise evenly spaced pairs of adjacent pages. */
export function samplePages(pageCount: number): number[] {
  if (pageCount <= SAMPLE_PAGES) return Array.from({ length: pageCount }, (_, index) => index + 1);
  const pairs = SAMPLE_PAGES / 2;
  const pages: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const first = 1 + Math.floor((pair * (pageCount - 2)) / (pairs - 1));
    pages.push(first, first + 1);
  }
  return [...new Set(pages)];
}

export function buildProfile(pages: readonly LaidPage[]): DocumentProfile {
  const lines = pages.flatMap(mainLines);
  const bodySize = findBodySize(lines);
  return {
    bodySize,
    headingSizes: findHeadingSizes(lines, bodySize),
    isBoldMeaningful: shareOf(lines, (line) => line.isBold) < 0.5,
    isMonoMeaningful: shareOf(lines, (line) => line.isMono) < 0.7,
    runningHeads: findRunningHeads(pages),
    hyphens: findHyphenation(lines),
  };
}

function mainLines(page: LaidPage): TextLine[] {
  return page.frames[0]?.regions.flat() ?? [];
}

function findBodySize(lines: readonly TextLine[]): number {
  const weights = new Map<number, number>();
  for (const line of lines) weights.set(line.size, (weights.get(line.size) ?? 0) + line.text.length);
  return keyWithMostWeight(weights) ?? 10;
}

function findHeadingSizes(lines: readonly TextLine[], bodySize: number): number[] {
  const sizes = new Set<number>();
  for (const line of lines) {
    const isHeading = line.size >= bodySize * HEADING_RATIO && /\p{L}{2}/u.test(line.text);
    if (isHeading) sizes.add(line.size);
  }
  const distinct: number[] = [];
  for (const size of [...sizes].toSorted((a, b) => b - a)) {
    const last = distinct.at(-1);
    if (last === undefined || size < last * 0.96) distinct.push(size);
  }
  return distinct;
}

function shareOf(lines: readonly TextLine[], test: (line: TextLine) => boolean): number {
  let all = 0;
  let passed = 0;
  for (const line of lines) {
    all += line.text.length;
    if (test(line)) passed += line.text.length;
  }
  return all === 0 ? 0 : passed / all;
}

function findRunningHeads(pages: readonly LaidPage[]): Set<string> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const keys = new Set(edgeLines(page).map((line) => runningHeadKey(line, page)));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= 2).map(([key]) => key));
}

/** The outermost two lines at the top and at the bottom of a page. */
export function edgeLines(page: LaidPage): TextLine[] {
  const lines = mainLines(page).toSorted((a, b) => a.v - b.v);
  const height = page.page.height;
  const top = lines.slice(0, 2).filter((line) => line.v < height * 0.15);
  const bottom = lines.slice(-2).filter((line) => line.v > height * 0.8);
  return [...top, ...bottom.filter((line) => !top.includes(line))];
}

/** A key that is equal for the same running head on two pages, because page numbers are replaced. */
export function runningHeadKey(line: TextLine, page: LaidPage): string {
  const height = Math.round((line.v / page.page.height) * 50);
  return `${height}:${line.text.replaceAll(/\d+/gu, "#").toLowerCase()}`;
}

const WORD = /\p{L}+(?:-\p{L}+)*/gu;

function findHyphenation(lines: readonly TextLine[]): Hyphenation {
  const words = new Set<string>();
  const hyphenated = new Set<string>();
  for (const { text } of lines) {
    for (const [word] of text.toLowerCase().matchAll(WORD)) (word.includes("-") ? hyphenated : words).add(word);
  }
  return { words, hyphenated, isSoft: isMostlySoft(lines, words, hyphenated) };
}

function isMostlySoft(lines: readonly TextLine[], words: Set<string>, hyphenated: Set<string>): boolean {
  let soft = 0;
  let real = 0;
  let broken = 0;
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    const parts = next ? hyphenParts(line.text, next.text) : undefined;
    if (!parts) return;
    broken++;
    if (words.has(parts.head + parts.tail)) soft++;
    if (hyphenated.has(`${parts.head}-${parts.tail}`)) real++;
  });
  // A text without hyphenation has few such lines, and all of them are compounds.
  return soft > real || (soft === real && broken > lines.length * 0.04);
}

interface HyphenParts {
  head: string;
  tail: string;
}

/** The two halves of a word broken across lines, in lower case. */
export function hyphenParts(first: string, next: string): HyphenParts | undefined {
  const head = /(\p{L}+(?:-\p{L}+)*)[-\u00AD\u2010]$/u.exec(first)?.[1];
  const tail = /^(\p{Ll}+)/u.exec(next)?.[1];
  return head && tail ? { head: head.toLowerCase(), tail } : undefined;
}

/** Whether the hyphen at the end of `first` is removed when the word is joined. */
export function isSoftHyphen(first: string, next: string, hyphenation: Hyphenation): boolean {
  if (first.endsWith("\u00AD")) return true;
  const parts = hyphenParts(first, next);
  if (!parts) return false;
  if (hyphenation.words.has(parts.head + parts.tail)) return true;
  if (hyphenation.hyphenated.has(`${parts.head}-${parts.tail}`)) return false;
  return hyphenation.isSoft;
}
