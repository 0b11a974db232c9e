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

/**
 * The blocks of an article without what the other extractor holds for its surroundings, where that stands before the first
 * or behind the last block that both have: lists of other articles, credits, what a player says. In between all stays.
 */
export function withoutSurroundings(blocks: readonly NewBlock[], other: Held): NewBlock[] {
  const isShared = (block: NewBlock) => standsIn(other, block);
  const last = blocks.findLastIndex(isShared);
  if (last === -1) return [...blocks];
  const first = blocks.findIndex(isShared);
  // A picture above the first paragraph is mostly the article's own.
  return blocks.slice(0, last + 1).filter((block, at) => at >= first || block.type === "file");
}
