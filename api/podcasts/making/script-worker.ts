import { parentPort } from "node:worker_threads";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { ScriptOptions } from "#shared/podcasts/script/script-line.ts";
import type { Chapter } from "#shared/video/schema.ts";
import { type ScriptWithMaterial, writeScriptWithMaterial } from "#shared/podcasts/script/write-script.ts";
import { withTalkHeadings } from "./talk-headings.ts";

export interface ScriptRequest {
  /** A talk has `chapters`, which may be empty. */
  sources: { title: string; passages: Passage[]; chapters?: Chapter[] }[];
  options: ScriptOptions;
}
/** In the script, `citation` contains the position of the source and the id of the passage: `0/p12`. */
export type ScriptAnswer = ScriptWithMaterial | { fault: string };

function cardsOf(passages: readonly Passage[]): EngineCard[] {
  const cards: EngineCard[] = [];
  for (const event of generateCards(passages, { density: "MEDIUM" })) if (event.type === "card") cards.push(event.card);
  return cards;
}

parentPort?.on("message", ({ sources, options }: ScriptRequest) => {
  try {
    const read = sources.map(({ title, passages: own, chapters }, index) => {
      const passages = chapters ? withTalkHeadings(own, chapters) : own;
      return { title, passages, cards: cardsOf(passages), cite: ({ id }: Passage) => `${index}/${id}` };
    });
    parentPort?.postMessage(writeScriptWithMaterial(read, options) satisfies ScriptAnswer, []);
  } catch (error) {
    // Only the error's name: its message could quote the source.
    parentPort?.postMessage({ fault: error instanceof Error ? error.name : "unknown" } satisfies ScriptAnswer, []);
  }
});
