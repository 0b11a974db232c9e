// Compares the results of two article extractors to decide which blocks belong to the article.
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";

const SHINGLE = 4;
/** A block with at least this share of common shingles counts as the same block. */
const SAME = 0.5;

/** FNV-1a, 32 bits. https://en.wikipedia.org/wiki/Fowler–Noll–Vo_hash_function */
const FNV_START = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

function hashOf(word: string): number {
  let hash = FNV_START;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** Adds 21 bits of a second hash (53 in total, the safe integer range), which makes collisions negligible. */
const MORE_BITS = 21;

/** Word n-grams as numbers; as strings they would take seconds for a book. https://en.wikipedia.org/wiki/W-shingling */
function shingles(text: string): Set<number> {
  const hashes = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(hashOf);
  const found = new Set<number>();
  for (let from = 0; from + SHINGLE <= hashes.length; from += 1) {
    let [one, other] = [FNV_START, 0];
    for (const hash of hashes.slice(from, from + SHINGLE)) {
      one = Math.imul(one ^ hash, FNV_PRIME);
      other = Math.imul(other + hash, FNV_START);
    }
    found.add((one >>> 0) * 2 ** MORE_BITS + (other >>> (32 - MORE_BITS)));
  }
  return found;
}

const countCommon = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
  [...one].filter((each) => other.has(each)).length;

const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** A text prepared for comparison. */
interface Held {
  letters: string;
  shingles: ReadonlySet<number>;
}

export const holdText = (text: string): Held => ({ letters: letters(text), shingles: shingles(text) });

/** Jaccard similarity of two texts, from 0 to 1. */
export function likeness(text: string, { shingles: other }: Held): number {
  const one = shingles(text);
  if (one.size === 0 || other.size === 0) return one.size === other.size ? 1 : 0;
  const common = countCommon(one, other);
  return common / (one.size + other.size - common);
}

/** Whether a block also occurs in the other text; code, formulas and quotes count as part of any article. */
function standsIn(held: Held, block: NewBlock): boolean {
  if (block.type === "code_block" || block.type === "equation") return true;
  if (block.type !== "text") return false;
  if (block.content.subType === "block_quote") return true;
  const text = plainText(block.content.text);
  const said = letters(text);
  if (said === "") return false;
  if (held.letters.includes(said)) return true;
  const own = shingles(text);
  return own.size > 0 && countCommon(own, held.shingles) / own.size >= SAME;
}

/** Scripts without spaces between words, and the average letters per word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu;
const UNSPACED_WORD = 3;
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const countWords = (text: string) => countOf(text, /[\p{L}\p{N}]+/gu) + countOf(text, UNSPACED) / UNSPACED_WORD;
const SENTENCE_END = /[.!?…:。！？][)\]"'»”’“]*$/u;
/** Fewer words without an end mark are a label, not a sentence. */
const FEW_WORDS = 10;
const FEW_LINKS = 0.3;
const MANY_LINKS = 0.6;

/** Share of a block's text that is links, from 0 to 1. */
function linkShare(block: NewBlock): number {
  if (block.type !== "text") return 0;
  const { text } = block.content;
  return plainText(text.filter(({ reference }) => reference !== undefined)).length / (plainText(text).length || 1);
}

const isLine = (block: NewBlock) => block.type === "text" && block.content.subType === "normal";
const sentence = (text: string) => countWords(text) >= FEW_WORDS && SENTENCE_END.test(text.trim());
const wordsOf = (block: NewBlock) => (block.type === "text" ? plainText(block.content.text) : "");

/** A typical article paragraph: sentences with few links. */
const isSentence = (block: NewBlock) => isLine(block) && sentence(wordsOf(block)) && linkShare(block) < FEW_LINKS;

/** A link list or short label, such as "Read also", a photo credit or "Advertisement". */
function isAside(block: NewBlock): boolean {
  if (!isLine(block)) return false;
  const text = wordsOf(block);
  const isLabel = countWords(text) < FEW_WORDS && !SENTENCE_END.test(text.trim());
  return isLabel || linkShare(block) >= MANY_LINKS;
}

/**
 * Removes blocks around the article: those after the last common block, those before the first common block or
 * sentence, and labels in between that only this extractor has.
 */
export function withoutSurroundings(blocks: readonly NewBlock[], other: Held): NewBlock[] {
  const shared = blocks.map((block) => standsIn(other, block));
  const last = shared.lastIndexOf(true);
  if (last === -1) return [...blocks];
  const first = blocks.findIndex((block, at) => shared[at] === true || isSentence(block));
  // An image above the first paragraph usually belongs to the article.
  return blocks
    .slice(0, last + 1)
    .filter((block, at) => (at >= first ? shared[at] === true || !isAside(block) : block.type === "file"));
}

const isProse = (part: Element): boolean => {
  const text = part.textContent;
  const links = [...part.querySelectorAll("a")].reduce((sum, link) => sum + link.textContent.length, 0);
  return sentence(text) && links / text.length < FEW_LINKS;
};

/** Prose before the first part that occurs in the text; empty if no part does. */
function before(parts: Iterable<Element>, held: string): Element[] {
  const lead: Element[] = [];
  for (const part of parts) {
    const said = letters(part.textContent);
    if (said === "") continue;
    if (held.includes(said)) return lead;
    if (/^(?:P|DIV)$/.test(part.nodeName) && isProse(part)) lead.push(part);
  }
  return [];
}

/** Opening paragraphs of one extractor's article that the other one left out, as elements. */
export const leadOf = (article: ParentNode, other: string): Element[] =>
  before(article.querySelectorAll("p, li, h2, h3, h4, blockquote, pre"), letters(other));

const PARTS = "p, div, h2, h3, h4, li, blockquote";
const INNER = "p, div, ul, ol, table, section, article, h1, h2, h3, h4, form";
const AROUND = "nav, aside, footer, form, figure, button, ul, ol, [hidden], [aria-hidden=true]";
const MOST_AFTER_TITLE = 30;

/** For each heading of the page, the simple elements that follow it; the standfirst is searched there. */
export function titlesOf(page: Document): Element[][] {
  const found: Element[][] = [];
  for (const part of page.querySelectorAll(`h1, ${PARTS}`)) {
    if (part.nodeName === "H1") found.push([]);
    const last = found.at(-1);
    if (!last || last.length >= MOST_AFTER_TITLE || part.nodeName === "H1") continue;
    if (!part.querySelector(INNER) && !part.closest(AROUND) && letters(part.textContent) !== "") last.push(part);
  }
  return found;
}

/** The standfirst: sentences between the title and the beginning of the text. */
export const underTitle = (titles: readonly Element[][], text: string): Element[] =>
  titles.map((parts) => before(parts, letters(text))).findLast((lead) => lead.length > 0) ?? [];

/** Amount of prose in some blocks, its share of all text, and the share of links. */
function proseIn(blocks: readonly NewBlock[]): { letters: number; share: number; links: number } {
  let [all, prose, linked] = [0, 0, 0];
  for (const block of blocks) {
    if (block.type !== "text") continue;
    const text = wordsOf(block);
    const share = linkShare(block);
    const size = letters(text).length;
    all += size;
    linked += share * size;
    const isHeading = block.content.subType.startsWith("heading");
    if (!isHeading && countWords(text) > FEW_WORDS && share < MANY_LINKS) prose += size;
  }
  return { letters: prose, share: prose / (all || 1), links: linked / (all || 1) };
}

const proseOf = (blocks: readonly NewBlock[]) => {
  const { letters: count, links } = proseIn(blocks);
  return count * (1 - links);
};

const CONTAINED = 0.8;
/** If at least this share of the additional text is prose, it belongs to the article. */
const MOSTLY_PROSE = 0.75;

const heldBlocks = (blocks: readonly NewBlock[]) => holdText(blocks.map(wordsOf).join("\n"));

/**
 * Picks the better of two dissimilar articles: the one with more prose, since the other is a list or menu. If one
 * contains the other, the additional text must be prose as well.
 */
export function richer(one: readonly NewBlock[], other: readonly NewBlock[]): readonly NewBlock[] {
  const [more, less] = proseOf(one) > proseOf(other) ? [one, other] : [other, one];
  const [heldMore, heldLess] = [heldBlocks(more), heldBlocks(less)];
  const inside = countCommon(heldLess.shingles, heldMore.shingles) / (heldLess.shingles.size || 1);
  if (inside < CONTAINED) return more;
  return proseIn(more.filter((block) => !standsIn(heldLess, block))).share < MOSTLY_PROSE ? less : more;
}
