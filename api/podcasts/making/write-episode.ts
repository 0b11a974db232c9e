import { Failure } from "#shared/contract/failure.ts";
import type { PodcastProgress } from "#shared/podcasts/schema.ts";
import { planLines } from "#shared/podcasts/script/fit-length.ts";
import type { ScriptLine } from "#shared/podcasts/script/script-line.ts";
import { lacksPunctuation } from "#shared/podcasts/script/paragraphs.ts";
import { samplePassages } from "#shared/podcasts/script/sample-passages.ts";
import type { ScriptWithMaterial } from "#shared/podcasts/script/write-script.ts";
import { MEASURED_TEXT, SAMPLE_TEXT } from "#shared/podcasts/voices.ts";
import { isEnglish, splitByLanguage } from "#shared/text/language.ts";
import { toSpeech } from "#shared/podcasts/speech/to-speech.ts";
import type { Deps } from "#api/http/handler.ts";
import { Thread } from "../audio/thread.ts";
import { trimSilence } from "../audio/wav.ts";
import { type ReadSource, readSource, type SourceDeps } from "../sources.ts";
import type { PodcastDoc } from "../store.ts";
import { writeWithModel } from "./model-script.ts";
import type { ScriptAnswer, ScriptRequest } from "./script-worker.ts";
import { awaitBoth } from "./await-both.ts";
import type { SegmentSpeaker } from "./segments.ts";

export interface WrittenEpisode {
  lines: ScriptLine[];
  /** Sentences that can be added while the episode is spoken. */
  unusedSentences: ScriptLine[];
  chapters: { title: string }[];
  isShort: boolean;
  /** Name of the model that wrote some of the lines. */
  writer: string | null;
  /** True if there is a model, but none of its lines could be used. */
  hasModelWrittenNothing: boolean;
}

async function readSources(deps: SourceDeps, podcast: PodcastDoc, signal: AbortSignal): Promise<ReadSource[]> {
  const read: ReadSource[] = [];
  for (const source of podcast.sources) {
    const found = await readSource(deps, source, signal);
    if (found.passages.length > 0 && !isEnglish(found.passages))
      throw new Failure("bad_input", "podcast_language", { title: source.title });
    // Passages in another language would be mangled.
    read.push({ ...found, passages: splitByLanguage(found.passages).english });
  }
  return read;
}

/**
 * Milliseconds that a voice takes per character, measured with a few sentences. These are stored like any other line.
 */
async function measureVoice(speaker: SegmentSpeaker, voice: string): Promise<number> {
  const text = `${SAMPLE_TEXT} ${MEASURED_TEXT}`;
  const spoken = toSpeech(text) ?? text;
  const { sound } = await speaker.speak(voice, spoken);
  return ((trimSilence(sound).length / sound.sampleRate) * 1000) / spoken.length;
}

async function measureVoices(speaker: SegmentSpeaker, { guest, host }: PodcastDoc) {
  return { host: await measureVoice(speaker, host.voice), guest: await measureVoice(speaker, guest.voice) };
}

/** The script options that the host's lines depend on. */
export const hostOptionsOf = ({ title, guest, host, has_breaks: hasBreaks }: PodcastDoc) => ({
  title,
  hasBreaks,
  guestName: guest.name,
  hostName: host.name,
});

/** Replaces the position that the script thread wrote into a line by a citation. */
function cite({ quote, ...line }: ScriptLine, sources: readonly ReadSource[]): ScriptLine {
  const [, index = "", passageId = ""] = /^(\d+)\/(.*)$/su.exec(line.citation ?? "") ?? [];
  const source = sources[Number(index)];
  const passage = source?.passages.find(({ id }) => id === passageId);
  return { ...line, ...(passage && source ? source.cite(passage, quote ?? line.text) : { citation: null }) };
}

type WritingDeps = SourceDeps &
  Pick<Deps, "models"> & {
    onProgress: (progress: PodcastProgress) => Promise<void>;
    /** Where an interrupted run left off. */
    checkpoint: unknown;
    onCheckpoint: (checkpoint: unknown) => Promise<void>;
  };

/**
 * Reads the sources and writes the lines. Throws the errors of the readers, and `bad_input` if no sentence can be
 * spoken.
 */
export async function writeEpisode(
  deps: WritingDeps,
  podcast: PodcastDoc,
  speaker: SegmentSpeaker,
): Promise<WrittenEpisode> {
  const { signal } = speaker;
  const [sources, msPerChar] = await awaitBoth(
    readSources(deps, podcast, signal),
    measureVoices(speaker, podcast),
    (cause) => speaker.stop(cause),
  );
  await deps.onProgress({ stage: "writing", done: 0, total: 1 });
  const options = { ...hostOptionsOf(podcast), lengthMinutes: podcast.length_minutes, msPerChar };
  const titled = sources.map(({ passages, chapters }, index) => ({
    title: podcast.sources[index]?.title ?? "",
    ...(chapters ? { chapters } : {}),
    // Thin out the passages first, so that the thread gets a smaller copy.
    passages: samplePassages(passages, podcast.length_minutes),
  }));
  const { script, material } = await writeExtractive({ sources: titled, options }, signal);
  const model = await deps.models.choose();
  const canWrite = model?.chat !== undefined;
  const onChapter = (done: number) => deps.onProgress({ stage: "writing", done, total: material.length });
  const written = canWrite
    ? await writeWithModel({ ...deps, model, ownerId: deps.own.ownerId, options, signal, onChapter }, script, material)
    : { script, isByModel: false };
  const { chapters, isShort } = written.script;
  const { lines, unusedSentences } = planLines(written.script.lines, material);
  return {
    lines: lines.map((line) => cite(line, sources)),
    unusedSentences: unusedSentences.map((line) => cite(line, sources)),
    chapters,
    isShort,
    writer: written.isByModel ? (model?.info.name ?? null) : null,
    hasModelWrittenNothing: canWrite && !written.isByModel,
  };
}

/** Writes a script without a model, in a thread that ends afterwards. */
async function writeExtractive(request: ScriptRequest, signal: AbortSignal): Promise<ScriptWithMaterial> {
  const thread = new Thread<ScriptRequest, ScriptAnswer>(new URL("./script-worker.ts", import.meta.url));
  try {
    const answer = await thread.call(request, signal);
    if ("fault" in answer) throw new Error(`a script could not be written: ${answer.fault}`);
    if (!answer.script.lines.some((line) => line.speaker === "guest")) {
      const isUnpunctuated = request.sources.some(({ passages }) => lacksPunctuation(passages));
      throw new Failure("bad_input", isUnpunctuated ? "podcast_captions_unpunctuated" : "podcast_source_empty");
    }
    return answer;
  } finally {
    await thread.end();
  }
}
