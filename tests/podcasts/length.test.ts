import {
  assert as assertProperty,
  boolean,
  constantFrom,
  double,
  integer,
  property,
  record,
  type Arbitrary,
} from "fast-check";
import { expect, test } from "vitest";
import { generateCards } from "#shared/cards/deck/generate-cards.ts";
import type { EngineCard } from "#shared/cards/schema.ts";
import { LENGTHS_MINUTES } from "#shared/podcasts/schema.ts";
import { chooseWithShortForms } from "#shared/podcasts/script/choose.ts";
import { fitLength, type LinePlan, planLines, type TimedLine } from "#shared/podcasts/script/fit-length.ts";
import { ShortForms } from "#shared/podcasts/script/short-forms.ts";
import { writeScriptWithMaterial } from "#shared/podcasts/script/write-script.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { aTextbook } from "./textbook.ts";

const PART_MS = 15_000;
const LINES_AHEAD = 2;
const MINUTE_MS = 60_000;

function readSource(sections: number) {
  const passages = passagesFromText(aTextbook(sections));
  const cards: EngineCard[] = [];
  for (const event of generateCards(passages, { density: "MEDIUM" })) if (event.type === "card") cards.push(event.card);
  return { title: "Cells.pdf", passages, cards, cite: (_: unknown, quote: string) => `0/${quote}` };
}

const long = readSource(12);
const short = readSource(1);

/** The voices of an episode: their measured speed, how much slower they turn out to be, and how much this varies by line. */
const Voices = record({
  measured: record({ host: integer({ min: 50, max: 80 }), guest: integer({ min: 50, max: 80 }) }),
  slower: record({
    host: double({ min: 0.8, max: 1.25, noNaN: true }),
    guest: double({ min: 0.8, max: 1.25, noNaN: true }),
  }),
  uneven: double({ min: 0, max: 0.15, noNaN: true }),
});
type Voices = typeof Voices extends Arbitrary<infer Value> ? Value : never;

const speakingMs = ({ measured, slower, uneven }: Voices, { speaker, spoken }: TimedLine) =>
  Math.round(spoken.length * measured[speaker] * slower[speaker] * (1 + uneven * Math.sin(spoken.length)));

/** Simulates speaking a plan, which is corrected after each stored part, as in a real episode. */
function speak(first: LinePlan, voices: Voices, targetMs: number) {
  let plan = { lines: first.lines.map((line) => ({ ...line })), unusedSentences: first.unusedSentences };
  let [endMs, storedMs] = [0, 0];
  for (let index = 0; index < plan.lines.length; index += 1) {
    const line = plan.lines[index];
    if (!line) break;
    line.startMs = endMs + line.gapMs;
    line.endMs = line.startMs + speakingMs(voices, line);
    endMs = line.endMs + line.pauseMs;
    if (line.endMs - storedMs < PART_MS) continue;
    storedMs = line.endMs;
    const firstEditable = index + 1 + LINES_AHEAD;
    const asked = plan.lines.slice(0, firstEditable);
    const { lines, unusedSentences } = fitLength(plan, { spokenCount: index + 1, firstEditable, endMs, targetMs });
    expect(lines.slice(0, firstEditable)).toEqual(asked);
    plan = { lines: [...lines], unusedSentences };
  }
  return { lines: plan.lines, unusedSentences: plan.unusedSentences, ms: endMs };
}

const EpisodeRequest = record({ voices: Voices, minutes: constantFrom(...LENGTHS_MINUTES), hasBreaks: boolean() });

const isGuest = ({ speaker }: TimedLine) => speaker === "guest";

function makeEpisode(
  source: typeof long,
  { voices, minutes, hasBreaks }: typeof EpisodeRequest extends Arbitrary<infer Value> ? Value : never,
) {
  const { measured: msPerChar } = voices;
  const options = { lengthMinutes: minutes, hasBreaks, title: "Cells", guestName: "Maya", hostName: "Noah", msPerChar };
  const { script, material } = writeScriptWithMaterial([source], options);
  const targetMs = minutes * MINUTE_MS;
  const spoken = speak(planLines(script.lines, material), voices, targetMs);
  // The recap reads sentences again.
  const once = spoken.lines.filter((line) => isGuest(line) && line.chapter < material.length);
  const runStarts = new Map(
    material.flatMap(({ sentences }) =>
      sentences.map(({ sentence, run }) => [sentence, sentences.findIndex((candidate) => candidate.run === run)]),
    ),
  );
  return { ...spoken, runStarts, guest: spoken.lines.filter(isGuest), once, targetMs, first: script.lines };
}

/** Expects that no run is cut so short that it cannot be understood by itself. */
function expectWholeRuns(once: readonly TimedLine[]): void {
  for (const { chapter, run, minSentences = 1 } of once) {
    const ofRun = once.filter((line) => line.chapter === chapter && line.run === run);
    expect(ofRun.length).toBeGreaterThanOrEqual(minSentences);
  }
}

