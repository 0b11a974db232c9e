import type { Passage } from "#shared/pdf/schema.ts";
import type { TranscriptSegment } from "./schema.ts";

/** A pause this long ends a passage without punctuation. */
const PAUSE_MS = 1_500;
/** Speech without punctuation is cut after this many words, at the next line. */
const MAX_WORDS = 45;
/** Shorter sentences such as "Right." are joined to the next. */
const MIN_WORDS = 4;

/** A sentence ends at its full stop, not at the dot of a number or an initial. */
const SENTENCE_END = /[.!?\u2026](?:["'\u201d\u2019)\]]+)?(?=\s|$)|[\u3002\uff01\uff1f]/gu;
const ABBREVIATION = /(?:\b(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|cf|approx|Fig|No)\.)$/u;

interface SpeechPiece {
  text: string;
  startMs: number;
  endMs: number;
  isEnd: boolean;
}

/** Splits a line at its full stops; times within it are interpolated by position. */
function splitSentences({ text, startMs, endMs }: TranscriptSegment): SpeechPiece[] {
  const timeAt = (at: number) => Math.round(startMs + ((endMs - startMs) * at) / Math.max(1, text.length));
  const pieces: SpeechPiece[] = [];
  let from = 0;
  const add = (to: number, isEnd: boolean) => {
    const sentence = text.slice(from, to).trim();
    if (sentence !== "") pieces.push({ text: sentence, startMs: timeAt(from), endMs: timeAt(to), isEnd });
    from = to;
  };
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (!ABBREVIATION.test(text.slice(0, end))) add(end, true);
  }
  add(text.length, false);
  return pieces;
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/u;
const countWords = (text: string) =>
  CJK.test(text) ? Math.ceil(text.length / 2) : text.split(/\s+/u).filter(Boolean).length;
/** No space between characters of scripts without spaces. */
const join = (a: string, b: string) => (CJK.test(a.at(-1) ?? "") && CJK.test(b[0] ?? "") ? a + b : `${a} ${b}`);

/** The id contains the times, so that a card that stores only the passage id can be located in the video. */
const idOf = (startMs: number, endMs: number, seq: number) => `t${startMs}-${Math.max(startMs, endMs)}.${seq}`;

/** The times in a passage's id; undefined if it is not from a video. */
export function timesOfPassage(id: string): { startMs: number; endMs: number } | undefined {
  const match = /(?:^|\/)t(\d+)-(\d+)\.\d+$/.exec(id);
  return match ? { startMs: Number(match[1]), endMs: Number(match[2]) } : undefined;
}

/** Joins caption lines into sentences, each a passage with its times; short sentences are joined to the next one. */
export function passagesOfSegments(segments: readonly TranscriptSegment[]): Passage[] {
  const passages: Passage[] = [];
  let open: SpeechPiece | undefined;
  const close = () => {
    if (!open) return;
    const { text, startMs, endMs } = open;
    const locator = { startMs, endMs: Math.max(startMs, endMs) };
    passages.push({
      id: idOf(startMs, endMs, passages.length),
      text,
      kind: "paragraph",
      bold: [],
      italic: [],
      locator,
    });
    open = undefined;
  };
  for (const segment of segments) {
    for (const piece of splitSentences(segment)) {
      if (open && piece.startMs - open.endMs >= PAUSE_MS) close();
      open = open
        ? {
            ...piece,
            text: join(open.text, piece.text),
            startMs: open.startMs,
            endMs: Math.max(open.endMs, piece.endMs),
          }
        : { ...piece };
      if (open.isEnd && countWords(open.text) >= MIN_WORDS) close();
    }
    if (open && countWords(open.text) >= MAX_WORDS) close();
  }
  close();
  return passages;
}
