import { parentPort } from "node:worker_threads";
import { generateCards } from "#shared/engine/cards.ts";
import { passagesFromText } from "#shared/engine/plain-text.ts";
import type { EngineEvent, EngineOptions } from "#shared/engine/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export interface EngineTask {
  passages: readonly Passage[];
  options: EngineOptions;
}

export type EngineMessage = EngineEvent | { type: "end" } | { type: "broken"; kind: string };

const post = (message: EngineMessage) => parentPort?.postMessage(message, []);

// The first sentence loads the word lists, which should not wait for the first student.
const first = passagesFromText("Chlorophyll is the green pigment that absorbs light in the leaves.");
for (const event of generateCards(first, { density: "LOW" })) void event;

parentPort?.on("message", ({ passages, options }: EngineTask) => {
  try {
    for (const event of generateCards(passages, options)) post(event);
    post({ type: "end" });
  } catch (error) {
    // The kind alone: a message could quote the source.
    post({ type: "broken", kind: error instanceof Error ? error.name : "unknown" });
  }
});
