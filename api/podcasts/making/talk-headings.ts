import type { Passage } from "#shared/pdf/schema.ts";
import { isStandaloneSentence } from "#shared/text/summary.ts";
import { isNominal, type Token } from "#shared/text/tokens.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { detectChapters } from "#shared/video/chapters.ts";
import type { Chapter } from "#shared/video/schema.ts";
import { isSelfContained } from "#shared/podcasts/script/self-contained.ts";
import { withoutFiller } from "#shared/podcasts/script/paragraphs.ts";

/** Returns a function that tests whether a word is a noun in most of its uses in a talk. */
function createIsNoun(passages: readonly Passage[]): (word: string) => boolean {
  const uses = new Map<string, { nouns: number; all: number }>();
  for (const { text } of passages)
    for (const token of tagSentence(text)) {
      const { nouns, all } = uses.get(token.lower) ?? { nouns: 0, all: 0 };
      uses.set(token.lower, { nouns: nouns + (isNominal(token) ? 1 : 0), all: all + 1 });
    }
  return (word) => {
    const { nouns, all } = uses.get(word.toLowerCase()) ?? { nouns: 0, all: 1 };
    return nouns > all / 2;
  };
}

/** A chapter may begin at most this many sentences before the change of vocabulary. */
const MAX_BACK = 4;

const isClearSentence = (sentence: string) => isStandaloneSentence(sentence) && isSelfContained(sentence);

/** The start of the last sentence, up to a time, that can be understood without the sentences before it. */
function findClearStart(passages: readonly Passage[], startMs: number): number {
  const startIndex = passages.findIndex(({ locator }) => (locator.startMs ?? 0) >= startMs);
  const near = passages.slice(Math.max(0, startIndex - MAX_BACK), startIndex + 1);
  return near.findLast(({ text }) => isClearSentence(withoutFiller(text)))?.locator.startMs ?? startMs;
}

/** A name of two or three words: "growth factor", "logistic curve". */
const MAX_NAME_WORDS = 3;
/** A name that a part uses less often is not what the part is about. */
const MIN_NAME_USES = 2;

const canBeInName = (word: Token) => /^[\p{L}-]{2,}$/u.test(word.text) && (isNominal(word) || isDescriptive(word));

/** The names of several words in a text, in lower case, with the number of their uses. */
function countNames(passages: readonly Passage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of passages) {
    const tokens = tagSentence(text);
    for (const end of tokens.keys())
      for (let start = end - 1; start > end - MAX_NAME_WORDS && start >= 0; start -= 1) {
        const words = tokens.slice(start, end + 1);
        if (!isNominal(tokens[end]) || !words.every(canBeInName)) break;
        const name = text.slice(words[0]?.start, words.at(-1)?.end).toLowerCase();
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
  }
  return counts;
}

/** Adjectives that any text uses: "new cases", "other people". */
const GENERAL =
  /^(?:given|particular|new|other|same|different|certain|many|more|most|first|last|next|whole|own|such|only|little|big|good|great|real|right|actual|single|possible|previous|various|several|few|entire|total|main|important|simple|similar|long|short|high|low|old|small|large)$/u;
/** Nouns that say nothing about the subject: "Number", "Line and days". */
const GENERAL_NOUN =
  /^(?:numbers?|sums?|values?|things?|ways?|points?|lines?|kinds?|parts?|cases?|factors?|amounts?|lots?|bits?|times?|days?|weeks?|months?|years?|minutes?|people|examples?|words?|questions?|answers?|ends?|sides?)$/iu;
const isDescriptive = ({ pos, lower }: Token) => pos === "ADJ" && !GENERAL.test(lower);

/** The name that a part of a talk uses most, and rarely another part; undefined if no name is repeated. */
function nameOf(counts: ReadonlyMap<string, number>, parts: readonly ReadonlyMap<string, number>[]) {
  const rate = ([name, uses]: [string, number]) =>
    uses * Math.log(1 + parts.length / parts.filter((part) => part.has(name)).length);
  const [best] = [...counts].filter(([, uses]) => uses >= MIN_NAME_USES).toSorted((a, b) => rate(b) - rate(a));
  return best?.[0];
}

const startOf = ({ locator }: Passage) => locator.startMs ?? 0;

/**
 * Chapters at the changes of subject in a talk, titled by the name that they repeat ("Growth factor"), or else by their
 * most specific nouns ("Weights and biases").
 */
function nameBySubject(passages: readonly Passage[]): Chapter[] {
  const chapters = detectChapters(passages);
  if (chapters.length === 0) return [];
  const isNoun = createIsNoun(passages);
  const parts = chapters.map(({ startMs }, at) => {
    const endMs = chapters[at + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    return countNames(passages.filter((passage) => startOf(passage) >= startMs && startOf(passage) < endMs));
  });
  return chapters.map(({ startMs, title }, at) => {
    const nouns = title
      .split(", ")
      .filter((word) => /^\p{L}+$/u.test(word) && isNoun(word) && !GENERAL_NOUN.test(word));
    const name = nameOf(parts[at] ?? new Map(), parts) ?? nouns.join(" and ");
    return { startMs: findClearStart(passages, startMs), title: name.charAt(0).toUpperCase() + name.slice(1) };
  });
}

const headingOf = ({ startMs, title }: Chapter): Passage => ({
  id: `heading-${startMs}`,
  text: title,
  kind: "heading",
  level: 2,
  bold: [],
  italic: [],
  locator: { startMs, endMs: startMs },
});

/**
 * Adds headings to a transcript: its own `chapters`, or the changes of subject that its words show. Without either, no
 * heading is added.
 */
export function withTalkHeadings(passages: readonly Passage[], chapters: readonly Chapter[]): Passage[] {
  const remaining = [...(chapters.length > 0 ? chapters : nameBySubject(passages))];
  return passages.flatMap((passage) => {
    const isReached = ({ startMs }: Chapter) => startMs <= (passage.locator.startMs ?? 0);
    const reached = remaining.splice(0, remaining.filter(isReached).length).at(-1);
    return reached && reached.title !== "" ? [headingOf(reached), passage] : [passage];
  });
}
