import type { Protection } from "./protection.ts";

const ATTEMPTS = "tests/podcasts/stored/attempts.test.ts";
const TITLE = "tests/podcasts/stored/title.test.ts";
const SOUND = "tests/podcasts/stored/sound.test.ts";
const FAULTS = "tests/podcasts/faults.test.ts";
const OUTLINE = "tests/podcasts/spoken/outline.test.ts";
const JOB = "api/podcasts/making/episode-job.ts";
const DIALOGUE = "shared/podcasts/script/dialogue.ts";

/** Protections of podcasts: their attempts, their files, and what is heard. */
export const podcastMaking: readonly Protection[] = [
  {
    id: "R13cc",
    what: "removing old lines removes nothing of a later attempt",
    edits: [
      {
        file: "api/podcasts/store.ts",
        from: "[null, { lte: attempt }].map",
        to: "[null, { lte: attempt + 1 }].map",
      },
    ],
    tests: ATTEMPTS,
    title: "a retry while the lines",
  },
  {
    id: "R13dd",
    what: "an attempt that was stopped does not remove the MP3 of the next one",
    edits: [
      {
        file: "api/podcasts/making/end-episode.ts",
        from: "`podcast-${_id}-${attempt}.mp3`",
        to: "`podcast-${_id}-${attempt > 0}.mp3`",
      },
    ],
    tests: ATTEMPTS,
    title: "a stop while the MP3",
  },
  {
    id: "R13ee",
    what: "a cover that was stored during a stop is shown",
    edits: [
      { file: JOB, from: "    await patchPodcast(this.#deps.own, podcastOnCover._id, { coverFileId });\n", to: "" },
    ],
    tests: ATTEMPTS,
    title: "a stop while the MP3",
  },
  {
    id: "R13ff",
    what: "a run does not end while a line is being stored",
    edits: [{ file: "api/podcasts/making/speak-episode.ts", from: "    await Promise.allSettled(ahead);\n", to: "" }],
    tests: ATTEMPTS,
    title: "a line that was being stored",
  },
  {
    id: "R13gg",
    what: "the MP3 of a renamed episode gets the new title",
    edits: [
      {
        file: "api/podcasts/making/sound-file.ts",
        from: "    if (podcast.audioFileId !== null) await replaceTag(deps, podcast, podcast.audioFileId);\n",
        to: "",
      },
    ],
    tests: TITLE,
    title: "the MP3 of a renamed episode",
  },
  {
    id: "R13hh",
    what: "an episode that is renamed while its MP3 is stored gets the new title",
    edits: [{ file: JOB, from: "    await refreshTitle(this.#deps, podcastInTag);\n", to: "" }],
    tests: TITLE,
    title: "while its MP3 is stored",
  },
  {
    id: "R13ii",
    what: "a new tag does not move the audio of a file that is being read",
    edits: [{ file: "api/podcasts/audio/id3.ts", from: "room >= 0 ? room : PADDING_BYTES", to: "PADDING_BYTES" }],
    tests: TITLE,
    title: "the MP3 of a renamed episode",
  },
  {
    id: "R13jj",
    what: "every voice is equally loud",
    edits: [
      {
        file: "api/podcasts/audio/mix-worker.ts",
        from: "return all === 0 ? 1 : 10 ** ((TARGET_LUFS - sum / all) / 20);",
        to: "return all === 0 ? TARGET_LUFS : 1 + sum * 0;",
      },
    ],
    tests: SOUND,
    title: "also one recorded",
  },
  {
    id: "R13kk",
    what: "a stored line is used for its own voice only",
    edits: [
      {
        file: "api/podcasts/making/segments.ts",
        from: "[...describeVoice(settings, engine, voice), SPEECH_VERSION, spoken]",
        to: "[describeVoice(settings, engine, voice).length, SPEECH_VERSION, spoken]",
      },
    ],
    tests: SOUND,
    title: "spoken for another",
  },
  {
    id: "R13ll",
    what: "chapters begin with their first line",
    edits: [
      {
        file: "api/podcasts/present.ts",
        from: "lines.find((line) => line.chapter === index)?.startMs",
        to: "lines.find((line) => line.chapter <= index)?.startMs",
      },
    ],
    tests: SOUND,
    title: "captions and chapters",
  },
  {
    id: "R13mm",
    what: "captions have the times of the lines",
    edits: [{ file: "api/podcasts/present.ts", from: "${pad(seconds % MINUTE_SECONDS, 2)}", to: "${pad(seconds, 2)}" }],
    tests: SOUND,
    title: "captions and chapters",
  },
  {
    id: "R13nn",
    what: "a script that a run has written is not written again",
    edits: [
      {
        file: "api/podcasts/making/model-script.ts",
        from: "findStoredDialogues(request.checkpoint, materialHash)",
        to: 'findStoredDialogues(request.checkpoint, materialHash + "x")',
      },
    ],
    tests: "tests/long/speech/model-script.test.ts",
    title: "asks it for nothing again",
  },
  {
    id: "R13oo",
    what: "the lines of a failed attempt are removed after a week",
    edits: [{ file: "api/podcasts/service.ts", from: "now - LINE_RETENTION_MS", to: "now - 100 * LINE_RETENTION_MS" }],
    tests: FAULTS,
    title: "removed after a week",
  },
  {
    id: "R13pp",
    what: "a full disk is named in the message of a failure",
    edits: [
      { file: JOB, from: "const known = toKnownFailure(error);", to: "const known = toKnownFailure(undefined);" },
    ],
    tests: FAULTS,
    title: "a disk that is full while",
  },
  {
    id: "R13qq",
    what: "a device whose clock is ahead does not block the others",
    edits: [{ file: "api/podcasts/handlers.ts", from: "Math.min(listenedAt ?? now, now)", to: "listenedAt ?? now" }],
    tests: "tests/podcasts/api.test.ts",
    title: "the other was offline",
  },
  {
    id: "R13rr",
    what: "a model's line has no verb that its sentence has not, and denies nothing",
    edits: [
      {
        file: DIALOGUE,
        from: "  if (contradictsSentence(text, supporting.sentence)) return",
        to: "  if (contradictsSentence(text, text)) return",
      },
    ],
    tests: "tests/long/speech/model-script.test.ts",
  },
  {
    id: "R13ss",
    what: "the host of a model names no number that is not in the sentences",
    edits: [{ file: DIALOGUE, from: "figuresOf(text).some((figure) => !figures.has(figure))", to: "figures.size < 0" }],
    tests: "tests/long/speech/model-script.test.ts",
  },
  {
    id: "R13tt",
    what: "half a sentence of captions is not spoken",
    edits: [
      {
        file: "shared/podcasts/script/paragraphs.ts",
        from: "at === 0 && continuesPrevious ? plain",
        to: "at < 0 && continuesPrevious ? plain",
      },
    ],
    tests: OUTLINE,
    title: "half a sentence",
  },
  {
    id: "R13uu",
    what: "a heading is not announced for one sentence",
    edits: [
      {
        file: "shared/podcasts/script/choose.ts",
        from: "const others = chosen.filter((one) => !hasOneSentence(one));",
        to: "const others = chosen.filter((one) => !hasOneSentence(one) || true);",
      },
    ],
    tests: OUTLINE,
    title: "a single sentence",
  },
];
