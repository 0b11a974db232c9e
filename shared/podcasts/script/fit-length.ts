import { toSpeech } from "../speech/to-speech.ts";
import { nameTopic, pick, PROMPTS, TOPIC_LINKS } from "./host-lines.ts";
import { type ChapterMaterial, gapBefore, lineMs, type ScriptLine, type ScriptOptions } from "./script-line.ts";

type Rates = ScriptOptions["msPerChar"];

/** A line, and when it is heard once it was spoken. */
export interface TimedLine extends ScriptLine {
  startMs?: number;
  endMs?: number;
}

/** The lines of an episode, and sentences of its sources that can still be added, the best runs first. */
export interface LinePlan {
  lines: readonly TimedLine[];
  unusedSentences: readonly ScriptLine[];
}

/** How far the speaking is. */
export interface SynthesisProgress {
  /** Lines that were spoken. */
  done: number;
  /** The first line that may still change; those before it are being spoken. */
  from: number;
  /** Where the sound ends, with the silence after its last line. */
  endMs: number;
  targetMs: number;
}

/** Less of a voice says too little about its speed. */
const MIN_MEASURED_CHARS = 200;
/** Within this part of the wish, nothing is changed. */
const LENGTH_TOLERANCE = 0.02;

const isGuest = (line: ScriptLine | undefined): line is ScriptLine => line?.speaker === "guest";

/** Gives the guest's lines their order and run in the source, and lists the sentences of each chapter that no line uses. */
export function planLines(lines: readonly ScriptLine[], material: readonly ChapterMaterial[]): LinePlan {
  const used = new Set(lines.map(({ quote, text }) => quote ?? text));
  const positions = material.map(({ sentences }) => new Map(sentences.map(({ sentence }, at) => [sentence, at])));
  const ordered = lines.map((line) => {
    const at = isGuest(line) ? positions[line.chapter]?.get(line.quote ?? line.text) : undefined;
    const found = at === undefined ? undefined : material[line.chapter]?.sentences[at];
    return at === undefined || !found ? line : { ...line, at, run: found.run, topic: found.topic };
  });
  const unused = material.flatMap(({ sentences }, chapter) =>
    sentences.flatMap((sentence, at) => (used.has(sentence.sentence) ? [] : [{ ...sentence, chapter, at }])),
  );
  const unusedSentences = unused
    .toSorted((a, b) => b.score - a.score || a.chapter - b.chapter || a.at - b.at)
    .map(({ sentence, spoken, citation, chapter, at, run, topic }): ScriptLine => {
      const gapMs = gapBefore("guest", "guest");
      return { speaker: "guest", text: sentence, spoken, citation, chapter, at, run, topic, pauseMs: 0, gapMs };
    });
  return { lines: ordered, unusedSentences };
}

/** The speed of both voices in what they have spoken; undefined as long as that is too little. */
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

const sumMs = (lines: readonly ScriptLine[], rates: Rates) => lines.reduce((sum, line) => sum + lineMs(line, rates), 0);

interface Exchange {
  at: number;
  count: number;
  ms: number;
}

/** Sentences that the recap reads again. */
function listRepeated(lines: readonly TimedLine[]): Set<string> {
  const earlier = new Set<string>();
  const repeated = new Set<string>();
  for (const { text } of lines.filter(isGuest)) (earlier.has(text) ? repeated : earlier).add(text);
  return repeated;
}

const isSameRun = (one: ScriptLine, other: ScriptLine | undefined) =>
  isGuest(other) && one.run !== undefined && one.run === other.run && one.chapter === other.chapter;

/**
 * Sentences that can be left out, with the host's words before them: the last of their run, because what follows needs
 * them. The first sentence of a chapter stays, and what the recap reads again.
 */
function listExchanges(lines: readonly TimedLine[], from: number, rates: Rates): Exchange[] {
  const exchanges: Exchange[] = [];
  const repeated = listRepeated(lines);
  let start = from;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index];
    if (!isGuest(line)) continue;
    const before = lines[start - 1];
    const next = lines.slice(index + 1).find(isGuest);
    if (isGuest(before) && before.chapter === line.chapter && !repeated.has(line.text) && !isSameRun(line, next))
      exchanges.push({ at: start, count: index + 1 - start, ms: sumMs(lines.slice(start, index + 1), rates) });
    start = index + 1;
  }
  return exchanges;
}

/** Leaves out what is nearest to the excess, sentences without words of the host first. */
function shorten(
  lines: TimedLine[],
  { from }: SynthesisProgress,
  rates: Rates,
  [excessMs, toleranceMs]: [number, number],
): void {
  let leftMs = excessMs;
  while (leftMs > toleranceMs) {
    const limitMs = leftMs + toleranceMs;
    const fitting = listExchanges(lines, from, rates).filter(({ ms }) => ms <= limitMs);
    const [best] = fitting.toSorted((a, b) => Number(a.count > 1) - Number(b.count > 1) || b.ms - a.ms);
    if (!best) return;
    lines.splice(best.at, best.count);
    leftMs -= best.ms;
  }
}

