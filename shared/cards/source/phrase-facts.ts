import { z } from "zod";
import { splitSentences } from "#shared/text/sentences.ts";
import { splitUnspaced } from "#shared/text/unspaced-words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** How a source uses a phrase. These facts distinguish a term from an ordinary phrase, in any language. */
export const PhraseFacts = z.object({
  /** How often it occurs, and in how many passages. */
  count: z.number(),
  passages: z.number(),
  /** In a short source most terms occur once. */
  isInShortSource: z.boolean().optional(),
  /** The phrase is a heading, or part of one. */
  isHeading: z.boolean(),
  inHeading: z.boolean(),
  /** The author set it in bold or italics within a passage. */
  isMarked: z.boolean(),
  /** A passage begins with it, followed by a colon or a dash. */
  isLabel: z.boolean(),
  /** The share of its occurrences that begin a sentence, and the share of the other occurrences that have a capital. */
  opens: z.number(),
  capital: z.number(),
  words: z.number(),
  /** The shares of passages with its rarest and its commonest word, from 0 (one passage) to 1 (all), on a log scale. */
  rarest: z.number(),
  commonest: z.number(),
  /** It begins or ends with one of the commonest words of the source. */
  opensSmall: z.boolean(),
  endsSmall: z.boolean(),
  /** It has a capital, a digit or a sign within a word. */
  isMixed: z.boolean(),
  /** Letters of its longest word. */
  longest: z.number(),
});
export type PhraseFacts = z.infer<typeof PhraseFacts>;

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’_.+-][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a text with their positions. */
const wordsIn = (text: string) =>
  [...text.matchAll(WORD)].flatMap(({ 0: run, index: start }) =>
    splitUnspaced(run).map(({ segment, index }) => ({ word: segment.toLowerCase(), start: start + index })),
  );
const keyOf = (text: string) =>
  wordsIn(text)
    .map(({ word }) => word)
    .join(" ");

/** How many of the commonest words count as small words. In most languages these are function words. */
const SMALL_WORDS = 80;
/** A small word occurs in at least this share of the passages. */
const MIN_SMALL_SHARE = 0.06;

/** About three pages. */
const SHORT_SOURCE_PASSAGES = 25;

interface Occurrence {
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

/** Computes the facts of the phrases of one source, and caches them. */
export class PhraseIndex {
  readonly #passages: ReadPassage[];
  readonly #occurrences = new Map<string, Occurrence[]>();
  readonly #passagesOf = new Map<string, number>();
  readonly #small: ReadonlySet<string>;
  readonly #headings = new Set<string>();
  readonly #inHeadings = new Set<string>();
  readonly #marked = new Set<string>();
  readonly #labels = new Set<string>();
  readonly #known = new Map<string, PhraseFacts>();

  constructor(passages: readonly Passage[]) {
    const body = passages.filter(({ kind }) => kind === "paragraph" || kind === "list_item");
    this.#passages = body.map(readPassage);
    for (const [passage, { words }] of this.#passages.entries()) this.#addOccurrences(passage, words);
    const common = [...this.#passagesOf].filter(([, n]) => n >= MIN_SMALL_SHARE * body.length);
    this.#small = new Set(
      common
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, SMALL_WORDS)
        .map(([word]) => word),
    );
    for (const { kind, text } of passages) if (kind === "heading") this.#addHeading(text);
    for (const passage of body) this.#addEmphasis(passage);
  }

  #addOccurrences(passage: number, words: readonly string[]) {
    for (const [word, text] of words.entries()) {
      const known = this.#occurrences.get(text);
      if (known) known.push({ passage, word });
      else this.#occurrences.set(text, [{ passage, word }]);
    }
    for (const word of new Set(words)) this.#passagesOf.set(word, (this.#passagesOf.get(word) ?? 0) + 1);
  }

  #addHeading(text: string) {
    const words = keyOf(text.replace(/^(?:\P{L}*\d[\d.]*|\p{Lu}\.\d[\d.]*)\s+/u, "")).split(" ");
    this.#headings.add(words.join(" "));
    for (let size = 1; size <= 4; size++)
      for (let i = 0; i + size <= words.length; i++) this.#inHeadings.add(words.slice(i, i + size).join(" "));
  }

  #addEmphasis({ text, bold, italic }: Passage) {
    for (const [start, end] of [...bold, ...italic])
      if (end - start < text.length / 2) this.#marked.add(keyOf(text.slice(start, end)));
    const label = /^\P{L}*(.{2,60}?)(?: \([^)]*\))?(?: [–—-] |:\s)/u.exec(text)?.[1];
    if (label !== undefined) this.#labels.add(keyOf(label));
  }

  /** Whether the source does not use the phrase before this passage. */
  isFirstMention(phrase: string, passageId: string): boolean {
    const first = this.#occurrencesOf(keyOf(phrase).split(" "))[0];
    return first !== undefined && this.#passages[first.passage]?.id === passageId;
  }

  #occurrencesOf(words: readonly string[]): Occurrence[] {
    const rarest = words.toSorted(
      (a, b) => (this.#occurrences.get(a)?.length ?? 0) - (this.#occurrences.get(b)?.length ?? 0),
    )[0];
    if (rarest === undefined) return [];
    const offset = words.indexOf(rarest);
    return (this.#occurrences.get(rarest) ?? []).flatMap(({ passage, word }) => {
      const start = word - offset;
      const isMatch = words.every((expected, i) => this.#passages[passage]?.words[start + i] === expected);
      return isMatch ? [{ passage, word: start }] : [];
    });
  }

  /** From 0 for a word that occurs in one passage to 1 for a word that occurs in all. */
  #commonness(word: string): number {
    const total = Math.log(Math.max(2, this.#passages.length));
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
    const occurrences = this.#occurrencesOf(words);
    const isOpening = ({ passage, word }: Occurrence) => this.#passages[passage]?.opening.has(word) === true;
    const inside = occurrences.filter((occurrence) => !isOpening(occurrence));
    const isCapital = ({ passage, word }: Occurrence) => {
      const { text = "", starts = [] } = this.#passages[passage] ?? {};
      return /^\p{Lu}/u.test(text.slice(starts[word] ?? 0));
    };
    const common = words.map((word) => this.#commonness(word));
    return {
      count: occurrences.length,
      isInShortSource: this.#passages.length < SHORT_SOURCE_PASSAGES,
      passages: new Set(occurrences.map(({ passage }) => passage)).size,
      isHeading: this.#headings.has(key),
      inHeading: this.#inHeadings.has(key),
      isMarked: this.#marked.has(key),
      isLabel: this.#labels.has(key),
      opens: 1 - inside.length / Math.max(1, occurrences.length),
      capital: inside.filter(isCapital).length / Math.max(1, inside.length),
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
