// Compares the results of two article extractors to decide which blocks belong to the article.
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";

const SHINGLE_WORDS = 4;
/** A block with at least this share of common shingles counts as the same block. */
const MIN_SHARED_SHINGLES = 0.5;

/** FNV-1a, 32 bits. https://en.wikipedia.org/wiki/Fowler–Noll–Vo_hash_function */
const FNV_START = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

function hashWord(word: string): number {
  let hash = FNV_START;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), FNV_PRIME);
  return hash;
}

/** Adds 21 bits of a second hash (53 in total, the safe integer range), which makes collisions negligible. */
const SECOND_HASH_BITS = 21;

/** Word n-grams as numbers; as strings they would take seconds for a book. https://en.wikipedia.org/wiki/W-shingling */
function shingles(text: string): Set<number> {
  const hashes = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(hashWord);
  const found = new Set<number>();
  for (let from = 0; from + SHINGLE_WORDS <= hashes.length; from += 1) {
    let [first, second] = [FNV_START, 0];
    for (const hash of hashes.slice(from, from + SHINGLE_WORDS)) {
      first = Math.imul(first ^ hash, FNV_PRIME);
      second = Math.imul(second + hash, FNV_START);
    }
    found.add((first >>> 0) * 2 ** SECOND_HASH_BITS + (second >>> (32 - SECOND_HASH_BITS)));
  }
  return found;
}

const countCommon = (first: ReadonlySet<number>, second: ReadonlySet<number>) =>
  [...first].filter((shingle) => second.has(shingle)).length;

const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** A text prepared for comparison. */
interface IndexedText {
  letters: string;
  shingles: ReadonlySet<number>;
}

export const indexText = (text: string): IndexedText => ({ letters: letters(text), shingles: shingles(text) });

/** Jaccard similarity of two texts, from 0 to 1. */
export function similarity(text: string, { shingles: second }: IndexedText): number {
  const first = shingles(text);
  if (first.size === 0 || second.size === 0) return first.size === second.size ? 1 : 0;
  const common = countCommon(first, second);
  return common / (first.size + second.size - common);
}

/** Whether a block also occurs in the other text; code, formulas and quotes count as part of any article. */
function occursIn(reference: IndexedText, block: NewBlock): boolean {
  if (block.type === "code_block" || block.type === "equation") return true;
  if (block.type !== "text") return false;
  if (block.content.subType === "block_quote") return true;
  const text = plainText(block.content.text);
  const blockLetters = letters(text);
  if (blockLetters === "") return false;
  if (reference.letters.includes(blockLetters)) return true;
  const blockShingles = shingles(text);
  return (
    blockShingles.size > 0 && countCommon(blockShingles, reference.shingles) / blockShingles.size >= MIN_SHARED_SHINGLES
  );
}

/** Scripts without spaces between words, and the average letters per word. */
const UNSPACED_SCRIPTS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu;
const LETTERS_PER_WORD = 3;
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const countWords = (text: string) =>
  countOf(text, /[\p{L}\p{N}]+/gu) + countOf(text, UNSPACED_SCRIPTS) / LETTERS_PER_WORD;
const SENTENCE_END = /[.!?…:。！？][)\]"'»”’“]*$/u;
/** Fewer words without an end mark are a label, not a sentence. */
const FEW_WORDS = 10;
const MAX_PROSE_LINKS = 0.3;
const MIN_LABEL_LINKS = 0.6;

/** Share of a block's text that is links, from 0 to 1. */
function linkShare(block: NewBlock): number {
  if (block.type !== "text") return 0;
  const { text } = block.content;
  return plainText(text.filter(({ reference }) => reference !== undefined)).length / (plainText(text).length || 1);
}

const isTextLine = (block: NewBlock) => block.type === "text" && block.content.subType === "normal";
const isCompleteSentence = (text: string) => countWords(text) >= FEW_WORDS && SENTENCE_END.test(text.trim());
const textOf = (block: NewBlock) => (block.type === "text" ? plainText(block.content.text) : "");

/** A typical article paragraph: sentences with few links. */
const isSentence = (block: NewBlock) =>
  isTextLine(block) && isCompleteSentence(textOf(block)) && linkShare(block) < MAX_PROSE_LINKS;

/** A link list or short label, such as "Read also", a photo credit or "Advertisement". */
function isLabelOrLinks(block: NewBlock): boolean {
  if (!isTextLine(block)) return false;
  const text = textOf(block);
  const isLabel = countWords(text) < FEW_WORDS && !SENTENCE_END.test(text.trim());
  return isLabel || linkShare(block) >= MIN_LABEL_LINKS;
}

/**
 * Removes blocks around the article: those after the last common block, those before the first common block or
 * sentence, and labels in between that only this extractor has.
 */
