import { splitSentences } from "#shared/text/sentences.ts";
import type { EvidenceSentence } from "./candidates.ts";
import { isReadable, leansBack } from "./readable-sentences.ts";

interface Growth {
  language: "en" | "de";
  /** Sentences that the canvas has already. */
  used: ReadonlySet<string>;
  /** Sentences at most, the given ones included. */
  most: number;
}

/** Neighbouring sentences of a passage that are quoted together, at most. */
const MAX_RUN = 5;

const keyOf = ({ source, passageId }: EvidenceSentence, at: number) => `${source} ${passageId} ${at}`;

interface Run {
  from: number;
  to: number;
  picked: EvidenceSentence;
}

/**
 * Sentences with their neighbours in the passage: first those that follow, then those before. A mechanism rarely fits in
 * one sentence, and one that begins with "Finally" needs the others.
 */
export function growRuns(
  sentences: readonly EvidenceSentence[],
  textOf: (sentence: EvidenceSentence) => string,
  { language, used, most }: Growth,
): EvidenceSentence[] {
  const grown = new Map<string, EvidenceSentence>();
  for (const sentence of sentences) grown.set(keyOf(sentence, sentence.at), sentence);
  const runs = sentences.map((picked): Run => ({ from: picked.at, to: picked.at, picked }));
  const texts = new Map(
    sentences.map((sentence) => [sentence, splitSentences(textOf(sentence), language).map(({ text }) => text)]),
  );
  /** Adds the sentence at a position; false where the run ends. */
  const add = ({ picked }: Run, at: number, fits: (text: string) => boolean): boolean => {
    if (grown.has(keyOf(picked, at))) return true;
    const text = texts.get(picked)?.[at];
    if (grown.size >= most || text === undefined || used.has(text) || !fits(text)) return false;
    grown.set(keyOf(picked, at), { ...picked, text, at });
    return true;
  };
  const mayFollow = (text: string) => isReadable(text, language) || leansBack(text, language);
  const mayOpen = (text: string) => isReadable(text, language);
  /** Adds one neighbour; false where a run is as long as it gets. */
  const growOnce = (run: Run): boolean => {
    if (run.to - run.from + 1 >= MAX_RUN) return false;
    const [from, to] = [run.from, run.to];
    if (add(run, to + 1, mayFollow)) run.to += 1;
    else if (add(run, from - 1, mayOpen)) run.from -= 1;
    return run.from !== from || run.to !== to;
  };
  // Each run grows by one sentence in turn, so that the first does not take all the room.
  let growing = runs;
  while (growing.length > 0) growing = growing.filter(growOnce);
  return [...grown.values()];
}
