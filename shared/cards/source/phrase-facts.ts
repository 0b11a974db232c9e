import { z } from "zod";
import { splitSentences } from "#shared/text/sentences.ts";
import { splitUnspaced } from "#shared/text/unspaced-words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** How a source uses a phrase: what tells a term from a phrase that only happens to stand there, in any language. */
export const PhraseFacts = z.object({
  /** How often it occurs, and in how many passages. */
  count: z.number(),
  passages: z.number(),
  /** In a short source most terms occur once. */
  isInShortSource: z.boolean().optional(),
  /** It is a heading, or stands in one. */
  isHeading: z.boolean(),
  inHeading: z.boolean(),
  /** The author set it in bold or italics within a passage. */
  isMarked: z.boolean(),
  /** A passage begins with it, followed by a colon or a dash. */
  isLabel: z.boolean(),
  /** The shares of its occurrences that begin a sentence, and of the others that begin with a capital. */
  opens: z.number(),
  capital: z.number(),
  words: z.number(),
  /** The shares of passages that hold its rarest and its commonest word, from 0 (one) to 1 (all), on a log scale. */
  rarest: z.number(),
  commonest: z.number(),
  /** It begins or ends with a word of which the source is full. */
  opensSmall: z.boolean(),
  endsSmall: z.boolean(),
  /** It has a capital, a digit or a sign within a word. */
  isMixed: z.boolean(),
  /** Letters of its longest word. */
  longest: z.number(),
});
export type PhraseFacts = z.infer<typeof PhraseFacts>;

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’_.+-][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a text, each with where it begins. */
const wordsIn = (text: string) =>
  [...text.matchAll(WORD)].flatMap(({ 0: run, index: start }) =>
    splitUnspaced(run).map(({ segment, index }) => ({ word: segment.toLowerCase(), start: start + index })),
  );
const keyOf = (text: string) =>
  wordsIn(text)
    .map(({ word }) => word)
    .join(" ");

/** The words of which a text consists mostly, whatever its language: so many stand in the most passages. */
const SMALL_WORDS = 80;
/** A shorter source has no words that stand everywhere. */
const MIN_SMALL_SHARE = 0.06;

/** About three pages. */
const SHORT_SOURCE_PASSAGES = 25;

interface Place {
  passage: number;
  word: number;
}

interface ReadPassage {
  words: string[];
  id: string;
  text: string;
  /** Where each word begins. */
  starts: number[];
  /** The words that begin a sentence. */
  opening: ReadonlySet<number>;
}

function readPassage({ id, text }: Passage): ReadPassage {
  const found = wordsIn(text);
  const words = found.map(({ word }) => word);
  const starts = found.map(({ start }) => start);
  const opening = new Set(
    splitSentences(text.slice(0, 20_000), "und").map(({ start }) => starts.findIndex((at) => at >= start)),
  );
  return { id, words, text, starts, opening };
}

/** Counts phrases of one source. The same phrase is counted once. */
export class PhraseIndex {
  readonly #read: ReadPassage[];
  readonly #places = new Map<string, Place[]>();
  readonly #passagesOf = new Map<string, number>();
  readonly #small: ReadonlySet<string>;
  readonly #headings = new Set<string>();
  readonly #inHeadings = new Set<string>();
  readonly #marked = new Set<string>();
  readonly #labels = new Set<string>();
  readonly #known = new Map<string, PhraseFacts>();

  constructor(passages: readonly Passage[]) {
    const body = passages.filter(({ kind }) => kind === "paragraph" || kind === "list_item");
    this.#read = body.map(readPassage);
    for (const [passage, { words }] of this.#read.entries()) this.#addPlaces(passage, words);
    const common = [...this.#passagesOf].filter(([, n]) => n >= MIN_SMALL_SHARE * body.length);
    this.#small = new Set(
      common
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, SMALL_WORDS)
        .map(([word]) => word),
    );
    for (const { kind, text } of passages) if (kind === "heading") this.#addHeading(text);
    for (const passage of body) this.#addMarks(passage);
  }

  #addPlaces(passage: number, words: readonly string[]) {
    for (const [word, text] of words.entries()) {
      const known = this.#places.get(text);
      if (known) known.push({ passage, word });
      else this.#places.set(text, [{ passage, word }]);
    }
    for (const word of new Set(words)) this.#passagesOf.set(word, (this.#passagesOf.get(word) ?? 0) + 1);
  }

  #addHeading(text: string) {
    const words = keyOf(text.replace(/^(?:\P{L}*\d[\d.]*|\p{Lu}\.\d[\d.]*)\s+/u, "")).split(" ");
    this.#headings.add(words.join(" "));
    for (let size = 1; size <= 4; size++)
      for (let i = 0; i + size <= words.length; i++) this.#inHeadings.add(words.slice(i, i + size).join(" "));
  }

  #addMarks({ text, bold, italic }: Passage) {
    for (const [start, end] of [...bold, ...italic])
      if (end - start < text.length / 2) this.#marked.add(keyOf(text.slice(start, end)));
    const label = /^\P{L}*(.{2,60}?)(?: \([^)]*\))?(?: [–—-] |:\s)/u.exec(text)?.[1];
    if (label !== undefined) this.#labels.add(keyOf(label));
  }

  /** Whether the source does not use it before this passage. */
  isFirstMention(phrase: string, passageId: string): boolean {
    const first = this.#placesOf(keyOf(phrase).split(" "))[0];
    return first !== undefined && this.#read[first.passage]?.id === passageId;
  }

  #placesOf(words: readonly string[]): Place[] {
    const rarest = words.toSorted((a, b) => (this.#places.get(a)?.length ?? 0) - (this.#places.get(b)?.length ?? 0))[0];
    if (rarest === undefined) return [];
    const offset = words.indexOf(rarest);
    return (this.#places.get(rarest) ?? []).flatMap(({ passage, word }) => {
      const start = word - offset;
      const isHere = words.every((one, i) => this.#read[passage]?.words[start + i] === one);
      return isHere ? [{ passage, word: start }] : [];
    });
  }

  /** From 0 for a word of one passage to 1 for one of all. */
  #commonness(word: string): number {
    const total = Math.log(Math.max(2, this.#read.length));
    return Math.log(Math.max(1, this.#passagesOf.get(word) ?? 1)) / total;
  }

  factsOf(phrase: string): PhraseFacts {
    const key = keyOf(phrase);
    const found = this.#known.get(key) ?? this.#measure(phrase, key);
    this.#known.set(key, found);
    return found;
  }

  #measure(phrase: string, key: string): PhraseFacts {
    const words = key.split(" ");
    const places = this.#placesOf(words);
    const isOpening = ({ passage, word }: Place) => this.#read[passage]?.opening.has(word) === true;
    const within = places.filter((place) => !isOpening(place));
    const isCapital = ({ passage, word }: Place) => {
      const { text = "", starts = [] } = this.#read[passage] ?? {};
      return /^\p{Lu}/u.test(text.slice(starts[word] ?? 0));
    };
    const common = words.map((word) => this.#commonness(word));
    return {
      count: places.length,
      isInShortSource: this.#read.length < SHORT_SOURCE_PASSAGES,
      passages: new Set(places.map(({ passage }) => passage)).size,
      isHeading: this.#headings.has(key),
      inHeading: this.#inHeadings.has(key),
      isMarked: this.#marked.has(key),
      isLabel: this.#labels.has(key),
      opens: 1 - within.length / Math.max(1, places.length),
      capital: within.filter(isCapital).length / Math.max(1, within.length),
      words: words.length,
      rarest: Math.min(1, ...common),
      commonest: Math.max(0, ...common),
      opensSmall: this.#small.has(words[0] ?? ""),
      endsSmall: this.#small.has(words.at(-1) ?? ""),
      isMixed: /\p{L}[\p{Lu}\p{N}_+]|[\p{L}\p{N}][-.][\p{L}\p{N}]/u.test(phrase),
      longest: Math.max(0, ...words.map((word) => word.length)),
    };
  }
}
