import { cardinal } from "../speech/numbers.ts";
import { toSpeech } from "../speech/to-speech.ts";
import { type ScriptCandidate, readCandidates, type ScriptSource } from "./candidates.ts";
import { stripNumbering } from "./chapter-title.ts";
import { chooseCandidates, joinChapters, type ScriptChapter } from "./choose.ts";
import {
  BREAKS,
  CHAPTER_PROMPTS,
  CLOSINGS,
  FINISH_LEADS,
  pick,
  PROMPTS,
  QUESTION_LEADS,
  RECAP_LEADS,
} from "./host-lines.ts";
import { isRecalled } from "./questions.ts";
import { type RecapTerm, recapTerms } from "./recap-terms.ts";
import {
  BREAK_MS,
  BREAKS_PER_CHAPTER,
  type ChapterMaterial,
  gapBefore,
  lineMs,
  type ScriptLine,
  type ScriptOptions,
  SPEAKER_GAP_MS,
} from "./script-line.ts";

export interface Script {
  lines: ScriptLine[];
  chapters: { title: string }[];
  /** The sources hold too little for the length that was asked for. */
  isShort: boolean;
}

/** A script, and what a model may use to write it in other words. */
export interface ScriptWithMaterial {
  script: Script;
  material: ChapterMaterial[];
}

const CHAPTER_GAP_MS = 1000;
const RECAP_PAUSE_MS = 1800;
/** Sentences of a chapter that a model is shown. */
const MATERIAL_SENTENCES = 40;
const MINUTE_MS = 60_000;
/** Chapters and their announcements, the opening and the end. */
const FRAME_SHARE = 0.08;
/** A host's question or prompt of a usual length. */
const PROMPT_CHARS = 24;
const FULL_SHARE = 0.9;

/** Whether an episode is more than a tenth shorter than it was wished. */
export const isShorterThan = (targetMs: number, ms: number): boolean => ms < targetMs * FULL_SHARE;

class ScriptWriter {
  readonly lines: ScriptLine[] = [];
  readonly #options: ScriptOptions;
  #chapter = 0;
  #prompts = 0;
  #questions = 0;
  #breaks = 0;
  #paused: ReadonlySet<ScriptCandidate> = new Set();
  #isChapterStart = true;

  constructor(options: ScriptOptions) {
    this.#options = options;
  }

  startChapter(index: number, candidates: readonly ScriptCandidate[] = []): void {
    this.#chapter = index;
    this.#paused = new Set(this.#options.hasBreaks ? choosePaused(candidates) : []);
    this.#isChapterStart = true;
  }

  /** Leaves the line out if it cannot be read aloud. */
  host(text: string, pauseMs = 0): void {
    const spoken = toSpeech(text);
    if (spoken !== undefined) this.#add({ speaker: "host", text, spoken, citation: null, pauseMs });
  }

  exchange(candidate: ScriptCandidate, isFirst: boolean): void {
    if (candidate.kind === "statement") this.#prompt(isFirst);
    else this.#ask(candidate);
    this.#read(candidate);
  }

