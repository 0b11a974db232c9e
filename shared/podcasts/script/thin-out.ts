import type { Passage } from "#shared/pdf/schema.ts";

/** Most passages that are read. */
export const MAX_PASSAGES = 2500;
const BLOCK_PASSAGES = 40;

/** A longer source is sampled evenly: whole blocks of it, each from a heading on, from its beginning to its end. */
export function thinOut(passages: readonly Passage[]): Passage[] {
  if (passages.length <= MAX_PASSAGES) return [...passages];
  const blocks: Passage[][] = [];
  for (const passage of passages) {
    const last = blocks.at(-1);
    if (!last || passage.kind === "heading" || last.length >= BLOCK_PASSAGES) blocks.push([passage]);
    else last.push(passage);
  }
  const share = MAX_PASSAGES / passages.length;
  return blocks.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share)).flat();
}
