import { readSpellings, type Spellings } from "#shared/text/capitals.ts";
import { toSpeech } from "../speech/to-speech.ts";
import { stripNumbering } from "./chapter-title.ts";
import {
  type ChosenRun,
  chooseWithShortForms,
  type Costs,
  joinChapters,
  type ScriptChapter,
  readableHeading,
} from "./choose.ts";
import { announceContents, askAboutRun, closingLine, nameChapter, openingTexts } from "./host/host-lines.ts";
import { readRuns } from "./read-runs.ts";
import { chooseRecap, RECAP_QUESTIONS } from "./host/recap.ts";
import {
  type ChapterMaterial,
  estimateMs,
  gapBefore,
  type MaterialSentence,
  type ScriptLine,
  type ScriptOptions,
  SPEAKER_GAP_MS,
} from "./script-line.ts";
import type { ScriptRun, ScriptSection, ScriptSource } from "./script-source.ts";
import { ScriptWriter } from "./script-writer.ts";
import { readShortForms, type ShortForms } from "./short-forms.ts";

export interface Script {
  lines: ScriptLine[];
  chapters: { title: string }[];
  /** The sources contain too little text for the requested length. */
  isShort: boolean;
}

/** A script, with the sentences that a model may rephrase and add. */
export interface ScriptWithMaterial {
  script: Script;
  material: ChapterMaterial[];
}

/**
 * The sentences of a chapter that a model sees and that can be added: at least this many, or this factor times the
 * chosen ones (`MATERIAL_SHARE`).
 */
const MATERIAL_SENTENCES = 40;
const MATERIAL_SHARE = 2.5;
const MINUTE_MS = 60_000;
/** Time for the chapter announcements, the opening and the closing. */
const ANNOUNCEMENTS_SHARE = 0.08;
/** The usual length of a link or question of the host. */
const LINK_CHARS = 32;
const MIN_FILLED_SHARE = 0.9;

/** Whether an episode is more than a tenth shorter than requested. */
export const isShorterThan = (targetMs: number, ms: number): boolean => ms < targetMs * MIN_FILLED_SHARE;

function createCosts({ msPerChar }: ScriptOptions): Costs {
  return {
    runMs: LINK_CHARS * msPerChar.host + SPEAKER_GAP_MS * 2,
    sentenceMs: ({ spoken }) => spoken.length * msPerChar.guest + gapBefore("guest", "guest"),
  };
}

const runsOf = (chapter: ScriptChapter | undefined): ChosenRun[] =>
  chapter?.parts.flatMap(({ chosen }) => chosen) ?? [];

interface ScriptContent {
  chapters: readonly ScriptChapter[];
  /** The sections with every run that can be added. */
  sections: readonly ScriptSection[];
  spellings: Spellings;
  /** How many questions the recap asks. */
  recapCount: number;
}

function writeLines(
  { chapters, sections, spellings, recapCount }: ScriptContent,
  sources: readonly ScriptSource[],
  options: ScriptOptions,
) {
  const writer = new ScriptWriter(options, spellings);
  writer.startChapter(0, runsOf(chapters[0]));
  for (const text of openingTexts(sources, options)) writer.host(text);
  const titles = chapters.map((chapter, index) => titleOf(chapter, index, sources));
  const contents = announceContents(titles);
  if (contents) writer.host(contents.text);
  const openingLineCounts: number[] = [];
  for (const [index, chapter] of chapters.entries()) {
    if (index > 0) writer.startChapter(index, runsOf(chapter));
    writer.host(nameChapter(index, chapter.title, titles[index] ?? ""));
    writer.setTopic(titles[index] ?? "");
    openingLineCounts.push(writer.lines.filter((line) => line.chapter === index).length);
    for (const { section, chosen } of chapter.parts)
      for (const run of chosen) writer.read(run, readableHeading(section.title));
  }
  const questions = chooseRecap(chapters, spellings, recapCount);
  writer.startChapter(questions.length > 0 ? chapters.length : chapters.length - 1);
  if (questions.length > 0) writer.recap(questions);
  writer.host(closingLine(options.title, titles).text);
  const named = titles.map((chapterTitle) => ({ title: chapterTitle }));
  const sectionsByChapter = groupSectionsByChapter(chapters, sections);
  const material = chapters.map((chapter, index): ChapterMaterial => {
    const closingLineCount = questions.length === 0 && index === chapters.length - 1 ? 1 : 0;
    return {
      title: titles[index] ?? "",
      sentences: materialOf(chapter, sectionsByChapter[index] ?? [], spellings),
      openingLineCount: openingLineCounts[index] ?? 0,
      closingLineCount,
    };
  });
  const shown = questions.length > 0 ? [...named, { title: "What to remember" }] : named;
  return { lines: writer.lines, chapters: shown, material };
}

/** The sections of each chapter: from its first section up to the first section of the next chapter. */
function groupSectionsByChapter(
  chapters: readonly ScriptChapter[],
  sections: readonly ScriptSection[],
): ScriptSection[][] {
  const owners = new Map(sections.flatMap(({ runs }, index) => runs.map(({ sentences }) => [sentences[0], index])));
  const starts = chapters.map((chapter) => owners.get(runsOf(chapter)[0]?.sentences[0]) ?? sections.length);
  return starts.map((start, index) => sections.slice(start, starts[index + 1]));
}