/** Where a sentence follows in the order of its source; undefined where that was spoken already, or misses its run. */
function positionOf(
  lines: readonly TimedLine[],
  from: number,
  sentence: ScriptLine,
  startsRun: boolean,
): number | undefined {
  const { chapter, at = 0, topic } = sentence;
  const before = lines.findLastIndex((line) => line.chapter === chapter && isGuest(line) && (line.at ?? at) < at);
  const previous = lines[before];
  if (!previous || (!startsRun && !(isSameRun(sentence, previous) && previous.at === at - 1))) return undefined;
  let position = before + 1;
  // After the host's announcement of its heading, where that comes next.
  const next = lines[position];
  if (startsRun && next?.speaker === "host" && next.topic !== undefined && next.topic === topic) position += 1;
  return position < from ? undefined : position;
}

function hostLine(text: string, sentence: ScriptLine, topic?: string): ScriptLine | undefined {
  const spoken = toSpeech(text);
  const { chapter } = sentence;
  const gapMs = gapBefore("host", "guest");
  const line = { speaker: "host" as const, text, citation: null, chapter, pauseMs: 0, gapMs };
  if (spoken === undefined) return undefined;
  return topic === undefined ? { ...line, spoken } : { ...line, spoken, topic };
}

/** What the host says before an added sentence: its heading where that is new, a prompt where the guest spoke for long. */
function introduce(lines: readonly TimedLine[], position: number, sentence: ScriptLine): ScriptLine | undefined {
  const { topic } = sentence;
  const previous = lines[position - 1];
  const last = lines.slice(0, position).findLast((line) => line.topic !== undefined);
  if (topic !== undefined && topic !== "" && topic !== last?.topic && isGuest(previous))
    return hostLine(nameTopic(pick(TOPIC_LINKS, position), topic), sentence, topic);
  if (![1, 2, 3, 4].every((back) => isGuest(lines[position - back]))) return undefined;
  const used = new Set(lines.map(({ text }) => text));
  return hostLine(PROMPTS.find((prompt) => !used.has(prompt)) ?? pick(PROMPTS, position), sentence);
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

/** Adds the best sentences that fit; returns those that are left. */
function lengthen(
  lines: TimedLine[],
  { unusedSentences, from }: Pick<LinePlan, "unusedSentences"> & SynthesisProgress,
  rates: Rates,
  [missingMs, toleranceMs]: [number, number],
): ScriptLine[] {
  let leftMs = missingMs;
  const starts = listRunStarts(lines, unusedSentences);
  const left: ScriptLine[] = [];
  for (const sentence of unusedSentences) {
    const startsRun = starts.has(sentence);
    const position = leftMs > toleranceMs ? positionOf(lines, from, sentence, startsRun) : undefined;
    const added = position === undefined ? [] : withHost(lines, position, sentence, startsRun);
    const ms = sumMs(added, rates);
    if (position === undefined || ms > leftMs + toleranceMs) {
      left.push(sentence);
      continue;
    }
    lines.splice(position, 0, ...added);
    leftMs -= ms;
  }
  return left;
}

const runKey = ({ chapter, run }: ScriptLine) => `${chapter}/${run}`;

/** Unused sentences that begin a run of which nothing is spoken. */
function listRunStarts(lines: readonly ScriptLine[], unused: readonly ScriptLine[]): Set<ScriptLine> {
  const begun = new Set(lines.filter((line) => isGuest(line) && line.run !== undefined).map(runKey));
  const first = new Map<string, ScriptLine>();
  for (const sentence of unused) {
    const known = first.get(runKey(sentence));
    if (!known || (sentence.at ?? 0) < (known.at ?? 0)) first.set(runKey(sentence), sentence);
  }
  return new Set([...first].filter(([key]) => !begun.has(key)).map(([, sentence]) => sentence));
}

/** Corrects the lines that are not spoken yet, so that the episode becomes as long as it was wished. */
export function fitLength({ lines: planned, unusedSentences }: LinePlan, progress: SynthesisProgress): LinePlan {
  const rates = measureRates(planned);
  if (!rates) return { lines: planned, unusedSentences };
  const lines = [...planned];
  const excessMs = progress.endMs + sumMs(lines.slice(progress.done), rates) - progress.targetMs;
  const toleranceMs = progress.targetMs * LENGTH_TOLERANCE;
  shorten(lines, progress, rates, [excessMs, toleranceMs]);
  const added = lengthen(lines, { ...progress, unusedSentences }, rates, [-excessMs, toleranceMs]);
  return { lines, unusedSentences: added };
}
