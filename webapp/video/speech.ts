import { atom } from "jotai/vanilla";
import { friendlyFailure } from "#shared/client/failures.ts";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { SpeechEvent } from "#shared/video/schema.ts";
import { client } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { loadTranscript, reloadInfo } from "./state.ts";

export type Speech =
  | { state: "idle" }
  | { state: "running"; done: number; total: number }
  | { state: "failed"; message: string };

const speechState = atom<Speech>({ state: "idle" });
export const speechAtom = atom((get) => get(speechState));

let following: AbortController | undefined;

async function heard(id: string, event: SpeechEvent): Promise<void> {
  if (event.type === "progress") store.set(speechState, { state: "running", done: event.done, total: event.total });
  if (event.type === "error")
    store.set(
      speechState,
      event.code === "cancelled" ? { state: "idle" } : { state: "failed", message: event.message },
    );
  if (event.type !== "result") return;
  store.set(speechState, { state: "idle" });
  await reloadInfo(id);
  await loadTranscript(id);
}

/** Follows the progress of a transcription, even one started before this screen was opened. */
export function followSpeech(id: string): () => void {
  const mine = new AbortController();
  following = mine;
  store.set(speechState, { state: "idle" });
  void follow(id, mine);
  return () => mine.abort();
}

async function follow(id: string, mine: AbortController): Promise<void> {
  try {
    for await (const event of client.video.followSpeech({ id }, { signal: mine.signal })) {
      if (following !== mine || mine.signal.aborted) return;
      await heard(id, event);
    }
  } catch (error) {
    // No transcription was started, or the screen was closed.
    const isQuiet = (error instanceof Failure && error.code === "not_found") || error instanceof NoAnswer;
    if (!isQuiet) fail(error);
  }
}

function fail(error: unknown): void {
  const message = error instanceof Failure ? error.message : friendlyFailure(error)?.message;
  if (message !== undefined) store.set(speechState, { state: "failed", message });
}

export async function startSpeech(id: string): Promise<void> {
  store.set(speechState, { state: "running", done: 0, total: 0 });
  try {
    await client.video.startSpeech({ id });
  } catch (error) {
    fail(error);
    return;
  }
  const mine = new AbortController();
  following?.abort();
  following = mine;
  await follow(id, mine);
}

export async function cancelSpeech(id: string): Promise<void> {
  try {
    await client.video.cancelSpeech({ id });
    store.set(speechState, { state: "idle" });
  } catch (error) {
    fail(error);
  }
}
