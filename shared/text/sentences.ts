export interface SentenceSpan {
  text: string;
  /** UTF-16 offsets in the text that was split. */
  start: number;
  end: number;
}

const ABBREVIATION =
  /(?:^|[\s("“‘[])(?:e\.g|i\.e|cf|vs|viz|approx|ca|et al|etc|Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Fig|Figs|Eq|Eqs|No|Nos|Vol|pp|p|ch|sec|Ref|Refs|Inc|Ltd|Co|Corp|Gen|Sen|Rep|Gov|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|dept|est|spp|sp|var|subsp|a\.m|p\.m)\.\s*$/;
/** One capital and a full stop: an initial or an abbreviated name, "E. coli", "J. Smith". */
const INITIAL = /(?:^|[\s("“‘[.])\p{Lu}\.\s*$/u;
/** "U.S. citizens": dotted letters end a sentence only if a new one clearly starts. */
const DOTTED = /(?:\p{Lu}\.){2,}\s*$/u;
const STARTS_SENTENCE =
  /^["“‘'([]*(?:The|A|An|In|It|This|These|Those|They|He|She|We|However|But|And|For|When|If|As|At|On)\b/;

function isContinued(before: string, after: string): boolean {
  const tail = before.slice(-40);
  if (/^\s*[\p{Ll}),;\]]/u.test(after) && !/[!?]["”’)]?\s*$/.test(tail)) return true;
  if (DOTTED.test(tail)) return !STARTS_SENTENCE.test(after);
  if (ABBREVIATION.test(tail)) return true;
  return INITIAL.test(tail) && !STARTS_SENTENCE.test(after);
}

const segmenters = new Map<string, Intl.Segmenter>();
function segmenterOf(locale: string): Intl.Segmenter {
  const known = segmenters.get(locale);
  if (known) return known;
  const made = new Intl.Segmenter(locale, { granularity: "sentence" });
  segmenters.set(locale, made);
  return made;
}

/** A longer block isn't prose; the limit keeps hostile input linear. */
const MAX_BLOCK = 20_000;

/** Sentences with their positions; abbreviations and initials don't end one. */
export function splitSentences(text: string, locale = "en"): SentenceSpan[] {
  const spans: SentenceSpan[] = [];
  const segmenter = segmenterOf(locale);
  for (let from = 0; from < text.length; from += MAX_BLOCK) {
    let open: SentenceSpan | undefined;
    for (const { segment, index } of segmenter.segment(text.slice(from, from + MAX_BLOCK))) {
      if (open && isContinued(open.text, segment)) open.text += segment;
      else {
        if (open) spans.push(open);
        open = { text: segment, start: from + index, end: 0 };
      }
    }
    if (open) spans.push(open);
  }
  return spans
    .flatMap(splitGluedSentences)
    .map(trimSpan)
    .filter((s) => s.text !== "");
}

function trimSpan({ text, start }: SentenceSpan): SentenceSpan {
  const trimmed = text.trim();
  const lead = text.length - text.trimStart().length;
  return { text: trimmed, start: start + lead, end: start + lead + trimmed.length };
}

/** "… of a carbohydrate.The next": a full stop without a space between two sentences. */
const GLUED_STOP = /(?<=\p{Ll}{4}[.!?])(?=\p{Lu}[\p{L}]*\s\p{Ll})/u;

function splitGluedSentences({ text, start, end }: SentenceSpan): SentenceSpan[] {
  if (!GLUED_STOP.test(text)) return [{ text, start, end }];
  let at = start;
  return text.split(GLUED_STOP).map((part) => {
    const span = { text: part, start: at, end: 0 };
    at += part.length;
    return span;
  });
}