test("whatever the voices' speed, an episode's length is within 10 percent of the requested one, and its lines stay in order", () => {
  assertProperty(
    property(EpisodeRequest, (wish) => {
      const { lines, guest, once, ms, targetMs, first, runStarts, unusedSentences } = makeEpisode(long, wish);
      expect(ms / targetMs).toBeLessThan(1.1);
      // The fastest voices speak the whole textbook in less than 20 minutes.
      if (unusedSentences.length > 0) expect(ms / targetMs).toBeGreaterThan(0.9);
      expect(guest.every(({ text, citation }) => findExactQuote(long.passages, text) && citation?.includes(text))).toBe(
        true,
      );
      expect(new Set(once.map(({ text }) => text)).size).toBe(once.length);
      for (const [index, { chapter, at = 0 }] of once.entries()) {
        const next = once[index + 1];
        if (next) expect(next.chapter > chapter || (next.at ?? 0) > at).toBe(true);
      }
      // No sentence is spoken without the earlier sentences of its run.
      for (const [index, { chapter, run, at = 0, text }] of once.entries()) {
        const start = runStarts.get(text) ?? at;
        const before = once.slice(0, index).filter((line) => line.chapter === chapter && line.run === run);
        expect(before).toHaveLength(at - start);
      }
      expectWholeRuns(once);
      expect(new Set(lines.map(({ chapter }) => chapter))).toEqual(new Set(first.map(({ chapter }) => chapter)));
      expect(lines.at(-1)?.text).toBe(first.at(-1)?.text);
    }),
    { numRuns: 40 },
  );
});

/** An episode of one chapter whose first ten lines are spoken; the remaining lines must be shortened to fit. */
function shortenTo(targetMs: number, texts: readonly (readonly [text: string, run: number])[]) {
  const spoken = "The leaf of a plant takes up water.";
  const timed = { citation: null, chapter: 0, pauseMs: 0, gapMs: 0, minSentences: 1 };
  const spokenLines = Array.from({ length: 10 }, (_, at): TimedLine => {
    const speaker = at % 2 === 0 ? "host" : "guest";
    return { ...timed, speaker, text: `${at}`, spoken: spoken.repeat(3), startMs: at * 1000, endMs: (at + 1) * 1000 };
  });
  const planned = texts.map(([text, run], at): TimedLine => ({
    ...timed,
    speaker: "guest",
    text,
    spoken: text,
    at,
    run,
    isRunStart: true,
  }));
  const plan = { lines: [...spokenLines, ...planned], unusedSentences: [] };
  const { lines } = fitLength(plan, { spokenCount: 10, firstEditable: 10, endMs: 10_000, targetMs });
  return lines.slice(10).map(({ text }) => text);
}

test("a sentence that spells out a short form used later is not left out", () => {
  const spelled = "The leaf growth rate (LGR) depends on water.";
  const used = "A dry soil lowers the LGR of a plant.";
  expect(
    shortenTo(10_500, [
      [spelled, 1],
      [used, 2],
      ["Rain is water.", 3],
    ]),
  ).not.toEqual([used]);
  expect(
    shortenTo(10_900, [
      [spelled, 1],
      ["Warm rain falls on every old root in the soil.", 2],
      [used, 3],
    ]),
  ).toContain(spelled);
});

test("a source with too little text is used completely, and no line is repeated", () => {
  assertProperty(
    property(EpisodeRequest, (wish) => {
      const { once, unusedSentences, ms, targetMs } = makeEpisode(short, { ...wish, minutes: 20 });
      expect(unusedSentences).toEqual([]);
      expect(ms).toBeLessThan(targetMs * 0.9);
      expect(new Set(once.map(({ text }) => text)).size).toBe(once.length);
    }),
    { numRuns: 5 },
  );
});

test("the recap repeats only sentences that were spoken before", () => {
  assertProperty(
    property(EpisodeRequest, (wish) => {
      const slow = { ...wish.voices, slower: { host: 1.25, guest: 1.25 } };
      const { guest, once } = makeEpisode(long, { ...wish, voices: slow });
      const spoken = new Set(once.map(({ text }) => text));
      expect(guest.length).toBeGreaterThan(once.length);
      expect(guest.every(({ text }) => spoken.has(text))).toBe(true);
    }),
    { numRuns: 10 },
  );
});

const aRun = (sentence: string, score: number) => ({
  sentences: [{ sentence, spoken: sentence, citation: "", at: 0, score, isSelfContained: true }],
  minSentences: 1,
  score,
});

test("runs left out because their short forms are never spelled out take no time of the episode", () => {
  const unclear = Array.from({ length: 9 }, (_, at) => `Result ${at} needs a DPR.`);
  const [clear, spelled] = ["Cells divide.", "A dense passage retriever (DPR) finds passages."];
  const runs = [aRun(spelled, 1), aRun(clear, 9), ...unclear.map((sentence) => aRun(sentence, 5))];
  const sections = [{ title: "Cells", path: ["Cells"], source: 0, runs }];
  const sentences = [spelled, clear, ...unclear];
  const costs = { runMs: 1000, sentenceMs: () => 9000 };
  // There is time for two runs: the clear one, and one that needs the first, which scores lowest.
  const { chosen } = chooseWithShortForms(sections, 20_000, costs, new ShortForms(sentences, sentences.join(" ")));
  const spoken = chosen.flatMap((section) =>
    section.chosen.flatMap((run) => run.sentences.map(({ spoken: text }) => text)),
  );
  expect(spoken).toEqual([clear]);
  expect(chosen[0]?.costMs).toBe(10_000);
});
