import { toSpeech } from "../speech/to-speech.ts";
import { topicTransitionLine, pick, PROMPTS } from "./host/host-lines.ts";
import { isSpelledOutFor } from "./short-forms.ts";
import { type ChapterMaterial, gapBefore, estimateMs, type ScriptLine, type ScriptOptions } from "./script-line.ts";

type Rates = ScriptOptions["msPerChar"];

/** A line with the times at which it is heard, once it was spoken. */
export interface TimedLine extends ScriptLine {
  startMs?: number;
  endMs?: number;
}

/** The lines of an episode, and sentences of its sources that can still be added, the best first. */
export interface LinePlan {
  lines: readonly TimedLine[];
  unusedSentences: readonly ScriptLine[];
}

/** How much of the episode has been spoken. */
export interface SynthesisProgress {
  /** Number of lines that have been spoken. */
  spokenCount: number;
  /** Index of the first line that may still change; the lines before it are already being spoken. */
  firstEditable: number;
  /** End of the audio so far, including the silence after its last line. */
  endMs: number;
  targetMs: number;
}

/** With fewer characters, the speed of a voice cannot be measured. */
const MIN_MEASURED_CHARS = 200;
/** A deviation from the requested length up to this share is not corrected. */
const LENGTH_TOLERANCE = 0.02;

const isGuest = (line: ScriptLine | undefined): line is ScriptLine => line?.speaker === "guest";

/**
 * Assigns each line of the guest its position and run in the source, and lists the sentences of each chapter that no
 * line uses.
 */
export function planLines(lines: readonly ScriptLine[], material: readonly ChapterMaterial[]): LinePlan {
  const used = new Set(lines.map(({ quote, text }) => quote ?? text));
  const positions = material.map(({ sentences }) => new Map(sentences.map(({ sentence }, at) => [sentence, at])));
  const ordered = lines.map((line) => {
    const at = isGuest(line) ? positions[line.chapter]?.get(line.quote ?? line.text) : undefined;
    const found = at === undefined ? undefined : material[line.chapter]?.sentences[at];
    if (at === undefined || !found) return line;
    const { run, isRunStart, minSentences, topic } = found;
    return { ...line, at, run, isRunStart, minSentences, topic };
  });
  const unused = material.flatMap(({ sentences }, chapter) =>
    sentences.flatMap((sentence, at) => (used.has(sentence.sentence) ? [] : [{ ...sentence, chapter, at }])),
  );
  const unusedSentences = unused
    .toSorted((a, b) => b.score - a.score || a.chapter - b.chapter || a.at - b.at)
    .map(({ sentence: text, score: _score, ...line }): ScriptLine => {
      const gapMs = gapBefore("guest", "guest");
      return { ...line, speaker: "guest", text, pauseMs: 0, gapMs };
    });
  return { lines: ordered, unusedSentences };
}

/** The measured speed of each voice; undefined if too little was spoken. */
function measureRates(lines: readonly TimedLine[]): Rates | undefined {
  const rateOf = (speaker: ScriptLine["speaker"]) => {
    let [chars, ms] = [0, 0];
    for (const line of lines) {
      if (line.speaker !== speaker || line.startMs === undefined || line.endMs === undefined) continue;
      chars += line.spoken.length;
      ms += line.endMs - line.startMs;
    }
    return chars < MIN_MEASURED_CHARS ? undefined : ms / chars;
  };
  const [host, guest] = [rateOf("host"), rateOf("guest")];
  return host === undefined || guest === undefined ? undefined : { host, guest };
}

/** Consecutive lines that can be removed together. */
interface RemovableLines {
  at: number;
  count: number;
  ms: number;
}

/** Sentences that the recap repeats. */
function listRepeated(lines: readonly TimedLine[]): Set<string> {
  const earlier = new Set<string>();
  const repeated = new Set<string>();
  for (const { text } of lines.filter(isGuest)) (earlier.has(text) ? repeated : earlier).add(text);
  return repeated;
}

const isSameRun = (one: ScriptLine, other: ScriptLine | undefined) =>
  isGuest(other) && one.run !== undefined && one.run === other.run && one.chapter === other.chapter;

/**
 * Index of the first of the guest's lines that belong to the run of the given line and are not interrupted by another
 * run.
 */
const findRunStart = (guests: readonly IndexedLine[], last: number, line: TimedLine): number =>
  guests.slice(0, last).findLastIndex((one) => !isSameRun(line, one.line)) + 1;

const sentenceOf = ({ quote, text }: ScriptLine) => quote ?? text;

interface IndexedLine {
  line: TimedLine;
  index: number;
}

