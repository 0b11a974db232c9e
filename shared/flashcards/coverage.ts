import type { CoverageEntry } from "#shared/cards/schema.ts";
import type { DeckSource } from "./schema.ts";

export interface GenerationCoverage {
  createdAt: number;
  sources: DeckSource[];
  entries: CoverageEntry[];
}

/** One line of a deck's coverage. */
export interface CoverageLine {
  kind: CoverageEntry["kind"];
  label: string;
  page: number | null;
  /** The source it is in, if there are several; otherwise null. */
  source: string | null;
  cardCount: number;
  /** Why it has no card; null if it has one. */
  skipped: CoverageEntry["skipped"];
  /** Sources from which more cards can be made. */
  sources: DeckSource[];
}

interface MergedEntry {
  first: CoverageEntry;
  source: string | null;
  sources: DeckSource[];
  ids: Set<string>;
}

const keyOf = ({ kind, label }: CoverageEntry) => `${kind}:${label.toLowerCase()}`;

/** Passages of several sources are numbered per source: "2/17". A text source has no name of its own. */
function sourceOf({ passageId }: CoverageEntry, sources: readonly DeckSource[]): string | null {
  if (sources.length < 2 || passageId === undefined) return null;
  const source = sources[Number(passageId.split("/")[0])];
  return source && source.kind !== "text" ? source.name : null;
}

/** A deck's coverage from all its generations: what has a card in one of them is covered. */
export function mergeCoverage(generations: readonly GenerationCoverage[]): CoverageLine[] {
  const merged = new Map<string, MergedEntry>();
  for (const { sources, entries } of generations.toSorted((a, b) => a.createdAt - b.createdAt))
    for (const entry of entries) {
      const previous = merged.get(keyOf(entry)) ?? {
        first: entry,
        source: sourceOf(entry, sources),
        ids: new Set<string>(),
        sources,
      };
      for (const id of entry.cardIds) previous.ids.add(id);
      merged.set(keyOf(entry), { ...previous, sources });
    }
  return [...merged.values()].map(({ first, source, ids, sources }) => {
    const { kind, label, page, skipped } = first;
    const skippedReason = ids.size > 0 ? null : (skipped ?? "left_out");
    return { kind, label, page, source, sources, cardCount: ids.size, skipped: skippedReason };
  });
}

/** Whether more cards can be made from these sources without adding them again. */
export const canGenerateAgain = (sources: readonly DeckSource[]) =>
  sources.some(({ kind, componentId }) => componentId !== null && (kind === "pdf" || kind === "video"));
