import { availableParallelism } from "node:os";
import { Failure } from "#shared/contract/failure.ts";
import { Semaphore } from "#api/semaphore.ts";
import { Thread } from "./thread.ts";
import type { VoiceAnswer, VoiceRequest } from "./voice-worker.ts";
import type { Sound } from "./wav.ts";

/** Leaves a core for requests. */
const MAX_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
const IDLE_MS = 30_000;
/** The synthesiser's time grows faster than the length of the text. */
const MAX_CHARS = 500;

type VoiceThread = Thread<VoiceRequest, VoiceAnswer>;
const idle: { thread: VoiceThread; timer: NodeJS.Timeout }[] = [];
const permits = new Semaphore(MAX_THREADS);

function takeThread(): VoiceThread {
  const waiting = idle.pop();
  if (!waiting) return new Thread(new URL("./voice-worker.ts", import.meta.url));
  clearTimeout(waiting.timer);
  return waiting.thread;
}

function returnThread(thread: VoiceThread): void {
  if (thread.isEnded) return;
  const timer = setTimeout(() => {
    const index = idle.findIndex((waiting) => waiting.thread === thread);
    if (index >= 0) idle.splice(index, 1);
    void thread.end();
  }, IDLE_MS).unref();
  idle.push({ thread, timer });
}

/** Splits at the last comma or space before the limit. */
function splitLong(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_CHARS) {
    const comma = rest.lastIndexOf(", ", MAX_CHARS);
    const end = comma > MAX_CHARS / 2 ? comma + 1 : Math.max(1, rest.lastIndexOf(" ", MAX_CHARS));
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest];
}

function joinSounds(sounds: readonly Sound[]): Sound {
  const samples = new Float32Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let offset = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, offset);
    offset += sound.samples.length;
  }
  return { samples, sampleRate: sounds[0]?.sampleRate ?? 0 };
}

/** Speaks English text with a built-in voice. An abort ends the thread at once. */
export async function speakBuiltIn(voice: string, text: string, signal: AbortSignal): Promise<Sound> {
  return permits.run(async () => {
    const thread = takeThread();
    try {
      const sounds: Sound[] = [];
      for (const piece of splitLong(text)) {
        const answer = await thread.call({ voice, text: piece }, signal);
        if ("fault" in answer) throw new Failure("model_unavailable", "podcast_voice_failed");
        sounds.push(answer);
      }
      return joinSounds(sounds);
    } finally {
      returnThread(thread);
    }
  }, signal);
}
