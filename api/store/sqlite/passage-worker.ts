import { parentPort, workerData } from "node:worker_threads";
import { PassageTables } from "./passage-tables.ts";

/** A call to the index, with the arguments of the port's method, and its result. */
export interface IndexCall {
  id: number;
  method: "versions" | "put" | "remove" | "removeOwner" | "search" | "read" | "unembedded" | "putVectors" | "nearest";
  args: readonly unknown[];
}
export type IndexAnswer = { id: number; value: unknown } | { id: number; error: string };

const passageTables = new PassageTables(String(workerData));

parentPort?.on("message", (call: IndexCall) => void answer(call));

async function answer({ id, method, args }: IndexCall): Promise<void> {
  const call = passageTables[method] as (...given: readonly unknown[]) => unknown;
  try {
    parentPort?.postMessage({ id, value: await call.apply(passageTables, [...args]) } satisfies IndexAnswer, []);
  } catch (error) {
    // Only the error's name: a database message could contain source text.
    parentPort?.postMessage({ id, error: error instanceof Error ? error.name : "unknown" } satisfies IndexAnswer, []);
  }
}