/**
 * What can be removed, together with the host's words before it: the last sentence of a run, because later sentences
 * need earlier ones, or the whole run if too few sentences would remain. Never removed are the first sentence of a
 * chapter, a sentence that the recap repeats, and one that spells out a short form for a later or an addable sentence.
 */
function listRemovable({ lines, unusedSentences }: LinePlan, firstEditable: number, rates: Rates): RemovableLines[] {
  const guests = lines.flatMap((line, index): IndexedLine[] => (isGuest(line) ? [{ line, index }] : []));
  const repeated = listRepeated(lines);
  const addable = unusedSentences.map(({ text }) => text);
  return guests.flatMap(({ line, index }, last): RemovableLines[] => {
    const next = guests[last + 1]?.line;
    if (index < firstEditable || isSameRun(line, next)) return [];
    const runStart = findRunStart(guests, last, line);
    const first = last - runStart >= (line.minSentences ?? 1) ? last : runStart;
    const before = guests[first - 1];
    if (before?.line.chapter !== line.chapter || before.index + 1 < firstEditable) return [];
    const left = guests.slice(first, last + 1);
    const later = [...guests.slice(last + 1).map((one) => sentenceOf(one.line)), ...addable];
    const isNeeded = left.some((one) => repeated.has(one.line.text) || isSpelledOutFor(sentenceOf(one.line), later));
    if (isNeeded) return [];
    const at = startOfRemoval(lines, before.index + 1, next);
    return [{ at, count: index + 1 - at, ms: estimateMs(lines.slice(at, index + 1), rates) }];
  });
}

/** The announcement of a heading stays if the next sentence is under the same heading. */
function startOfRemoval(lines: readonly TimedLine[], at: number, next: ScriptLine | undefined): number {
  const first = lines[at];
  const topic = first?.speaker === "host" ? first.topic : undefined;
  return topic !== undefined && topic === next?.topic ? at + 1 : at;
}

/** Removes what comes closest to the excess, preferring sentences without words of the host before them. */
function shorten(
  lines: TimedLine[],
  { firstEditable, unusedSentences }: Pick<LinePlan, "unusedSentences"> & SynthesisProgress,
  rates: Rates,
  { excessMs, toleranceMs }: { excessMs: number; toleranceMs: number },
): void {
  let leftMs = excessMs;
  while (leftMs > toleranceMs) {
    const limitMs = leftMs + toleranceMs;
    const fitting = listRemovable({ lines, unusedSentences }, firstEditable, rates).filter(({ ms }) => ms <= limitMs);
    const [best] = fitting.toSorted((a, b) => Number(a.count > 1) - Number(b.count > 1) || b.ms - a.ms);
    if (!best) return;
    lines.splice(best.at, best.count);
    leftMs -= best.ms;
  }
}

/**
 * The index at which a sentence can be inserted in source order; undefined if that part was already spoken, or if the
 * earlier sentences of its run are missing.
 */
function positionOf(
  lines: readonly TimedLine[],
  firstEditable: number,
  sentence: ScriptLine,
  startsRun: boolean,
): number | undefined {
  const { chapter, at = 0, topic } = sentence;
  const before = lines.findLastIndex((line) => line.chapter === chapter && isGuest(line) && (line.at ?? at) < at);
  const previous = lines[before];
  if (!previous || (!startsRun && !(isSameRun(sentence, previous) && previous.at === at - 1))) return undefined;
  let position = before + 1;
  // Insert after the host's announcement of the sentence's heading, if it comes next.
  const next = lines[position];
  if (startsRun && next?.speaker === "host" && next.topic !== undefined && next.topic === topic) position += 1;
  return position < firstEditable ? undefined : position;
}

function hostLine(text: string, sentence: ScriptLine, topic?: string): ScriptLine | undefined {
  const spoken = toSpeech(text);
  const { chapter } = sentence;
  const gapMs = gapBefore("host", "guest");
  const line = { speaker: "host" as const, text, citation: null, chapter, pauseMs: 0, gapMs };
  if (spoken === undefined) return undefined;
  return topic === undefined ? { ...line, spoken } : { ...line, spoken, topic };
}

/**
 * The host's line before an added sentence: its heading if that is new, or a question about its run if the guest has
 * spoken for long.
 */
function introduce(lines: readonly TimedLine[], position: number, sentence: ScriptLine): ScriptLine | undefined {
  const { topic } = sentence;
  const previous = lines[position - 1];
  const last = lines.slice(0, position).findLast((line) => line.topic !== undefined);
  if (topic !== undefined && topic !== "" && topic !== last?.topic && isGuest(previous))
    return hostLine(topicTransitionLine(position, topic), sentence, topic);
  if (![1, 2, 3, 4].every((back) => isGuest(lines[position - back]))) return undefined;
  const used = new Set(lines.map(({ text }) => text));
  const asked = [sentence.prompt, ...PROMPTS].find((prompt) => prompt !== undefined && !used.has(prompt));
  return hostLine(asked ?? pick(PROMPTS, position), sentence);
}

