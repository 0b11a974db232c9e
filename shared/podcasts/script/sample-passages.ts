import type { Passage } from "#shared/pdf/schema.ts";

/** Far more than an episode can speak, and little enough to write a script from in a few seconds. */
const PASSAGES_PER_MINUTE = 100;
const MIN_PASSAGES = 1000;
const BLOCK_PASSAGES = 40;

/** Samples a longer source evenly from its beginning to its end, in whole blocks that begin at a heading. */
export function samplePassages(passages: readonly Passage[], lengthMinutes: number): Passage[] {
  const maxPassages = Math.max(MIN_PASSAGES, PASSAGES_PER_MINUTE * lengthMinutes);
  if (passages.length <= maxPassages) return [...passages];
  const blocks: Passage[][] = [];
  for (const passage of passages) {
    const last = blocks.at(-1);
    if (!last || passage.kind === "heading" || last.length >= BLOCK_PASSAGES) blocks.push([passage]);
    else last.push(passage);
  }
  const share = maxPassages / passages.length;
  return blocks.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share)).flat();
}
