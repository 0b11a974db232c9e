import { splitSentences } from "#shared/text/sentences.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { RetrievedPassage } from "./answer-builder.ts";

/** A card often joins what its source says in neighbouring sentences. */
const NEIGHBOURS = 3;
/** The share of a card's terms that its source has in neighbouring sentences. */
const MIN_SHARE = 0.6;

/** The terms of every three neighbouring sentences. */
function termsOfNeighbours(text: string): ReadonlySet<string>[] {
  const sentences = splitSentences(text).map((sentence) => searchTerms(sentence.text));
  const count = Math.max(1, sentences.length - NEIGHBOURS + 1);
  return Array.from({ length: count }, (_, at) => new Set(sentences.slice(at, at + NEIGHBOURS).flat()));
}

const isCard = ({ source }: RetrievedPassage) => source.kind === "deck";

/** Leaves out cards that say what another source among the passages says, so that an answer cites that source. */
export function withoutDerivedCards(passages: readonly RetrievedPassage[]): RetrievedPassage[] {
  if (!passages.some(isCard)) return [...passages];
  const stated = passages.filter((hit) => !isCard(hit)).flatMap(({ passage }) => termsOfNeighbours(passage.text));
  const isStated = (card: RetrievedPassage) => {
    const terms = [...new Set(searchTerms(card.passage.text))];
    return stated.some((other) => terms.filter((term) => other.has(term)).length >= terms.length * MIN_SHARE);
  };
  return passages.filter((hit) => !isCard(hit) || !isStated(hit));
}
