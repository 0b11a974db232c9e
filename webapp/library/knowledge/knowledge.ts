import type { KnowledgeSource } from "#shared/library/knowledge.ts";

export type KnowledgeFilter = "all" | "documents" | "images" | "videos";
export type KnowledgeSort = "added" | "opened" | "title" | "size";

export interface KnowledgeChoice {
  filter: KnowledgeFilter;
  sort: KnowledgeSort;
  words: string;
}

const filters: Record<KnowledgeFilter, (source: KnowledgeSource) => boolean> = {
  all: () => true,
  documents: ({ kind }) => kind === "pdf" || kind === "word" || kind === "slides",
  images: ({ kind }) => kind === "image",
  videos: ({ kind }) => kind === "video",
};

const sorts: Record<KnowledgeSort, (a: KnowledgeSource, b: KnowledgeSource) => number> = {
  added: (a, b) => b.createdAt - a.createdAt,
  opened: (a, b) => (b.openedAt ?? 0) - (a.openedAt ?? 0),
  title: (a, b) => a.title.localeCompare(b.title),
  size: (a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0),
};

/** Filters and sorts the sources. `words` must occur in the title. */
export function filterSources(sources: readonly KnowledgeSource[], choice: KnowledgeChoice): KnowledgeSource[] {
  const needle = choice.words.trim().toLocaleLowerCase();
  return sources
    .filter((source) => filters[choice.filter](source) && source.title.toLocaleLowerCase().includes(needle))
    .toSorted(sorts[choice.sort]);
}
