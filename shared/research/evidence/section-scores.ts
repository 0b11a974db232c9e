import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { EvidencePassage } from "./candidates.ts";
import { isLightTerm } from "./light-terms.ts";

/** How soon further mentions of a word count little; the usual value of BM25. */
const SATURATION = 1.2;
/** A word of the heading counts like this many mentions. */
const HEADING_MENTIONS = 3;

type InSection = Pick<EvidencePassage, "source" | "context">;

const sectionOf = ({ source, context }: InSection) => `${source} ${context}`;

/** How often each section names its words: the passages of a source below one heading. */
function countMentions(passages: readonly EvidencePassage[]): Map<string, Map<string, number>> {
  const sections = new Map<string, Map<string, number>>();
  const add = (counts: Map<string, number>, text: string, mentions: number) => {
    for (const term of searchTerms(text)) counts.set(term, (counts.get(term) ?? 0) + mentions);
  };
  for (const passage of passages) {
    const key = sectionOf(passage);
    const known = sections.get(key);
    const counts = known ?? new Map<string, number>();
    if (!known) add(counts, passage.context, HEADING_MENTIONS);
    add(counts, passage.text, 1);
    sections.set(key, counts);
  }
  return sections;
}

/**
 * How much the section around a passage is about a question, from 0 to 1 for the best one: a section that is about a thing
 * names it often, and in its heading, where others only mention it. Its length does not count against it.
 */
export function scoreSections(query: string, passages: readonly EvidencePassage[]): (passage: InSection) => number {
  const terms = [...new Set(searchTerms(contentQuery(query)))].filter((term) => !isLightTerm(term));
  const sections = countMentions(passages);
  const rarity = new Map(
    terms.map((term) => {
      const holding = [...sections.values()].filter((counts) => counts.has(term)).length;
      return [term, Math.log(1 + (sections.size - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const scores = new Map(
    [...sections].map(([key, counts]) => {
      const parts = terms.map((term) => {
        const count = counts.get(term) ?? 0;
        return ((rarity.get(term) ?? 0) * count) / (count + SATURATION);
      });
      return [key, parts.reduce((sum, part) => sum + part, 0)];
    }),
  );
  const best = Math.max(Number.EPSILON, ...scores.values());
  return (passage) => (scores.get(sectionOf(passage)) ?? 0) / best;
}
