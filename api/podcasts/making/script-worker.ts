import { parentPort } from "node:worker_threads";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { ScriptOptions } from "#shared/podcasts/script/script-line.ts";
import { type ScriptWithMaterial, writeScriptWithMaterial } from "#shared/podcasts/script/write-script.ts";

export interface ScriptRequest {
  sources: { title: string; passages: Passage[] }[];
  options: ScriptOptions;
}
/** In the script, `citation` holds the position of the source and the id of the passage: `0/p12`. */
export type ScriptAnswer = ScriptWithMaterial | { fault: string };

/** Most passages that are read; a longer source is sampled evenly by section. */
const MAX_PASSAGES = 2500;

function thinOut(passages: readonly Passage[]): Passage[] {
  if (passages.length <= MAX_PASSAGES) return [...passages];
  const blocks: Passage[][] = [];
  for (const passage of passages) {
    const last = blocks.at(-1);
    if (!last || passage.kind === "heading" || last.length >= 40) blocks.push([passage]);
    else last.push(passage);
  }
  const share = MAX_PASSAGES / passages.length;
  return blocks.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share)).flat();
}

function cardsOf(passages: readonly Passage[]): EngineCard[] {
  const cards: EngineCard[] = [];
  for (const event of generateCards(passages, { density: "MEDIUM" })) if (event.type === "card") cards.push(event.card);
  return cards;
}

parentPort?.on("message", ({ sources, options }: ScriptRequest) => {
  try {
    const read = sources.map(({ title, passages: all }, index) => {
      const passages = thinOut(all);
      return { title, passages, cards: cardsOf(passages), cite: ({ id }: Passage) => `${index}/${id}` };
    });
    parentPort?.postMessage(writeScriptWithMaterial(read, options) satisfies ScriptAnswer, []);
  } catch (error) {
    // Only the error's name: its message could quote the source.
    parentPort?.postMessage({ fault: error instanceof Error ? error.name : "unknown" } satisfies ScriptAnswer, []);
  }
});
