import { parentPort, workerData } from "node:worker_threads";
import { PassageTables } from "./passage-tables.ts";

/** One question to the index and its answer; `args` are those of the port. */
export interface IndexCall {
  id: number;
  method: "versions" | "put" | "remove" | "removeOwner" | "search" | "read" | "unembedded" | "putVectors" | "nearest";
  args: readonly unknown[];
}
export type IndexAnswer = { id: number; value: unknown } | { id: number; error: string };

const tables = new PassageTables(String(workerData));

parentPort?.on("message", (call: IndexCall) => void answer(call));

async function answer({ id, method, args }: IndexCall): Promise<void> {
  const call = tables[method] as (...given: readonly unknown[]) => unknown;
  try {
    parentPort?.postMessage({ id, value: await call.apply(tables, [...args]) } satisfies IndexAnswer, []);
  } catch (error) {
    // The kind alone: a message of the database could hold words of a source.
    parentPort?.postMessage({ id, error: error instanceof Error ? error.name : "unknown" } satisfies IndexAnswer, []);
  }
}
