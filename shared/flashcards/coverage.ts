import type { CoverageEntry } from "#shared/engine/schema.ts";
import type { DeckSource } from "./schema.ts";

export interface CoverageOfGeneration {
  createdAt: number;
  sources: DeckSource[];
  entries: CoverageEntry[];
}

/** One line of a deck's map. */
export interface CoverageLine {
  kind: CoverageEntry["kind"];
  label: string;
  page: number | null;
  /** Which of several sources it stands in; null where there is one, or none is known. */
  source: string | null;
  cardCount: number;
  /** Why there is no card; null where there is one. */
  skipped: CoverageEntry["skipped"];
  /** Where more of it can be asked from. */
  sources: DeckSource[];
}

interface Gathered {
  first: CoverageEntry;
  source: string | null;
  sources: DeckSource[];
  ids: Set<string>;
}

const keyOf = ({ kind, label }: CoverageEntry) => `${kind}:${label.toLowerCase()}`;

/** Passages of several sources are numbered within theirs: "2/17". A text is called by its first words, which the line says. */
function sourceOf({ passageId }: CoverageEntry, sources: readonly DeckSource[]): string | null {
  if (sources.length < 2 || passageId === undefined) return null;
  const source = sources[Number(passageId.split("/")[0])];
  return source && source.kind !== "text" ? source.name : null;
}

/** The map of a deck from all its generations: what one of them asked is asked, whatever another skipped. */
export function mergeCoverage(generations: readonly CoverageOfGeneration[]): CoverageLine[] {
  const gathered = new Map<string, Gathered>();
  for (const { sources, entries } of generations.toSorted((a, b) => a.createdAt - b.createdAt))
    for (const entry of entries) {
      const held = gathered.get(keyOf(entry)) ?? {
        first: entry,
        source: sourceOf(entry, sources),
        ids: new Set<string>(),
        sources,
      };
      for (const id of entry.cardIds) held.ids.add(id);
      gathered.set(keyOf(entry), { ...held, sources });
    }
  return [...gathered.values()].map(({ first, source, ids, sources }) => {
    const { kind, label, page, skipped } = first;
    const why = ids.size > 0 ? null : (skipped ?? "left_out");
    return { kind, label, page, source, sources, cardCount: ids.size, skipped: why };
  });
}

/** Whether more can be asked of these sources without the student giving them again. */
export const canAskAgain = (sources: readonly DeckSource[]) =>
  sources.some(({ kind, componentId }) => componentId !== null && (kind === "pdf" || kind === "video"));
