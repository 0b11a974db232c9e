import { splitSentences } from "#shared/text/sentences.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { RetrievedPassage } from "./answer-builder.ts";

/** A card often joins what its source says in neighbouring sentences. */
const MAX_NEIGHBOURS = 3;
/** The share of a card's terms that its source has in neighbouring sentences. */
const MIN_SHARE = 0.6;

/** Words of a passage. */
export interface Quote {
  hit: RetrievedPassage;
  text: string;
}

const isCard = ({ source }: RetrievedPassage) => source.kind === "deck";

/** One to three neighbouring sentences of a passage, the shorter ones first. */
function listNeighbours(text: string): string[] {
  const sentences = splitSentences(text);
  return Array.from({ length: MAX_NEIGHBOURS }, (_, more) =>
    sentences.flatMap(({ start }, at) => {
      const last = sentences[at + more];
      return last ? text.slice(start, last.end) : [];
    }),
  ).flat();
}

/** Where another source among the passages says what a card says; undefined for other passages than cards. */
export function findStatement(card: RetrievedPassage, passages: readonly RetrievedPassage[]): Quote | undefined {
  if (!isCard(card)) return undefined;
  const cardTerms = [...new Set(searchTerms(card.passage.text))];
  let best: (Quote & { share: number }) | undefined;
  for (const hit of passages) {
    if (isCard(hit)) continue;
    for (const text of listNeighbours(hit.passage.text)) {
      const terms = new Set(searchTerms(text));
      const share = cardTerms.filter((term) => terms.has(term)).length / Math.max(1, cardTerms.length);
      if (share >= MIN_SHARE && share > (best?.share ?? 0)) best = { hit, text, share };
    }
  }
  return best;
}

/** Leaves out cards that say what another source among the passages says, so that a model cites that source. */
export const withoutDerivedCards = (passages: readonly RetrievedPassage[]): RetrievedPassage[] =>
  passages.filter((hit) => findStatement(hit, passages) === undefined);
