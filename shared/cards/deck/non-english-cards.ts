import { checkCard } from "../gates/card-gates.ts";
import { BLANK, type EngineCard } from "../schema.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { type MarkedTerm, markedTerms } from "../source/terms.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const wordSegmenter = () => new Intl.Segmenter(undefined, { granularity: "word" });

function countWords(text: string, segmenter: Intl.Segmenter): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++;
  return count;
}

/** Cloze cards for the emphasised terms of a text whose grammar the engine doesn't know. */
export function* makeEmphasisBlanks(passages: readonly Passage[], most: number): Generator<EngineCard> {
  const segmenter = wordSegmenter();
  const accepted: EngineCard[] = [];
  const usedTerms = new Set<string>();
  for (const marked of markedTerms(passages)) {
    const key = marked.text.toLowerCase();
    const card = usedTerms.has(key) ? undefined : blankCard(marked, segmenter);
    if (!card || accepted.length >= most || !checkCard(card, passages, accepted).ok) continue;
    usedTerms.add(key);
    accepted.push(card);
    yield card;
  }
}

function blankCard({ text, passage, start, end }: MarkedTerm, segmenter: Intl.Segmenter): EngineCard | undefined {
  const sentence = splitSentences(passage.text, "und").find((s) => s.start <= start && s.end >= end);
  const at = sentence?.text.indexOf(text, start - sentence.start) ?? -1;
  if (!sentence || at === -1 || sentence.text.length > 400) return undefined;
  const context = sentence.text.slice(0, at) + BLANK + sentence.text.slice(at + text.length);
  const words = countWords(context, segmenter);
  if (words < 6 || words > 31 || context.includes(text)) return undefined;
  const page = passage.locator.page;
  const card = { question: context, answer: text, kind: "cloze" as const, quote: sentence.text, passageId: passage.id };
  return page === undefined ? card : { ...card, page };
}
