import { parentPort } from "node:worker_threads";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { coverageOf, type CoveredCard } from "#shared/cards/deck/coverage.ts";
import type { CoverageEntry, EngineEvent, EngineOptions } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export interface EngineTask {
  passages: readonly Passage[];
  options: EngineOptions;
  /** If present, computes the coverage of these cards instead of generating cards. */
  coveredCards?: readonly CoveredCard[];
}

export type EngineMessage =
  | EngineEvent
  | { type: "coverage"; entries: CoverageEntry[] }
  | { type: "end" }
  | { type: "failed"; kind: string };

const post = (message: EngineMessage) => parentPort?.postMessage(message, []);

// The first call loads the word lists; do it now, so that the first student does not wait.
const warmUpPassages = passagesFromText("Chlorophyll is the green pigment that absorbs light in the leaves.");
for (const event of generateCards(warmUpPassages, { density: "LOW" })) void event;

parentPort?.on("message", ({ passages, options, coveredCards }: EngineTask) => {
  try {
    if (coveredCards) post({ type: "coverage", entries: coverageOf(passages, coveredCards) });
    else for (const event of generateCards(passages, options)) post(event);
    post({ type: "end" });
  } catch (error) {
    // Only the error's name, because its message could quote the source.
    post({ type: "failed", kind: error instanceof Error ? error.name : "unknown" });
  }
});
