import type { Passage } from "#shared/pdf/schema.ts";
import { isStandaloneSentence } from "#shared/text/summary.ts";
import { isNominal } from "#shared/text/tokens.ts";
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

/** Chapters at the changes of subject in a talk, titled by their most specific nouns: "Weights and biases". */
function nameByNouns(passages: readonly Passage[]): Chapter[] {
  const chapters = detectChapters(passages);
  if (chapters.length === 0) return [];
  const isNoun = createIsNoun(passages);
  return chapters.map(({ startMs, title }) => {
    const nouns = title.split(", ").filter(isNoun).join(" and ");
    return {
      startMs: findClearStart(passages, startMs),
      title: nouns.charAt(0).toUpperCase() + nouns.slice(1),
    };
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
  const remaining = [...(chapters.length > 0 ? chapters : nameByNouns(passages))];
  return passages.flatMap((passage) => {
    const isReached = ({ startMs }: Chapter) => startMs <= (passage.locator.startMs ?? 0);
    const reached = remaining.splice(0, remaining.filter(isReached).length).at(-1);
    return reached && reached.title !== "" ? [headingOf(reached), passage] : [passage];
  });
}
