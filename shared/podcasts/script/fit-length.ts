import { toSpeech } from "../speech/to-speech.ts";
import { pick, PROMPTS } from "./host-lines.ts";
import { type ChapterMaterial, gapBefore, lineMs, type ScriptLine, type ScriptOptions } from "./script-line.ts";

type Rates = ScriptOptions["msPerChar"];

/** A line, and when it is heard once it was spoken. */
export interface TimedLine extends ScriptLine {
  startMs?: number;
  endMs?: number;
}

/** The lines of an episode, and sentences of its sources that can still be added, the best first. */
export interface LinePlan {
  lines: readonly TimedLine[];
  spares: readonly ScriptLine[];
}

/** How far the speaking is. */
export interface SpokenSoFar {
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
/** Closer to the wish than this, nothing is changed. */
const CLOSE_SHARE = 0.02;

const isGuest = (line: ScriptLine | undefined): line is ScriptLine => line?.speaker === "guest";

/** Gives the guest's lines their order in the source, and lists the sentences of each chapter that no line uses. */
export function planSpares(lines: readonly ScriptLine[], material: readonly ChapterMaterial[]): LinePlan {
  const used = new Set(lines.map(({ quote, text }) => quote ?? text));
  const positions = material.map(({ sentences }) => new Map(sentences.map(({ sentence }, at) => [sentence, at])));
  const ordered = lines.map((line) => {
    const at = isGuest(line) ? positions[line.chapter]?.get(line.quote ?? line.text) : undefined;
    return at === undefined ? line : { ...line, at };
  });
  const unused = material.flatMap(({ sentences }, chapter) =>
    sentences.flatMap((sentence, at) => (used.has(sentence.sentence) ? [] : [{ ...sentence, chapter, at }])),
  );
  const spares = unused
    .toSorted((a, b) => b.score - a.score)
    .map(({ sentence, spoken, citation, chapter, at }): ScriptLine => {
      const gapMs = gapBefore("guest", "guest");
      return { speaker: "guest", text: sentence, spoken, citation, chapter, at, pauseMs: 0, gapMs };
    });
  return { lines: ordered, spares };
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

/** Sentences that the last round reads again. */
function listRepeated(lines: readonly TimedLine[]): Set<string> {
  const earlier = new Set<string>();
  const repeated = new Set<string>();
  for (const { text } of lines.filter(isGuest)) (earlier.has(text) ? repeated : earlier).add(text);
  return repeated;
}

/**
 * Sentences that can be left out with the question before them. The first of a chapter stays, and what the last
 * round reads again.
 */
function listExchanges(lines: readonly TimedLine[], from: number, rates: Rates): Exchange[] {
  const exchanges: Exchange[] = [];
  const repeated = listRepeated(lines);
  let start = from;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index];
    if (!isGuest(line)) continue;
    const before = lines[start - 1];
    if (isGuest(before) && before.chapter === line.chapter && !repeated.has(line.text))
      exchanges.push({ at: start, count: index + 1 - start, ms: sumMs(lines.slice(start, index + 1), rates) });
    start = index + 1;
  }
  return exchanges;
}

/** Leaves out what is nearest to the excess, sentences without a question first. */
function shorten(lines: TimedLine[], { from }: SpokenSoFar, rates: Rates, [overMs, closeMs]: [number, number]): void {
  let leftMs = overMs;
  while (leftMs > closeMs) {
    const limitMs = leftMs + closeMs;
    const fitting = listExchanges(lines, from, rates).filter(({ ms }) => ms <= limitMs);
    const [best] = fitting.toSorted((a, b) => Number(a.count > 1) - Number(b.count > 1) || b.ms - a.ms);
    if (!best) return;
    lines.splice(best.at, best.count);
    leftMs -= best.ms;
  }
}

/** Where a sentence follows in the order of its source; undefined where that was spoken already. */
function positionOf(lines: readonly TimedLine[], from: number, { chapter, at = 0 }: ScriptLine): number | undefined {
  const before = lines.findLastIndex((line) => line.chapter === chapter && isGuest(line) && (line.at ?? at) < at);
  return before === -1 || before + 1 < from ? undefined : before + 1;
}

/** A sentence as it is added: with a prompt of the host where the guest has spoken twice. */
function withPrompt(lines: readonly TimedLine[], position: number, spare: ScriptLine): ScriptLine[] {
  const isLong = [1, 2].every((back) => isGuest(lines[position - back]));
  const used = new Set(lines.map(({ text }) => text));
  const text = PROMPTS.find((prompt) => !used.has(prompt)) ?? pick(PROMPTS, position);
  const spoken = isLong ? toSpeech(text) : undefined;
  if (spoken === undefined) return [spare];
  const gapMs = gapBefore("host", "guest");
  const prompt = { speaker: "host" as const, text, spoken, citation: null, chapter: spare.chapter, pauseMs: 0, gapMs };
  return [prompt, { ...spare, gapMs }];
}

/** Adds the best sentences that fit; returns those that are left. */
function lengthen(
  lines: TimedLine[],
  { spares, from }: Pick<LinePlan, "spares"> & SpokenSoFar,
  rates: Rates,
  [underMs, closeMs]: [number, number],
): ScriptLine[] {
  let leftMs = underMs;
  const unused: ScriptLine[] = [];
  for (const spare of spares) {
    const position = leftMs > closeMs ? positionOf(lines, from, spare) : undefined;
    const added = position === undefined ? [] : withPrompt(lines, position, spare);
    const ms = sumMs(added, rates);
    if (position === undefined || ms > leftMs + closeMs) {
      unused.push(spare);
      continue;
    }
    lines.splice(position, 0, ...added);
    leftMs -= ms;
  }
  return unused;
}

/** Corrects the lines that are not spoken yet, so that the episode becomes as long as it was wished. */
export function fitLength({ lines: planned, spares }: LinePlan, soFar: SpokenSoFar): LinePlan {
  const rates = measureRates(planned);
  if (!rates) return { lines: planned, spares };
  const lines = [...planned];
  const offMs = soFar.endMs + sumMs(lines.slice(soFar.done), rates) - soFar.targetMs;
  const closeMs = soFar.targetMs * CLOSE_SHARE;
  shorten(lines, soFar, rates, [offMs, closeMs]);
  return { lines, spares: lengthen(lines, { ...soFar, spares }, rates, [-offMs, closeMs]) };
}
