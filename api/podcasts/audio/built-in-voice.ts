import { availableParallelism } from "node:os";
import { Failure } from "#shared/contract/failure.ts";
import { Semaphore } from "#api/semaphore.ts";
import { Thread } from "./thread.ts";
import type { VoiceAnswer, VoiceRequest } from "./voice-worker.ts";
import type { Sound } from "./wav.ts";

/** Leaves a core for requests. */
const MAX_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
const IDLE_MS = 30_000;
/** The synthesiser takes longer than in proportion for long texts. */
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
    const at = idle.findIndex((waiting) => waiting.thread === thread);
    if (at >= 0) idle.splice(at, 1);
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
    const at = comma > MAX_CHARS / 2 ? comma + 1 : Math.max(1, rest.lastIndexOf(" ", MAX_CHARS));
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest];
}

function join(sounds: readonly Sound[]): Sound {
  const samples = new Float32Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, at);
    at += sound.samples.length;
  }
  return { samples, sampleRate: sounds[0]?.sampleRate ?? 0 };
}

/** Speaks English text with a voice of this server; aborting ends the thread at once. */
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
      return join(sounds);
    } finally {
      returnThread(thread);
    }
  }, signal);
}
