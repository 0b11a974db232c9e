import { parentPort } from "node:worker_threads";
import { generateCards } from "#shared/engine/cards.ts";
import type { EngineEvent, EngineOptions } from "#shared/engine/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export interface EngineTask {
  passages: readonly Passage[];
  options: EngineOptions;
}

export type EngineMessage = EngineEvent | { type: "end" } | { type: "broken"; kind: string };

const post = (message: EngineMessage) => parentPort?.postMessage(message, []);

parentPort?.on("message", ({ passages, options }: EngineTask) => {
  try {
    for (const event of generateCards(passages, options)) post(event);
    post({ type: "end" });
  } catch (error) {
    // The kind alone: a message could quote the source.
    post({ type: "broken", kind: error instanceof Error ? error.name : "unknown" });
  }
});
