import { splitSentences } from "#shared/text/sentences.ts";
import { isStopWord, phraseKey } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A term found by its wording, in a text without typographic emphasis. */
export interface NamedTerm {
  text: string;
  passage: Passage;
  start: number;
  end: number;
}

const MAX_WORDS = 4;
const WORD = "[\\p{L}\\p{N}][\\p{L}\\p{N}'’-]*";
const PHRASE = `(${WORD}(?: ${WORD}){0,${MAX_WORDS - 1}})`;

/** Phrases that introduce a name. The first group is the phrase, possibly with extra words at its end. */
const NAMING_PATTERNS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:called|termed|known as|referred to as|named|called by the name)\\s+(?:the |an? |“|")?${PHRASE}`,
    "giu",
  ),
  // "A microscope is an instrument that"
  new RegExp(
    `^(?:An? |The )?${PHRASE}(?= (?:is|are) (?:an?|the|any|one of|\\p{L}+s that|\\p{L}+ \\p{L}+s that)\\b)`,
    "giu",
  ),
  new RegExp(
    `^(?:An? |The )?${PHRASE}(?= (?:refers to|is defined as|is the process|describes|means|consists of)\\b)`,
    "giu",
  ),
  // "the cortex, a layer of" and "this is osmosis, the process in which"
  new RegExp(
    `\\b(?:the|an?|in|is|are|by|of|through|and) ${PHRASE}(?=, (?:an?|the) (?:\\p{L}+ ){1,4}(?:of|that|which|in which|where)\\b)`,
    "giu",
  ),
  // "the endoplasmic reticulum (ER)"
  new RegExp(`(${WORD}(?: ${WORD}){1,3})(?= \\(\\p{Lu}[\\p{Lu}\\p{N}]{1,5}s?\\))`, "gu"),
];

/** "crossing over" is one name. */
const isEnd = (word: string, before: string) =>
  /^\d+$/.test(word) || (isStopWord(word.toLowerCase()) && !(/^over$/.test(word) && before.endsWith("ing")));

/** The longest beginning of the phrase without a stop word, preferring text that occurs more than once. */
function cutPhrase(phrase: string, isRepeated: (text: string) => boolean): string {
  const words = phrase.split(" ");
  const stop = words.findIndex((w, i) => isEnd(w, words[i - 1] ?? ""));
  const plain = stop === -1 ? words : words.slice(0, stop);
  for (let size = plain.length; size > 0; size--) {
    const part = plain.slice(0, size).join(" ");
    if (isRepeated(part)) return part;
  }
  return plain.length > 2 ? "" : plain.join(" ");
}

/** How often each of these phrases occurs, in one pass over the text. */
function countPhrases(passages: readonly Passage[], phrases: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    for (let size = words.length; size > 0; size--) counts.set(phraseKey(words.slice(0, size).join(" ")), 0);
  }
  for (const { text } of passages) {
    const words = phraseKey(text).split(" ");
    for (let i = 0; i < words.length; i++)
      for (let size = 1; size <= MAX_WORDS; size++) {
        const key = words.slice(i, i + size).join(" ");
        const count = counts.get(key);
        if (count !== undefined) counts.set(key, count + 1);
      }
  }
  return counts;
}

interface Naming {
  passage: Passage;
  phrase: string;
  /** The position of the phrase in the passage. */
  start: number;
  /** Before an abbreviation the last words are the name, otherwise the first. */
  isLast: boolean;
}

function* namingsIn(passages: readonly Passage[]): Generator<Naming> {
  const titles = new Set(
    passages.filter((p) => p.kind === "heading").map((p) => phraseKey(p.text.replace(TITLE_PREFIX, ""))),
  );
  for (const passage of passages) {
    if (passage.kind !== "paragraph" && passage.kind !== "list_item") continue;
    for (const { text, start } of splitSentences(passage.text.slice(0, 20_000))) {
      const found = [...namesIn(text), ...titleIn(text, titles)];
      for (const name of found) yield { ...name, passage, start: start + name.start };
    }
  }
}

/** Terms that the text introduces itself: "called T", "T is a …", "T (ABC)". For sources without bold or italics. */
export function namedTerms(passages: readonly Passage[], isTermLike: (text: string) => boolean): NamedTerm[] {
  const namings = [...namingsIn(passages)].slice(0, MAX_NAMINGS);
  const counts = countPhrases(
    passages,
    namings.map(({ phrase }) => phrase),
  );
  const isRepeated = (text: string) => (counts.get(phraseKey(text)) ?? 0) > 1;
  const found = new Map<string, NamedTerm>();
  for (const { passage, phrase, start: phraseStart, isLast } of namings) {
    const text = isLast
      ? expansionOf(passage.text.slice(phraseStart + phrase.length), lastWords(phrase))
      : cutPhrase(phrase, isRepeated);
    const start = phraseStart + (isLast ? phrase.length - text.length : 0);
    const key = phraseKey(text);
    if (isTermLike(text) && !PARTICLE.test(text) && !found.has(key))
      found.set(key, { text, passage, start, end: start + text.length });
  }
  return [...found.values()];
}

/** "called out so loud" introduces no name. */
const PARTICLE = /^(?:out|up|down|off|away|back|aloud|loudly|upon|again|forth)\b/i;

/** A book has a few thousand names; a text with more isn't prose. */
const MAX_NAMINGS = 5000;

/** "4.2 The " before a title. */
const TITLE_PREFIX = /^(?:\d+(?:\.\d+)*\.?\s+)?(?:the |an? )?/i;

/** A title that its text mentions is the subject of that text. */
function titleIn(sentence: string, titles: ReadonlySet<string>): Omit<Naming, "passage">[] {
  if (titles.size === 0) return [];
  const words = [...sentence.matchAll(new RegExp(WORD, "gu"))].slice(0, 12);
  for (const [i, from] of words.entries())
    for (let size = MAX_WORDS; size > 0; size--) {
      const last = words[i + size - 1];
      if (!last) continue;
      const text = sentence.slice(from.index, last.index + last[0].length);
      if (titles.has(phraseKey(text))) return [{ phrase: text, start: from.index, isLast: false }];
    }
  return [];
}

function namesIn(sentence: string): Omit<Naming, "passage">[] {
  return NAMING_PATTERNS.flatMap((naming) =>
    [...sentence.matchAll(naming)].map((match) => {
      const phrase = match[1] ?? "";
      return { phrase, start: match.index + match[0].indexOf(phrase), isLast: naming === NAMING_PATTERNS.at(-1) };
    }),
  );
}

/** "burns gas oil (GO)": the name starts where its initials do. */
function expansionOf(after: string, name: string): string {
  const letter = /^ \((\p{Lu})/u.exec(after)?.[1]?.toLowerCase() ?? "";
  const words = name.split(" ");
  if (!/[^s]s$/.test(words[0] ?? "")) return name;
  const start = words.findIndex((word) => word.toLowerCase().startsWith(letter));
  return start > 0 ? words.slice(start).join(" ") : name;
}

function lastWords(phrase: string): string {
  const words = phrase.split(" ");
  const stop = words.findLastIndex((w) => isStopWord(w.toLowerCase()));
  return words.slice(stop + 1).join(" ");
}
