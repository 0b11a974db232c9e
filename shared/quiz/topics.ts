import type { Flashcard } from "#shared/flashcards/schema.ts";
import { citedComponentId } from "#shared/citations.ts";

export interface QuizTopic {
  name: string;
  /** Number of cards. */
  count: number;
}

function topicOf({ section, citation }: Flashcard, sources: ReadonlyMap<string, string>): string | undefined {
  if (section !== undefined) return section;
  const cited = citedComponentId(citation);
  return cited === undefined ? undefined : sources.get(cited);
}

/** What the cards are about, most cards first: the sections they come from, or the names of their sources. */
export function listTopics(cards: readonly Flashcard[], sources: ReadonlyMap<string, string>): QuizTopic[] {
  const counts = new Map<string, number>();
  for (const card of cards) {
    const name = topicOf(card, sources);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count);
}
