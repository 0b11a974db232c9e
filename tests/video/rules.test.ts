import { array, assert, double, property, record, string } from "fast-check";
import { expect, test } from "vitest";
import { parseCaptions, toWebVtt } from "#shared/video/captions.ts";
import { passagesOfSegments } from "#shared/video/passages.ts";
import { chooseTranscript, cleanSegments, formatTimecode, segmentAt } from "#shared/video/rules.ts";
import type { TranscriptSegment } from "#shared/video/schema.ts";
import { findTranscriptQuote, buildSearchableText, searchTranscript } from "#shared/video/transcript-search.ts";

const lines = (...texts: string[]): TranscriptSegment[] =>
  texts.map((text, i) => ({ startMs: i * 4000, endMs: i * 4000 + 3500, text }));

const transcript = lines(
  "Photosynthesis is the process by which plants",
  "convert light energy into sugar.",
  "Chlorophyll is the green pigment, café-coloured in autumn,",
  "that absorbs light in the leaves.",
  "Dr. Hill split water in 1937. Right. That was news.",
);

test("the current line is the last one that started", () => {
  expect([-1, 0, 3999, 4000, 99_999].map((ms) => segmentAt(transcript, ms))).toEqual([-1, 0, 0, 1, 4]);
});

test("formats times as timecodes", () => {
  expect([0, 7900, 123_000, 3_723_000].map(formatTimecode)).toEqual(["0:00", "0:07", "2:03", "1:02:03"]);
});

test("cleaned segments are ordered, within bounds and non-blank for any input; cleaning is idempotent", () => {
  const given = record({ startMs: double(), endMs: double(), text: string() });
  assert(
    property(array(given), (segments) => {
      const cleaned = cleanSegments(segments);
      for (const [i, { startMs, endMs, text }] of cleaned.entries()) {
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        expect(startMs).toBeGreaterThanOrEqual(cleaned[i - 1]?.startMs ?? 0);
        expect(text.trim()).not.toBe("");
      }
      expect(cleanSegments(cleaned).length).toBeLessThanOrEqual(cleaned.length);
    }),
  );
});

test("scrolling captions with repeated lines are read once", () => {
  const scrolling = [
    { startMs: 0, endMs: 2000, text: "so today we" },
    { startMs: 2000, endMs: 2010, text: "so today we" },
    { startMs: 2010, endMs: 4000, text: "talk about light" },
  ];
  expect(cleanSegments(scrolling).map(({ text }) => text)).toEqual(["so today we", "talk about light"]);
});

test("a transcript written as WebVTT parses back unchanged, including special characters", async () => {
  const segments = lines("a < b & c > d", "--> not a time");
  const read = await parseCaptions(new TextEncoder().encode(toWebVtt(segments)));
  expect(read).toEqual({ ok: true, format: "vtt", segments });
});

test("finds a quote exactly, approximately if misheard, and not at all if it wasn't spoken", () => {
  const text = buildSearchableText(transcript);
  expect(findTranscriptQuote(text, { quote: "converts light energy into sugar" })).toMatchObject({ from: 1, to: 1 });
  expect(findTranscriptQuote(text, { quote: "plants convert light" })).toMatchObject({ from: 0, to: 1, startMs: 0 });
  expect(findTranscriptQuote(text, { quote: "Cafe-coloured in Autumn" })).toMatchObject({ from: 2 });
  expect(findTranscriptQuote(text, { quote: "mitochondria release energy from glucose" })).toBeUndefined();
  expect(findTranscriptQuote(text, { quote: "" })).toBeUndefined();
});

test("of identical quotes the one nearest to the cited time is highlighted", () => {
  const twice = buildSearchableText(lines("light is a wave", "something else", "light is a wave"));
  expect(findTranscriptQuote(twice, { quote: "light is a wave", nearMs: 8000 })).toMatchObject({ from: 2 });
});

test("a search hit covers the original letters, even if accents and ligatures change the length", () => {
  const text = buildSearchableText(lines("The ﬁne naïveté of light"));
  const [hit] = searchTranscript(text, "naivete");
  expect("The ﬁne naïveté of light".slice(...(hit?.range ?? [0, 0]))).toBe("naïveté");
});

test("joins lines into sentences, short ones with the next; initials don't end a sentence", () => {
  expect(passagesOfSegments(transcript).map(({ text }) => text)).toEqual([
    "Photosynthesis is the process by which plants convert light energy into sugar.",
    "Chlorophyll is the green pigment, café-coloured in autumn, that absorbs light in the leaves.",
    "Dr. Hill split water in 1937.",
    "Right. That was news.",
  ]);
});

test("speech without full stops is split at silences and maximum length, without losing words", () => {
  const words = Array.from({ length: 300 }, (_, i) => `word${i}`);
  const segments = words.map((text, i) => ({
    startMs: i * 400 + (i > 150 ? 5000 : 0),
    endMs: i * 400 + 350 + (i > 150 ? 5000 : 0),
    text,
  }));
  const passages = passagesOfSegments(segments);
  expect(passages.map(({ text }) => text).join(" ")).toBe(words.join(" "));
  expect(Math.max(...passages.map(({ text }) => text.split(" ").length))).toBeLessThanOrEqual(45);
  expect(passages.some(({ text }) => text.endsWith("word150"))).toBe(true);
  expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length);
});

const transcriptOf = (source: string, language: string, madeAt: number) => ({ source, language, madeAt });

test("student transcripts take precedence over YouTube's, then speech recognition; exact languages over variants", () => {
  const all = [
    transcriptOf("speech", "en", 9),
    transcriptOf("youtube", "en", 8),
    transcriptOf("sidecar", "en-GB", 1),
    transcriptOf("client", "de", 2),
  ];
  expect(chooseTranscript(all, { language: "en" })?.source).toBe("youtube");
  expect(chooseTranscript(all, { language: "en-GB" })?.source).toBe("sidecar");
  expect(chooseTranscript(all, {})?.source).toBe("client");
  expect(chooseTranscript(all, { source: "speech" })?.source).toBe("speech");
  expect(chooseTranscript(all, { language: "fr" })).toBeUndefined();
});

test.each([
  ["no space before the settings", "WEBVTT\n\n00:00.000 --> 00:01.000line:40% size:40%\ncue text\n", 0],
  ["no empty line below the header", "WEBVTT\n00:11.000 --> 00:13.000\ncue text", 11_000],
  ["no space around the arrow", "WEBVTT\n\n00:11.000-->00:13.000\ncue text\n", 11_000],
  ["an ordinary header", "WEBVTT - Talk\n\n1\n00:11.000 --> 00:13.000 align:start\ncue text\n", 11_000],
])("captions with %s are parsed as other players parse them", async (_what, text, startMs) => {
  const read = await parseCaptions(new TextEncoder().encode(text));
  expect(read.ok && read.segments).toMatchObject([{ startMs, text: "cue text" }]);
});
