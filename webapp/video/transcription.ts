import { atom } from "jotai/vanilla";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { SpeechEvent } from "#shared/video/schema.ts";
import { client } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { loadInfo, loadTranscript } from "./state.ts";

export type TranscriptionState =
  | { state: "idle" }
  | { state: "running"; done: number; total: number }
  | { state: "failed"; message: string };

const transcriptionState = atom<TranscriptionState>({ state: "idle" });
export const transcriptionAtom = atom((get) => get(transcriptionState));

let activeController: AbortController | undefined;

async function handleEvent(id: string, event: SpeechEvent): Promise<void> {
  if (event.type === "progress")
    store.set(transcriptionState, { state: "running", done: event.done, total: event.total });
  if (event.type === "error")
    store.set(
      transcriptionState,
      event.code === "cancelled" ? { state: "idle" } : { state: "failed", message: event.message },
    );
  if (event.type !== "result") return;
  store.set(transcriptionState, { state: "idle" });
  await loadInfo(id);
  await loadTranscript(id);
}

/** Follows the progress of a transcription, even if it started before this screen was opened. */
export function followTranscription(id: string): () => void {
  const controller = new AbortController();
  activeController = controller;
  store.set(transcriptionState, { state: "idle" });
  void follow(id, controller);
  return () => controller.abort();
}

async function follow(id: string, controller: AbortController): Promise<void> {
  try {
    for await (const event of client.video.followTranscription({ id }, { signal: controller.signal })) {
      if (activeController !== controller || controller.signal.aborted) return;
      await handleEvent(id, event);
    }
  } catch (error) {
    // Not an error if no transcription was started or the screen was closed.
    const isQuiet = (error instanceof Failure && error.code === "not_found") || error instanceof NoResponseError;
    if (!isQuiet) fail(error);
  }
}

function fail(error: unknown): void {
  const message = error instanceof Failure ? error.message : toFailureMessage(error)?.message;
  if (message !== undefined) store.set(transcriptionState, { state: "failed", message });
}

export async function startTranscription(id: string): Promise<void> {
  const shown = activeController;
  // If the student left the screen, it follows the transcription when it is opened again.
  const isLeft = () => activeController !== shown || shown?.signal.aborted === true;
  store.set(transcriptionState, { state: "running", done: 0, total: 0 });
  try {
    await client.video.startTranscription({ id });
  } catch (error) {
    if (!isLeft()) fail(error);
    return;
  }
  if (isLeft()) return;
  const controller = new AbortController();
  activeController?.abort();
  activeController = controller;
  await follow(id, controller);
}

export async function cancelTranscription(id: string): Promise<void> {
  try {
    await client.video.cancelTranscription({ id });
    store.set(transcriptionState, { state: "idle" });
  } catch (error) {
    fail(error);
  }
}
