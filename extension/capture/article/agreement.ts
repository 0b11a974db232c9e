// Two extractors read each page; where they agree, and where not, tells what of it is the article.
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";

const SHINGLE = 4;
/** A block whose words stand in the other text to this share is the same block, whatever marks and numbers are around it. */
const SAME = 0.5;

/** FNV-1a (Fowler, Noll and Vo), in 32 bits. */
const FNV_START = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

function hashOf(word: string): number {
  let hash = FNV_START;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** 21 bits of a second hash stand behind the 32 of the first: two runs of words share a number as good as never. */
const MORE_BITS = 21;

/** The runs of words of a text, each as a number: as texts of their own those of a book would take seconds. */
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

/** A text as others are held against it. */
interface Held {
  letters: string;
  shingles: ReadonlySet<number>;
}

export const holdText = (text: string): Held => ({ letters: letters(text), shingles: shingles(text) });

/** How much of a text is the same as one that is held, from 0 to 1. */
export function likeness(text: string, { shingles: other }: Held): number {
  const one = shingles(text);
  if (one.size === 0 || other.size === 0) return one.size === other.size ? 1 : 0;
  const common = countCommon(one, other);
  return common / (one.size + other.size - common);
}

/** Whether a block stands in a text as well; code, formulas and what is set off as a quote or a hint belong to any article. */
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

/** Writing without spaces between its words, and how many of its letters make a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu;
const UNSPACED_WORD = 3;
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const countWords = (text: string) => countOf(text, /[\p{L}\p{N}]+/gu) + countOf(text, UNSPACED) / UNSPACED_WORD;
const SENTENCE_END = /[.!?…:。！？][)\]"'»”’“]*$/u;
/** Fewer words, without an end, are a label and no sentence. */
const FEW_WORDS = 10;
const FEW_LINKS = 0.3;
const MANY_LINKS = 0.6;

/** How much of a block is the words of links, from 0 to 1. */
function linkShare(block: NewBlock): number {
  if (block.type !== "text") return 0;
  const { text } = block.content;
  return plainText(text.filter(({ reference }) => reference !== undefined)).length / (plainText(text).length || 1);
}

const isLine = (block: NewBlock) => block.type === "text" && block.content.subType === "normal";
const sentence = (text: string) => countWords(text) >= FEW_WORDS && SENTENCE_END.test(text.trim());
const wordsOf = (block: NewBlock) => (block.type === "text" ? plainText(block.content.text) : "");

/** A paragraph as articles have them: sentences, and few of their words a link. */
const isSentence = (block: NewBlock) => isLine(block) && sentence(wordsOf(block)) && linkShare(block) < FEW_LINKS;

/** A line that leads elsewhere, or says in a few words what is no sentence: "Read also", who took a picture, "Advertisement". */
function isAside(block: NewBlock): boolean {
  if (!isLine(block)) return false;
  const text = wordsOf(block);
  const isLabel = countWords(text) < FEW_WORDS && !SENTENCE_END.test(text.trim());
  return isLabel || linkShare(block) >= MANY_LINKS;
}

/**
 * The blocks of an article without what the other extractor holds for its surroundings: what stands behind the last block
 * that both have, or before the first that both have or that is a sentence; and lines in between that only this one has
 * and that are none.
 */
export function withoutSurroundings(blocks: readonly NewBlock[], other: Held): NewBlock[] {
  const shared = blocks.map((block) => standsIn(other, block));
  const last = shared.lastIndexOf(true);
  if (last === -1) return [...blocks];
  const first = blocks.findIndex((block, at) => shared[at] === true || isSentence(block));
  // A picture above the first paragraph is mostly the article's own.
  return blocks
    .slice(0, last + 1)
    .filter((block, at) => (at >= first ? shared[at] === true || !isAside(block) : block.type === "file"));
}

const isProse = (part: Element): boolean => {
  const text = part.textContent;
  const links = [...part.querySelectorAll("a")].reduce((sum, link) => sum + link.textContent.length, 0);
  return sentence(text) && links / text.length < FEW_LINKS;
};

/** The sentences among parts that stand before the first which is in a text; none where no part is in it. */
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

/** The sentences with which one extractor's article begins before the text of the other's does, as they stand in its markup. */
export const leadOf = (article: ParentNode, other: string): Element[] =>
  before(article.querySelectorAll("p, li, h2, h3, h4, blockquote, pre"), letters(other));

const PARTS = "p, div, h2, h3, h4, li, blockquote";
const INNER = "p, div, ul, ol, table, section, article, h1, h2, h3, h4, form";
const AROUND = "nav, aside, footer, form, figure, button, ul, ol, [hidden], [aria-hidden=true]";
const MOST_AFTER_TITLE = 30;

/** Titles of a page with the parts that follow each, none within another: where the sentence under a title is looked for. */
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

/** The sentences that stand under the title of an article, above where its text begins. */
export const underTitle = (titles: readonly Element[][], text: string): Element[] =>
  titles.map((parts) => before(parts, letters(text))).findLast((lead) => lead.length > 0) ?? [];

/** What of some blocks is prose, and how much of all their words that is and links are. */
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
/** Above this what one article has more than the other was mostly the article's own, and below mostly surroundings. */
const MOSTLY_PROSE = 0.75;

const heldBlocks = (blocks: readonly NewBlock[]) => holdText(blocks.map(wordsOf).join("\n"));

/**
 * Of two articles that have little in common, the one with more prose: the other is a list, a menu or a note of the site.
 * But where all of one stands in the other, what that has more must be prose as well.
 */
export function richer(one: readonly NewBlock[], other: readonly NewBlock[]): readonly NewBlock[] {
  const [more, less] = proseOf(one) > proseOf(other) ? [one, other] : [other, one];
  const [heldMore, heldLess] = [heldBlocks(more), heldBlocks(less)];
  const inside = countCommon(heldLess.shingles, heldMore.shingles) / (heldLess.shingles.size || 1);
  if (inside < CONTAINED) return more;
  return proseIn(more.filter((block) => !standsIn(heldLess, block))).share < MOSTLY_PROSE ? less : more;
}
