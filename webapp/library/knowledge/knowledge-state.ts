import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { KnowledgeSource } from "#shared/library/knowledge.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

export type Knowledge =
  | { state: "loading" | "failed" | "offline" }
  | { state: "ready"; sources: readonly KnowledgeSource[] };

const knowledgeStateAtom = accountAtom<Knowledge>({ state: "loading" });
export const knowledgeAtom = atom((get) => get(knowledgeStateAtom));

export const loadKnowledge = (): Promise<void> =>
  loadForAccount(
    () => client.library.listSources({}),
    ({ sources }) => store.set(knowledgeStateAtom, { state: "ready", sources }),
    (error) => {
      if (store.get(knowledgeStateAtom).state === "ready") return;
      store.set(knowledgeStateAtom, { state: error instanceof NoResponseError ? "offline" : "failed" });
    },
  );

/** Whether any source is being transcribed. */
export function isAnyTranscribing(): boolean {
  const knowledge = store.get(knowledgeStateAtom);
  return knowledge.state === "ready" && knowledge.sources.some(({ spoken }) => spoken?.state === "transcribing");
}

export function retryKnowledge(): void {
  store.set(knowledgeStateAtom, { state: "loading" });
  void loadKnowledge();
}

/** How far the server has read a source; null if the request failed. */
export async function fetchReadingState(componentId: string): Promise<ReadingState | null> {
  try {
    return await client.pdf.getReading({ id: componentId });
  } catch {
    return null;
  }
}

async function changeRecognition(request: () => Promise<ReadingState>): Promise<ReadingState | null> {
  try {
    return await request();
  } catch (error) {
    logWarning("Could not change text recognition", error);
    const failure = toFailureMessage(error);
    if (failure) notify({ message: failure.message, type: "error" });
    return null;
  }
}

export const startRecognition = (id: string) => changeRecognition(() => client.pdf.recogniseText({ id }));
export const stopRecognition = (id: string) => changeRecognition(() => client.pdf.cancelRecognition({ id }));
