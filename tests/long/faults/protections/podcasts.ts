import type { Protection } from "./protection.ts";

const API = "tests/podcasts/api.test.ts";
const FAULTS = "tests/podcasts/faults.test.ts";
const SCRIPT = "tests/podcasts/script.test.ts";
const READ_RUNS = "shared/podcasts/script/read-runs.ts";
const CHOOSE = "shared/podcasts/script/choose.ts";
const SERVER_VOICE = "api/podcasts/audio/server-voice.ts";

/** Protections of podcasts. */
export const podcasts: readonly Protection[] = [
  {
    id: "R13",
    what: "a line that was spoken is not spoken again",
    edits: [
      { file: "api/podcasts/making/segments.ts", from: "    if (stored) return { sound: stored, engine };\n", to: "" },
    ],
    tests: FAULTS,
    title: "nothing is spoken twice",
  },
  {
    id: "R13b",
    what: "a sound that was cut off is never used",
    edits: [{ file: SERVER_VOICE, from: "  if (isWav && isCutOff(bytes)) return undefined;\n", to: "" }],
    tests: FAULTS,
    title: "cut_off",
  },
  {
    id: "R13c",
    what: "silence and sound of a wrong rate are never used",
    edits: [
      { file: SERVER_VOICE, from: "return sound && isPlausible(sound, text) ? sound", to: "return sound ? sound" },
    ],
    tests: FAULTS,
    title: "silent",
  },
  {
    id: "R13d",
    what: "a speech server that names a long wait is not waited for",
    edits: [{ file: SERVER_VOICE, from: " || waitMs > policy.maxDelayMs)", to: ")" }],
    tests: FAULTS,
    title: "busy_for_long",
  },
  {
    id: "R13e",
    what: "a speech server that does not answer is given up",
    edits: [
      {
        file: SERVER_VOICE,
        from: "AbortSignal.any([signal, AbortSignal.timeout(policy.timeoutMs)])",
        to: "AbortSignal.any([signal])",
      },
    ],
    tests: FAULTS,
    title: "does not answer in time",
  },
  {
    id: "R13f",
    what: "an archived document is no source",
    edits: [
      {
        file: "api/podcasts/sources.ts",
        from: "component?.type === type && !component.content.isArchived ? component : undefined",
        to: "component?.type === type ? component : undefined",
      },
    ],
    tests: FAULTS,
    title: "was archived before it was read",
  },
  {
    id: "R13g",
    what: "another language is not read by English rules",
    edits: [
      {
        file: "api/podcasts/making/write-episode.ts",
        from: "found.passages.length > 0 && !isEnglish(found.passages)",
        to: "false",
      },
    ],
    tests: API,
    title: "the daily limit holds",
  },
  {
    id: "R13h",
    what: "a failure refunds the day's count",
    edits: [
      {
        file: "api/podcasts/making/end-episode.ts",
        from: "  if (before?.chargedUsage) await refundUsage(own, before.chargedUsage);\n",
        to: "",
      },
    ],
    tests: FAULTS,
    title: "more than 30 minutes",
  },
  {
    id: "R13i",
    what: "what was being stored while an episode was deleted is removed",
    edits: [
      {
        file: "api/podcasts/making/episode-job.ts",
        from: "  if (!podcast) await removeLeftovers(own, before);\n  else if (",
        to: "  if (!podcast) return;\n  if (",
      },
    ],
    tests: FAULTS,
    title: "nothing of it comes back",
  },
  {
    id: "R13j",
    what: "a full disk is noticed before an episode is counted",
    edits: [
      {
        file: "api/podcasts/create-podcast.ts",
        from: `  const sources = await nameSources(own, input.sources);
  await requireFreeDisk(blobs, settings);
`,
        to: `  const sources = await nameSources(own, input.sources);
  void blobs;
  void settings;
`,
      },
    ],
    tests: FAULTS,
    title: "without disk space",
  },
  {
    id: "R13k",
    what: "a sound that always fails is not fetched in a circle",
    edits: [
      {
        file: "webapp/podcasts/recovery.ts",
        from: "  if (failedAtMs !== undefined) return false;\n",
        to: "",
      },
    ],
    tests: "tests/podcasts/player.test.ts",
    title: "not in a loop",
  },
  {
    id: "R13l",
    what: "Play ends the recovery of a sound",
    edits: [
      {
        file: "webapp/podcasts/player.ts",
        from: "  endRecovery();\n  if (player.error ||",
        to: "  if (player.error ||",
      },
    ],
    tests: "tests/podcasts/player.test.ts",
    title: "Play after a failure",
  },
  {
    id: "R13m",
    what: "a sentence is not spoken without the one that it needs",
    edits: [{ file: READ_RUNS, from: "isAlone && hasExplainedVariables", to: "hasExplainedVariables" }],
    tests: SCRIPT,
    title: "needs the one before it",
  },
  {
    id: "R13n",
    what: "sentences that cite works are not read",
    edits: [{ file: "shared/podcasts/script/self-contained.ts", from: "  CITES,\n", to: "" }],
    tests: "tests/podcasts/self-contained.test.ts",
    title: "needs the page",
  },
  {
    id: "R13o",
    what: "a story is not cut",
    edits: [{ file: READ_RUNS, from: "!paragraph.isStory || length === paragraph.sentences.length", to: "length > 0" }],
    tests: SCRIPT,
    title: "spoken completely or not",
  },
  {
    id: "R13p",
    what: "a short form is not spoken before its long form",
    edits: [{ file: CHOOSE, from: "if (forms.hasUnknown(sentence, introduced)) return true;", to: "" }],
    tests: SCRIPT,
    title: "only after its long form",
  },
  {
    id: "R13q",
    what: "an appendix is not read",
    edits: [
      {
        file: "shared/podcasts/script/section-kinds.ts",
        from: "firstAppendix === -1 ? sections :",
        to: "firstAppendix !== -2 ? sections :",
      },
    ],
    tests: SCRIPT,
    title: "the appendix behind them",
  },
  {
    id: "R13r",
    what: "an episode is only shortened at the end of a run",
    edits: [
      {
        file: "shared/podcasts/script/fit-length.ts",
        from: "index < firstEditable || isSameRun(line, next)",
        to: "index < firstEditable",
      },
    ],
    tests: "tests/podcasts/length.test.ts",
    title: "whatever the voices' speed",
  },
  {
    id: "R13s",
    what: "a model's line is not used unless its sentence supports it",
    edits: [
      {
        file: "shared/podcasts/script/dialogue.ts",
        from: 'return isSupportedBy(text, supporting.sentence) ? undefined : "its sentence does not say that"',
        to: "return undefined",
      },
    ],
    tests: "tests/long/speech/model-script.test.ts",
    title: "liar",
  },
  {
    id: "R13t",
    what: "of two devices the one that was listened to last counts",
    edits: [{ file: "api/podcasts/store.ts", from: "patch({ _id: id, positionAt: earlier }", to: "patch({ _id: id }" }],
    tests: API,
    title: "the same id twice",
  },
  {
    id: "R13u",
    what: "a shared episode has no citations",
    edits: [
      {
        file: "api/podcasts/shared-episode.ts",
        from: "lines.map(({ citation: _citation, snapshot: _snapshot, ...line }) => line)",
        to: "lines",
      },
    ],
    tests: API,
    title: "renamed, played by link",
  },
  {
    id: "R13v",
    what: "an episode that takes more than 30 minutes is ended",
    edits: [
      {
        file: "api/podcasts/making/end-episode.ts",
        from: "if (!isTimedOut(podcast, deps.clock.now())) return podcast;",
        to: "if (Math.random() < 2) return podcast;",
      },
    ],
    tests: FAULTS,
    title: "more than 30 minutes",
  },
  {
    id: "R13w",
    what: "an episode that was stopped is not written by its job",
    edits: [
      {
        file: "api/podcasts/store.ts",
        from: ".patch({ _id, attempt, status: IN_PROGRESS }, { set })",
        to: ".patch({ _id, attempt }, { set })",
      },
    ],
    tests: FAULTS,
    title: "writes nothing more",
  },
  {
    id: "R13x",
    what: "no more episodes a day than the plan allows",
    edits: [
      {
        file: "api/podcasts/create-podcast.ts",
        from: "const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).podcastCreations;",
        to: "const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).podcastCreations + 100;",
      },
    ],
    tests: API,
    title: "the daily limit holds",
  },
  {
    id: "R13y",
    what: "another account's document is no source",
    edits: [
      { file: "api/store/owned-store.ts", from: "doc?.ownerId === ownerId ? doc : undefined", to: "doc" },
      { file: "api/store/owned-store.ts", from: "=> ({ ...filter, ownerId })", to: "=> ({ ...filter })" },
    ],
    tests: API,
    title: "another account's is refused",
  },
  {
    id: "R13z",
    what: "nothing is shown of an episode that failed",
    edits: [{ file: "api/podcasts/store.ts", from: 'status === "failed" ? undefined : findScript', to: "findScript" }],
    tests: FAULTS,
    title: "a disk that is full while",
  },
  {
    id: "R13aa",
    what: "a run does not end with a sentence that announces the next one",
    edits: [
      { file: READ_RUNS, from: "sentence }) => !announcesMore(sentence)) + 1", to: "sentence }) => sentence) + 1" },
    ],
    tests: SCRIPT,
    title: "only with what follows it",
  },
  {
    id: "R13bb",
    what: "the methods of a paper are left out",
    edits: [{ file: CHOOSE, from: "findingsFillBudget ? ofFindings : sections", to: "sections" }],
    tests: SCRIPT,
    title: "methods of a paper",
  },
];