/**
 * The sentences that a chapter can use: those of its chosen runs, then those of the best other runs, in reading order.
 */
function materialOf({ parts }: ScriptChapter, own: readonly ScriptSection[], spellings: Spellings): MaterialSentence[] {
  const chosen = new Set(parts.flatMap((part) => part.chosen.map(({ sentences }) => sentences[0])));
  const all = own.flatMap(({ runs, title }) => runs.map((run) => ({ run, topic: readableHeading(title) })));
  const ranked = all.toSorted(
    (a, b) =>
      Number(chosen.has(b.run.sentences[0])) - Number(chosen.has(a.run.sentences[0])) || b.run.score - a.run.score,
  );
  const chosenCount = parts.flatMap((part) => part.chosen.flatMap(({ sentences }) => sentences)).length;
  let left = Math.max(MATERIAL_SENTENCES, chosenCount * MATERIAL_SHARE);
  const shown = new Set(
    ranked.filter(({ run }) => {
      const isShown = left > 0 || chosen.has(run.sentences[0]);
      left -= run.sentences.length;
      return isShown;
    }),
  );
  return all
    .filter((one) => shown.has(one))
    .flatMap(({ run: { sentences, score, minSentences }, topic }, run) => {
      const texts = sentences.map(({ sentence }) => sentence);
      const prompt = askAboutRun(texts, spellings, run);
      return sentences.map(({ sentence, spoken, citation }, at): MaterialSentence => {
        const isRunStart = at === 0;
        const line = { sentence, spoken, citation, run, isRunStart, minSentences, topic, score };
        return isRunStart && prompt !== undefined ? { ...line, prompt } : line;
      });
    });
}

function titleOf(chapter: ScriptChapter, index: number, sources: readonly ScriptSource[]): string {
  const own = stripNumbering(chapter.title);
  if (own !== "") return own;
  const source = sources[chapter.parts[0]?.section.source ?? 0];
  return sources.length > 1 && source ? source.title : `Part ${index + 1}`;
}

const sentencesOf = (sections: readonly ScriptSection[]): string[] =>
  sections.flatMap(({ runs }) => runs.flatMap(({ sentences }) => sentences.map(({ sentence }) => sentence)));

const spellOut = (run: ScriptRun, forms: ShortForms): ScriptRun => ({
  ...run,
  sentences: run.sentences.map((one) => {
    const full = forms.spellOut(one.sentence);
    return full === one.sentence ? one : { ...one, spoken: toSpeech(full) ?? one.spoken };
  }),
});

const ATTEMPTS = 4;
const LENGTH_TOLERANCE = 0.03;
/** Where the sources hold a little less than the episode needs, the recap asks more. */
const RECAP_EXTENSION_SHARE = 0.85;
const MAX_EXTRA_QUESTIONS = 4;
/** A question, the time to answer it, and its answer. */
const QUESTION_MS = 13_000;

/**
 * Writes an episode of the requested length from the sources' own sentences, word for word. If no sentence can be
 * understood alone, it has no lines.
 */
export function writeScript(sources: readonly ScriptSource[], options: ScriptOptions): Script {
  return writeScriptWithMaterial(sources, options).script;
}

/** The same, together with the sentences that each chapter can use. */
export function writeScriptWithMaterial(sources: readonly ScriptSource[], options: ScriptOptions): ScriptWithMaterial {
  const known = new Set<string>();
  const read = sources.flatMap((source, index) => readRuns(source, index, known));
  if (read.length === 0) return { script: { lines: [], chapters: [], isShort: true }, material: [] };
  const targetMs = options.lengthMinutes * MINUTE_MS;
  const passages = sources.flatMap((source) => source.passages);
  const forms = readShortForms(sentencesOf(read), passages);
  const sections = read.map((section) => ({ ...section, runs: section.runs.map((run) => spellOut(run, forms)) }));
  const spellings = readSpellings(passages);
  let budgetMs = targetMs * (1 - ANNOUNCEMENTS_SHARE);
  let best: { script: ReturnType<typeof writeLines>; excessMs: number; ms: number } | undefined;
  const costs = createCosts(options);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { chosen, sections: addable } = chooseWithShortForms(sections, budgetMs, costs, forms);
    const written = { chapters: joinChapters(chosen), sections: addable, spellings };
    const write = (recapCount: number) => writeLines({ ...written, recapCount }, sources, options);
    let script = write(RECAP_QUESTIONS);
    let ms = estimateMs(script.lines, options.msPerChar);
    if (ms < targetMs * (1 - LENGTH_TOLERANCE) && ms > targetMs * RECAP_EXTENSION_SHARE) {
      script = write(RECAP_QUESTIONS + Math.min(MAX_EXTRA_QUESTIONS, Math.ceil((targetMs - ms) / QUESTION_MS)));
      ms = estimateMs(script.lines, options.msPerChar);
    }
    const excessMs = Math.abs(ms - targetMs);
    if (!best || excessMs < best.excessMs) best = { script, excessMs, ms };
    if (excessMs < targetMs * LENGTH_TOLERANCE) break;
    budgetMs += targetMs - ms;
  }
  const { script, ms } = best ?? { script: { lines: [], chapters: [], material: [] }, ms: 0 };
  const { lines, chapters, material } = script;
  return { script: { lines, chapters, isShort: isShorterThan(targetMs, ms) }, material };
}
