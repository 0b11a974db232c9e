// Word errors of an independent speech recogniser for each built-in voice. `RECOGNISER` is a program with its arguments,
// separated by spaces: it gets the names of WAV files and prints one line of text for each. docs/podcasts.md names one.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { toSpeech } from "#shared/podcasts/speech/to-speech.ts";
import { MEASURED_TEXT, SAMPLE_TEXT, voices } from "#shared/podcasts/voices.ts";
import { speakBuiltIn } from "#api/podcasts/audio/built-in-voice.ts";
import { type Sound, toPcm16 } from "#api/podcasts/audio/wav.ts";

const MAX_ERROR_SHARE = 0.1;
/** The exit code that tests/long/run.ts understands as "found faults". */
const FOUND_FAULTS = 3;
const SENTENCES = [
  SAMPLE_TEXT,
  MEASURED_TEXT,
  "A host is the organism that is invaded and often harmed by a pathogen.",
  "Inflation is a general and ongoing rise in the level of prices in an entire economy.",
  "In 1929 the stock market lost about 25% of its value within two days.",
  "An algorithm is a sequence of simple steps, together with a rule that says when to stop.",
  "The heart pumps roughly 5 L of blood through the body every minute.",
  "When water freezes, its molecules form a lattice that takes up more room than the liquid did.",
  "The army crossed the river at night, and by morning the whole city had surrendered.",
  "Memory is a system that encodes, stores and retrieves what we have learned.",
];

const WAV_HEADER_BYTES = 44;

function toWav({ samples, sampleRate }: Sound): Buffer {
  const data = toPcm16(samples);
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** The words as they are spoken, because a recogniser writes "25%" for "twenty five percent". */
const soundingWords = (text: string): string[] =>
  (toSpeech(text) ?? text)
    .toLowerCase()
    .replaceAll("-", " ")
    .match(/[a-z']+/gu) ?? [];

/** Edit distance in words. */
function countErrors(wanted: readonly string[], got: readonly string[]): number {
  let row = got.map((_, at) => at + 1);
  for (const [line, word] of wanted.entries()) {
    let diagonal = line;
    let left = line + 1;
    row = row.map((above, at) => {
      const cost = Math.min(above + 1, left + 1, diagonal + (got[at] === word ? 0 : 1));
      diagonal = above;
      left = cost;
      return cost;
    });
  }
  return row.at(-1) ?? wanted.length;
}

async function recognise(command: string, files: readonly string[]): Promise<string[]> {
  const [program = "", ...args] = command.split(" ");
  const { stdout } = await promisify(execFile)(program, [...args, ...files], { maxBuffer: 10_000_000 });
  return stdout.trimEnd().split("\n");
}

async function measure(command: string, folder: string): Promise<boolean> {
  let isGood = true;
  for (const { id } of voices) {
    const files = SENTENCES.map((_, at) => join(folder, `${id}-${at}.wav`));
    for (const [at, sentence] of SENTENCES.entries()) {
      const sound = await speakBuiltIn(id, toSpeech(sentence) ?? sentence, AbortSignal.timeout(60_000));
      await writeFile(files[at] ?? "", toWav(sound));
    }
    const lines = await recognise(command, files);
    let [errors, words] = [0, 0];
    for (const [at, sentence] of SENTENCES.entries()) {
      const [wanted, got] = [soundingWords(sentence), soundingWords(lines[at] ?? "")];
      const wrong = countErrors(wanted, got);
      errors += wrong;
      words += wanted.length;
      if (wrong > 0) process.stdout.write(`    ${wanted.join(" ")}\n    ${got.join(" ")}\n`);
    }
    isGood &&= errors / words <= MAX_ERROR_SHARE;
    process.stdout.write(`${id}: ${((errors / words) * 100).toFixed(1)} % of ${words} words are wrong\n`);
  }
  return isGood;
}

const command = process.env["RECOGNISER"];
if (command === undefined) {
  process.stdout.write("Nothing was measured: RECOGNISER names no program\n");
  process.exit(0);
}
const folder = await mkdtemp(join(tmpdir(), "lamplight-words-"));
const isGood = await measure(command, folder);
await rm(folder, { recursive: true });
process.exit(isGood ? 0 : FOUND_FAULTS);