export function removeSurroundings(blocks: readonly NewBlock[], second: IndexedText): NewBlock[] {
  const shared = blocks.map((block) => occursIn(second, block));
  const last = shared.lastIndexOf(true);
  if (last === -1) return [...blocks];
  const first = blocks.findIndex((block, index) => shared[index] === true || isSentence(block));
  // An image above the first paragraph usually belongs to the article.
  return blocks
    .slice(0, last + 1)
    .filter((block, index) =>
      index >= first ? shared[index] === true || !isLabelOrLinks(block) : block.type === "file",
    );
}

const isProse = (part: Element): boolean => {
  const text = part.textContent;
  const links = [...part.querySelectorAll("a")].reduce((sum, link) => sum + link.textContent.length, 0);
  return isCompleteSentence(text) && links / text.length < MAX_PROSE_LINKS;
};

/** Prose before the first part that occurs in the reference text; empty if no part occurs in it. */
function proseBefore(parts: Iterable<Element>, reference: string): Element[] {
  const lead: Element[] = [];
  for (const part of parts) {
    const blockLetters = letters(part.textContent);
    if (blockLetters === "") continue;
    if (reference.includes(blockLetters)) return lead;
    if (/^(?:P|DIV)$/.test(part.nodeName) && isProse(part)) lead.push(part);
  }
  return [];
}

/** Opening paragraphs of one extractor's article that the other extractor left out, as elements. */
export const findLead = (article: ParentNode, second: string): Element[] =>
  proseBefore(article.querySelectorAll("p, li, h2, h3, h4, blockquote, pre"), letters(second));

const PART_ELEMENTS = "p, div, h2, h3, h4, li, blockquote";
const CONTAINER_ELEMENTS = "p, div, ul, ol, table, section, article, h1, h2, h3, h4, form";
const SURROUNDING_ELEMENTS = "nav, aside, footer, form, figure, button, ul, ol, [hidden], [aria-hidden=true]";
const MAX_AFTER_TITLE = 30;

/** For each heading of the page, the simple elements that follow it; the standfirst is searched there. */
export function listPartsByTitle(page: Document): Element[][] {
  const found: Element[][] = [];
  for (const part of page.querySelectorAll(`h1, ${PART_ELEMENTS}`)) {
    if (part.nodeName === "H1") found.push([]);
    const last = found.at(-1);
    if (!last || last.length >= MAX_AFTER_TITLE || part.nodeName === "H1") continue;
    if (
      !part.querySelector(CONTAINER_ELEMENTS) &&
      !part.closest(SURROUNDING_ELEMENTS) &&
      letters(part.textContent) !== ""
    )
      last.push(part);
  }
  return found;
}

/** The standfirst: sentences between the title and the beginning of the text. */
export const findStandfirst = (titles: readonly Element[][], text: string): Element[] =>
  titles.map((parts) => proseBefore(parts, letters(text))).findLast((lead) => lead.length > 0) ?? [];

/** Amount of prose in some blocks, its share of all text, and the share of links. */
function measureProse(blocks: readonly NewBlock[]): { letters: number; share: number; links: number } {
  let [all, prose, linked] = [0, 0, 0];
  for (const block of blocks) {
    if (block.type !== "text") continue;
    const text = textOf(block);
    const share = linkShare(block);
    const size = letters(text).length;
    all += size;
    linked += share * size;
    const isHeading = block.content.subType.startsWith("heading");
    if (!isHeading && countWords(text) > FEW_WORDS && share < MIN_LABEL_LINKS) prose += size;
  }
  return { letters: prose, share: prose / (all || 1), links: linked / (all || 1) };
}

const proseScore = (blocks: readonly NewBlock[]) => {
  const { letters: count, links } = measureProse(blocks);
  return count * (1 - links);
};

const MIN_CONTAINED = 0.8;
/** If at least this share of the additional text is prose, it belongs to the article. */
const MIN_PROSE_SHARE = 0.75;

const indexBlocks = (blocks: readonly NewBlock[]) => indexText(blocks.map(textOf).join("\n"));

/**
 * Picks the better of two dissimilar articles. It is usually the one with more prose, because the other is a list or
 * menu. If it contains the other article and its additional text is not mostly prose, the shorter one is better.
 */
export function pickBetterArticle(first: readonly NewBlock[], second: readonly NewBlock[]): readonly NewBlock[] {
  const [more, less] = proseScore(first) > proseScore(second) ? [first, second] : [second, first];
  const [indexedMore, indexedLess] = [indexBlocks(more), indexBlocks(less)];
  const containedShare = countCommon(indexedLess.shingles, indexedMore.shingles) / (indexedLess.shingles.size || 1);
  if (containedShare < MIN_CONTAINED) return more;
  return measureProse(more.filter((block) => !occursIn(indexedLess, block))).share < MIN_PROSE_SHARE ? less : more;
}
