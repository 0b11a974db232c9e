import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { KnowledgeSource } from "#shared/library/knowledge.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

export type Knowledge =
  | { state: "loading" | "failed" | "offline" }
  | { state: "ready"; sources: readonly KnowledgeSource[] };

const heldAtom = accountAtom<Knowledge>({ state: "loading" });
export const knowledgeAtom = atom((get) => get(heldAtom));

export async function loadKnowledge(): Promise<void> {
  try {
    store.set(heldAtom, { state: "ready", sources: (await client.library.listSources({})).sources });
  } catch (error) {
    if (store.get(heldAtom).state === "ready") return;
    store.set(heldAtom, { state: error instanceof NoAnswer ? "offline" : "failed" });
  }
}

/** Whether any source is being transcribed. */
export function isAnyHeard(): boolean {
  const knowledge = store.get(heldAtom);
  return knowledge.state === "ready" && knowledge.sources.some(({ spoken }) => spoken?.state === "hearing");
}

export function retryKnowledge(): void {
  store.set(heldAtom, { state: "loading" });
  void loadKnowledge();
}

/** How far a source has been read; null if the request failed. */
export async function readStateOf(componentId: string): Promise<ReadingState | null> {
  try {
    return await client.pdf.getReading({ id: componentId });
  } catch {
    return null;
  }
}

async function change(ask: () => Promise<ReadingState>): Promise<ReadingState | null> {
  try {
    return await ask();
  } catch (error) {
    logTrouble("Could not change text recognition", error);
    const said = friendlyFailure(error);
    if (said) notify({ message: said.message, type: "error" });
    return null;
  }
}

export const recognise = (id: string) => change(() => client.pdf.recogniseText({ id }));
export const stopRecognising = (id: string) => change(() => client.pdf.cancelRecognition({ id }));