function withHost(
  lines: readonly TimedLine[],
  position: number,
  sentence: ScriptLine,
  startsRun: boolean,
): ScriptLine[] {
  const host = startsRun ? introduce(lines, position, sentence) : undefined;
  return host ? [host, { ...sentence, gapMs: gapBefore("guest", "host") }] : [sentence];
}

const isSpoken = (lines: readonly ScriptLine[], run: ScriptLine) =>
  lines.some((line) => isGuest(line) && line.run === run.run && line.chapter === run.chapter);

/**
 * Groups of sentences that are added together: the first sentences of a run, up to its minimum, or the next sentence of
 * a run that was begun.
 */
function listUnits(lines: readonly ScriptLine[], unused: readonly ScriptLine[]): ScriptLine[][] {
  const units: ScriptLine[][] = [];
  for (const sentence of unused) {
    const open = units.at(-1);
    const isOpen = open && isSameRun(sentence, open[0]) && open[0]?.isRunStart === true;
    if (isOpen && open.length < (sentence.minSentences ?? 1) && !isSpoken(lines, sentence)) open.push(sentence);
    else units.push([sentence]);
  }
  return units;
}

/** Adds sentences under headings that the episode already has, then others; returns the remaining ones. */
function lengthen(
  lines: TimedLine[],
  plan: Pick<LinePlan, "unusedSentences"> & SynthesisProgress,
  rates: Rates,
  { missingMs, toleranceMs }: { missingMs: number; toleranceMs: number },
): ScriptLine[] {
  const isNamed = ({ chapter, topic }: ScriptLine) =>
    lines.some((line) => isGuest(line) && line.chapter === chapter && line.topic === topic);
  const named = plan.unusedSentences.filter(isNamed);
  const others = plan.unusedSentences.filter((sentence) => !isNamed(sentence));
  const before = estimateMs(lines, rates);
  const left = addRuns(lines, { ...plan, unusedSentences: named }, rates, { missingMs, toleranceMs });
  const leftMs = missingMs - (estimateMs(lines, rates) - before);
  return [...left, ...addRuns(lines, { ...plan, unusedSentences: others }, rates, { missingMs: leftMs, toleranceMs })];
}

/** Adds the best sentences that fit; returns those that are left. */
function addRuns(
  lines: TimedLine[],
  { unusedSentences, firstEditable }: Pick<LinePlan, "unusedSentences"> & SynthesisProgress,
  rates: Rates,
  { missingMs, toleranceMs }: { missingMs: number; toleranceMs: number },
): ScriptLine[] {
  let leftMs = missingMs;
  const left: ScriptLine[] = [];
  for (const unit of listUnits(lines, unusedSentences)) {
    const [sentence, ...rest] = unit;
    if (!sentence) continue;
    // Sentences of earlier versions have no run.
    const startsRun = sentence.run === undefined || (sentence.isRunStart === true && !isSpoken(lines, sentence));
    const isWhole = !startsRun || unit.length >= (sentence.minSentences ?? 1);
    const position =
      leftMs > toleranceMs && isWhole ? positionOf(lines, firstEditable, sentence, startsRun) : undefined;
    const added = position === undefined ? [] : [...withHost(lines, position, sentence, startsRun), ...rest];
    const ms = estimateMs(added, rates);
    if (position === undefined || ms > leftMs + toleranceMs) {
      left.push(...unit);
      continue;
    }
    lines.splice(position, 0, ...added);
    leftMs -= ms;
  }
  return left;
}

/** Adds or removes lines that are not spoken yet, so that the episode reaches the requested length. */
export function fitLength({ lines: planned, unusedSentences }: LinePlan, progress: SynthesisProgress): LinePlan {
  const rates = measureRates(planned);
  if (!rates) return { lines: planned, unusedSentences };
  const lines = [...planned];
  const excessMs = progress.endMs + estimateMs(lines.slice(progress.spokenCount), rates) - progress.targetMs;
  const toleranceMs = progress.targetMs * LENGTH_TOLERANCE;
  shorten(lines, { ...progress, unusedSentences }, rates, { excessMs, toleranceMs });
  const remaining = lengthen(lines, { ...progress, unusedSentences }, rates, { missingMs: -excessMs, toleranceMs });
  return { lines, unusedSentences: remaining };
}
