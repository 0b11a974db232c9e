import type { Podcast } from "#shared/podcasts/schema.ts";
import type { Settings } from "#api/settings.ts";
import { speakBuiltIn } from "./built-in-voice.ts";
import { serverVoiceOf, speakOnServer } from "./server-voice.ts";
import type { Sound } from "./wav.ts";

export const engineOf = ({ TTS_BASE_URL }: Settings): Podcast["engine"] =>
  TTS_BASE_URL === undefined ? "built_in" : "server";

/** What identifies a voice: lines with the same text and the same of these values sound the same. */
export const describeVoice = (settings: Settings, engine: Podcast["engine"], voice: string): readonly string[] =>
  engine === "built_in" ? ["built_in", voice] : ["server", settings.TTS_MODEL, serverVoiceOf(settings, voice)];

interface Line {
  engine: Podcast["engine"];
  /** Id of a guest. */
  voice: string;
  /** The text to speak, as returned by `toSpeech`. */
  spoken: string;
}

export const speakLine = (settings: Settings, { engine, voice, spoken }: Line, signal: AbortSignal): Promise<Sound> =>
  engine === "built_in"
    ? speakBuiltIn(voice, spoken, signal)
    : speakOnServer(settings, { voice: serverVoiceOf(settings, voice), text: spoken }, signal);