  /** The host only speaks up after two sentences of the guest: a prompt asks nothing that the next one answers. */
  #prompt(isFirst: boolean): void {
    this.#prompts += 1;
    if (isFirst) this.host(pick(CHAPTER_PROMPTS, this.#chapter));
    else if (this.lines.at(-1)?.speaker === "guest" && this.lines.at(-2)?.speaker === "guest")
      this.host(pick(PROMPTS, this.#prompts));
  }

  #ask(candidate: ScriptCandidate): void {
    const { kind, question } = candidate;
    this.#questions += 1;
    const lead = pick(kind === "finish" ? FINISH_LEADS : QUESTION_LEADS, this.#questions);
    const asked = kind === "finish" ? `${lead} ${question} …` : `${lead} ${question}`.trim();
    if (!this.#paused.has(candidate)) {
      this.host(asked);
      return;
    }
    this.#breaks += 1;
    this.host(`${asked} ${pick(BREAKS, this.#breaks)}`, BREAK_MS);
  }

  /** The host names each term and leaves time to answer; the guest reads its sentence again. */
  recap(terms: readonly RecapTerm[]): void {
    this.host(pick(RECAP_LEADS, terms.length));
    for (const { asked, answer } of terms) {
      this.host(asked, this.#options.hasBreaks ? RECAP_PAUSE_MS : 0);
      this.#read(answer);
    }
  }

  #read({ sentence, spoken, citation }: ScriptCandidate): void {
    this.#add({ speaker: "guest", text: sentence, spoken, citation, pauseMs: 0 });
  }

  #add(line: Omit<ScriptLine, "chapter" | "gapMs">): void {
    const previous = this.lines.at(-1);
    const gapMs = this.#isChapterStart ? CHAPTER_GAP_MS : gapBefore(line.speaker, previous?.speaker);
    this.lines.push({ ...line, chapter: this.#chapter, gapMs: previous ? gapMs : 0 });
    this.#isChapterStart = false;
  }
}

const breakRankOf = ({ kind, question }: ScriptCandidate) => (kind === "finish" ? 1 : isRecalled(question) ? 0 : 2);

/** The questions of a chapter after which there is time to answer: the first that a listener may know. */
const choosePaused = (candidates: readonly ScriptCandidate[]): ScriptCandidate[] =>
  candidates
    .filter((candidate) => candidate.kind !== "statement" && breakRankOf(candidate) < 2)
    .toSorted((a, b) => breakRankOf(a) - breakRankOf(b))
    .slice(0, BREAKS_PER_CHAPTER);

const sayable = (title: string, otherwise: string) => {
  const plain = title
    .replace(/\.(?:pdf|docx?|pptx?|mp4|webm|txt|md|html?)$/iu, "")
    .replaceAll("_", " ")
    .trim();
  return plain !== "" && plain.length < 120 && toSpeech(plain) !== undefined ? plain : otherwise;
};

function createCost({ msPerChar, hasBreaks }: ScriptOptions): (candidate: ScriptCandidate) => number {
  return ({ kind, question, spoken }) => {
    const guestMs = spoken.length * msPerChar.guest + SPEAKER_GAP_MS;
    const hostChars = kind === "statement" ? PROMPT_CHARS / 2 : question.length + PROMPT_CHARS;
    const pauseMs = hasBreaks && kind !== "statement" ? BREAK_MS / 3 : 0;
    return guestMs + hostChars * msPerChar.host + SPEAKER_GAP_MS + pauseMs;
  };
}

/** How long the lines last with voices of this speed. */
export function estimateMs(lines: readonly ScriptLine[], msPerChar: ScriptOptions["msPerChar"]): number {
  return lines.reduce((sum, line) => sum + lineMs(line, msPerChar), 0);
}

const candidatesOf = (chapter: ScriptChapter | undefined): ScriptCandidate[] =>
  chapter?.parts.flatMap(({ chosen }) => chosen) ?? [];

function writeLines(chapters: readonly ScriptChapter[], sources: readonly ScriptSource[], options: ScriptOptions) {
  const writer = new ScriptWriter(options);
  const title = sayable(options.title, "your own sources");
  const { guestName, hostName } = options;
  writer.startChapter(0, candidatesOf(chapters[0]));
  writer.host(
    `This is ${title}. I am ${hostName}, and I ask the questions. ${guestName} answers only in the words of your sources.`,
  );
  if (sources.length > 1)
    writer.host(
      `We read from ${cardinal(String(sources.length))} sources: ${sources.map((one, index) => sayable(one.title, `source ${index + 1}`)).join("; ")}.`,
    );
  const titles = chapters.map((chapter, index) => titleOf(chapter, index, sources));
  const heads: number[] = [];
  for (const [index, chapter] of chapters.entries()) {
    const candidates = candidatesOf(chapter);
    if (index > 0) writer.startChapter(index, candidates);
    writer.host(announcement(index, chapter, titles[index] ?? ""));
    heads.push(writer.lines.filter((line) => line.chapter === index).length);
    for (const [position, candidate] of candidates.entries()) writer.exchange(candidate, position === 0);
  }
  const terms = recapTerms(chapters);
  writer.startChapter(terms.length > 0 ? chapters.length : chapters.length - 1);
  if (terms.length > 0) writer.recap(terms);
  writer.host(pick(CLOSINGS, chapters.length).replace("{{guest}}", guestName));
  const named = titles.map((chapterTitle) => ({ title: chapterTitle }));
  const material = chapters.map((chapter, index): ChapterMaterial => {
    const tail = terms.length === 0 && index === chapters.length - 1 ? 1 : 0;
    return { title: titles[index] ?? "", sentences: materialOf(chapter), head: heads[index] ?? 0, tail };
  });
  const shown = terms.length > 0 ? [...named, { title: "What to remember" }] : named;
  return { lines: writer.lines, chapters: shown, material };
}

/** The chosen sentences of a chapter first, then its others, the best of them, all in reading order. */
function materialOf({ parts }: ScriptChapter): ChapterMaterial["sentences"] {
  const chosen = new Set(parts.flatMap((part) => part.chosen));
  const all = parts.flatMap(({ section }) => section.candidates);
  const ranked = all.toSorted((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)) || b.score - a.score);
  const shown = new Set(ranked.slice(0, MATERIAL_SENTENCES));
  return all
    .filter((candidate) => shown.has(candidate))
    .map(({ sentence, spoken, citation, score }) => ({ sentence, spoken, citation, score }));
}

/** The line that announces a chapter under another title. */
export function announceChapter(index: number, title: string): Pick<ScriptLine, "text" | "spoken"> {
  const text = `Chapter ${cardinal(String(index + 1))}: ${title}${/[.!?]$/u.test(title) ? "" : "."}`;
  return { text, spoken: toSpeech(text) ?? text };
}

/** A part without a heading has only its number. */
function announcement(index: number, { title }: ScriptChapter, shown: string): string {
  const number = `Chapter ${cardinal(String(index + 1))}`;
  const named = title === "" && shown.startsWith("Part ") ? "" : sayable(shown, "");
  if (named === "") return `${number}.`;
  return `${number}: ${named}${/[.!?]$/u.test(named) ? "" : "."}`;
}

function titleOf(chapter: ScriptChapter, index: number, sources: readonly ScriptSource[]): string {
  const own = stripNumbering(chapter.title);
  if (own !== "") return own;
  const source = sources[chapter.parts[0]?.section.source ?? 0];
  return sources.length > 1 && source ? source.title : `Part ${index + 1}`;
}

const ATTEMPTS = 4;
const CLOSE_ENOUGH = 0.03;

/**
 * Writes an episode of a wished length: the guest's lines are sentences of the sources, word for word. Without sentences
 * that can be heard by themselves it has no lines.
 */
export function writeScript(sources: readonly ScriptSource[], options: ScriptOptions): Script {
  return writeScriptWithMaterial(sources, options).script;
}

/** The same, with the sentences of each chapter. */
export function writeScriptWithMaterial(sources: readonly ScriptSource[], options: ScriptOptions): ScriptWithMaterial {
  const known = new Set<string>();
  const sections = sources.flatMap((source, index) => readCandidates(source, index, known));
  if (sections.length === 0) return { script: { lines: [], chapters: [], isShort: true }, material: [] };
  const targetMs = options.lengthMinutes * MINUTE_MS;
  const cost = createCost(options);
  let budgetMs = targetMs * (1 - FRAME_SHARE);
  let best: { script: ReturnType<typeof writeLines>; offMs: number; ms: number } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const chapters = joinChapters(chooseCandidates(sections, budgetMs, cost));
    const script = writeLines(chapters, sources, options);
    const ms = estimateMs(script.lines, options.msPerChar);
    const offMs = Math.abs(ms - targetMs);
    if (!best || offMs < best.offMs) best = { script, offMs, ms };
    if (offMs < targetMs * CLOSE_ENOUGH) break;
    budgetMs += targetMs - ms;
  }
  const { script, ms } = best ?? { script: { lines: [], chapters: [], material: [] }, ms: 0 };
  const { lines, chapters, material } = script;
  return { script: { lines, chapters, isShort: isShorterThan(targetMs, ms) }, material };
}
