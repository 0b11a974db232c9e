import { findOpposition, isExactlyOneNegated, polarityOf } from "#shared/research/evidence/polarity.ts";
import { figuresOf, isSupportedBy, namesOf } from "#shared/research/evidence/verify.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isVerbal } from "#shared/text/tokens.ts";
import { isAuxiliary } from "#shared/text/verbs.ts";
import { toSpeech } from "../speech/to-speech.ts";
import { breakLine } from "./host/host-lines.ts";
import {
  BREAK_MS,
  BREAKS_PER_CHAPTER,
  type ChapterMaterial,
  gapBefore,
  estimateMs,
  type MaterialSentence,
  type ScriptLine,
  type ScriptOptions,
} from "./script-line.ts";

/** A line written by a model; `id` is the position of the sentence that supports it, from 1. */
export interface ProposedLine {
  speaker: "host" | "guest";
  text: string;
  id?: string | undefined;
}

const LINK_OR_MARKUP = /https?:\/\/|www\.|\]\(|<\/?[a-z][^>]*>|[`{}*_#]/iu;
const MAX_GUEST_CHARS = 420;
const MAX_HOST_CHARS = 220;
/** A remark of the host (a line that is no question) must be so short that it cannot make a claim. */
const MAX_REMARK_WORDS = 8;

export const sentenceOf = ({ sentences }: ChapterMaterial, id: string | undefined): MaterialSentence | undefined =>
  sentences[Number(id) - 1];

function findFormFault(text: string, maxChars: number): string | undefined {
  if (LINK_OR_MARKUP.test(text)) return "it contains markup or a link";
  if (text.length > maxChars) return `it is longer than ${maxChars} characters`;
  return toSpeech(text) === undefined ? "it cannot be read aloud" : undefined;
}

function findHostFault(text: string, material: ChapterMaterial, speakers: readonly string[]): string | undefined {
  const known = [material.title, ...speakers, ...material.sentences.map(({ sentence }) => sentence)].join(" ");
  const lower = known.toLowerCase();
  const figures = new Set(figuresOf(known));
  if (figuresOf(text).some((figure) => !figures.has(figure)))
    return "it contains a number that is not in the sentences";
  // The first word of a sentence is always capitalised, so it shows no name.
  const inner = text.replaceAll(/(^|[.?!]\s+)[“"'(]*\p{L}+/gu, "$1");
  if (namesOf(inner).some((name) => !lower.includes(name.toLowerCase())))
    return "it contains a name that is not in the sentences";
  const isShort = text.split(/\s+/u).length <= MAX_REMARK_WORDS;
  return isShort || text.trimEnd().endsWith("?") ? undefined : "the host asks questions and makes no claims";
}

/** The verbs of a text: "causes" and "caused" count as one, and auxiliaries such as "can" and "is" do not count. */
function verbsOf(text: string): string[] {
  const tokens = tagSentence(text);
  return tokens
    .filter((token) => isVerbal(token) && !isAuxiliary(token))
    .flatMap(({ text: word }) => searchTerms(word));
}

/** Whether a line denies its sentence, states the opposite, or contains a verb that the sentence does not have. */
function contradictsSentence(text: string, sentence: string): boolean {
  const [line, source] = [polarityOf(text), polarityOf(sentence)];
  if (isExactlyOneNegated(line, source) || findOpposition(line, source).oppositionCount > 0) return true;
  const known = new Set(searchTerms(sentence));
  return verbsOf(text).some((verb) => !known.has(verb));
}

/** What is wrong with a model's line, in words that are sent to the model with the line; undefined if it can be used. */
export function findLineFault(
  { speaker, text, id }: ProposedLine,
  material: ChapterMaterial,
  speakers: readonly string[],
): string | undefined {
  const formFault = findFormFault(text, speaker === "host" ? MAX_HOST_CHARS : MAX_GUEST_CHARS);
  if (formFault !== undefined) return formFault;
  if (speaker === "host") return findHostFault(text, material, speakers);
  const supporting = sentenceOf(material, id);
  if (!supporting) return "it has no sentence number";
  if (contradictsSentence(text, supporting.sentence)) return "its sentence says something else";
  return isSupportedBy(text, supporting.sentence) ? undefined : "its sentence does not say that";
}

/**
 * The source's own sentence in place of a line that it does not support. Undefined if the line names no sentence, or if
 * that sentence needs the one before it, which the guest has not just spoken.
 */
export function replaceLine(
  { speaker, id }: ProposedLine,
  material: ChapterMaterial,
  before: readonly ProposedLine[],
): ProposedLine | undefined {
  const supporting = speaker === "guest" ? sentenceOf(material, id) : undefined;
  if (!supporting) return undefined;
  const last = before.findLast((line) => line.speaker === "guest");
  const isUnderstood = supporting.isRunStart || Number(last?.id) === Number(id) - 1;
  return isUnderstood ? { speaker, text: supporting.sentence, id } : undefined;
}

const MAX_LENGTH_FACTOR = 1.03;
const MIN_LENGTH_FACTOR = 0.97;

type UntimedLine = Omit<ScriptLine, "gapMs" | "chapter">;

function toGuestLine({ text, id }: ProposedLine, material: ChapterMaterial): UntimedLine | undefined {
  const supporting = sentenceOf(material, id);
  const spoken = toSpeech(text);
  if (!supporting || spoken === undefined) return undefined;
  const { citation, sentence: quote } = supporting;
  return { speaker: "guest", text, spoken, citation, quote, pauseMs: 0 };
}

/** A line of the host; `isBreak` adds time to answer. */
function toHostLine(text: string, isBreak: boolean, breaks: number): UntimedLine | undefined {
  const whole = isBreak ? `${text} ${breakLine(breaks)}`.trim() : text;
  const spoken = toSpeech(whole);
  return spoken === undefined
    ? undefined
    : { speaker: "host", text: whole, spoken, citation: null, pauseMs: isBreak ? BREAK_MS : 0 };
}

/**
 * The spoken lines of a model's dialogue: without host lines that nothing answers, and with time to answer after some
 * questions.
 */
function toUntimedLines(
  lines: readonly ProposedLine[],
  { index: chapter, material }: Pick<Chapter, "index" | "material">,
  hasBreaks: boolean,
): UntimedLine[] {
  let breaksLeft = hasBreaks ? BREAKS_PER_CHAPTER : 0;
  const body: UntimedLine[] = [];
  const isNew = ({ text }: ProposedLine) => body.every((line) => line.text !== text);
  for (const [index, line] of lines.entries()) {
    if (line.speaker === "guest") {
      const spokenLine = isNew(line) ? toGuestLine(line, material) : undefined;
      if (spokenLine) body.push(spokenLine);
      continue;
    }
    if (lines[index + 1]?.speaker !== "guest") continue;
    const isBreak = line.text.endsWith("?") && breaksLeft > 0;
    const spokenLine = toHostLine(line.text, isBreak, (chapter + 1) * BREAKS_PER_CHAPTER - breaksLeft);
    if (!spokenLine) continue;
    breaksLeft -= isBreak ? 1 : 0;
    body.push(spokenLine);
  }
  return body;
}

/** Runs of the extractive chapter from which the model used no sentence: each with the host's lines before it. */
function listUnused(extractive: readonly ScriptLine[], used: readonly UntimedLine[]): UntimedLine[][] {
  const quoted = new Set(used.map(({ quote }) => quote));
  const exchanges: ScriptLine[][] = [];
  for (const [index, line] of extractive.entries()) {
    const previous = extractive.slice(0, index).findLast(({ speaker }) => speaker === "guest");
    const next = extractive.slice(index).find(({ speaker }) => speaker === "guest");
    const isContinued = previous !== undefined && previous.run !== undefined && previous.run === next?.run;
    if (exchanges.length === 0 || (!isContinued && extractive[index - 1]?.speaker === "guest")) exchanges.push([line]);
    else exchanges.at(-1)?.push(line);
  }
  return exchanges.filter((exchange) => !exchange.some(({ text }) => quoted.has(text)));
}

interface Chapter {
  index: number;
  material: ChapterMaterial;
  /** Lines of the extractive chapter, without its opening and closing lines. */
  extractive: readonly ScriptLine[];
}

/**
 * Builds a chapter from a model's verified lines, with the length of the extractive one: longer dialogues are cut,
 * shorter ones are extended with extractive runs.
 */
export function assembleChapter(
  { index, material, extractive }: Chapter,
  proposed: readonly ProposedLine[],
  { msPerChar, hasBreaks }: Pick<ScriptOptions, "msPerChar" | "hasBreaks">,
): ScriptLine[] {
  const targetMs = estimateMs(extractive, msPerChar);
  const chosen: UntimedLine[] = [];
  let ms = 0;
  const add = (lines: readonly UntimedLine[]) => {
    let previous = chosen.at(-1);
    const timed = lines.map((line) => {
      const withGap = { ...line, chapter: index, gapMs: gapBefore(line.speaker, previous?.speaker) };
      previous = line;
      return withGap;
    });
    const addedMs = estimateMs(timed, msPerChar);
    if (ms + addedMs > targetMs * MAX_LENGTH_FACTOR) return;
    chosen.push(...lines);
    ms += addedMs;
  };
  let open: UntimedLine[] = [];
  for (const line of toUntimedLines(proposed, { index, material }, hasBreaks)) {
    open.push(line);
    if (line.speaker !== "guest") continue;
    add(open);
    open = [];
  }
  for (const exchange of listUnused(extractive, chosen)) if (ms < targetMs * MIN_LENGTH_FACTOR) add(exchange);
  return chosen.map((line, at) => ({
    ...line,
    chapter: index,
    gapMs: gapBefore(line.speaker, chosen[at - 1]?.speaker),
  }));
}
