import { splitSentences } from "#shared/text/sentences.ts";
import type { EvidenceSentence } from "./candidates.ts";
import { isReadable, dependsOnPrevious } from "./readable-sentences.ts";

interface Growth {
  language: "en" | "de";
  /** Sentences that are already on the canvas. */
  used: ReadonlySet<string>;
  /** Maximum number of sentences, including the given ones. */
  most: number;
}

/** Maximum number of neighbouring sentences that are quoted together. */
const MAX_RUN = 5;

const keyOf = ({ source, passageId }: EvidenceSentence, at: number) => `${source} ${passageId} ${at}`;

interface Run {
  from: number;
  to: number;
  picked: EvidenceSentence;
}

/**
 * Extends sentences by their neighbours in the passage: first by following, then by preceding ones. A mechanism rarely
 * fits in one sentence, and a sentence that begins with "Finally" needs the ones before it.
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
  /** Adds the sentence at an index; false if the run ends there. */
  const add = ({ picked }: Run, at: number, fits: (text: string) => boolean): boolean => {
    if (grown.has(keyOf(picked, at))) return true;
    const text = texts.get(picked)?.[at];
    if (grown.size >= most || text === undefined || used.has(text) || !fits(text)) return false;
    grown.set(keyOf(picked, at), { ...picked, text, at });
    return true;
  };
  const mayFollow = (text: string) => isReadable(text, language) || dependsOnPrevious(text, language);
  const mayOpen = (text: string) => isReadable(text, language);
  /** Adds one neighbour; false if the run cannot grow. */
  const growOnce = (run: Run): boolean => {
    if (run.to - run.from + 1 >= MAX_RUN) return false;
    const [from, to] = [run.from, run.to];
    if (add(run, to + 1, mayFollow)) run.to += 1;
    else if (add(run, from - 1, mayOpen)) run.from -= 1;
    return run.from !== from || run.to !== to;
  };
  // The runs grow by one sentence at a time, so that the first run does not use up the limit.
  let growing = runs;
  while (growing.length > 0) growing = growing.filter(growOnce);
  return [...grown.values()];
}
