import { parseCitation } from "#shared/citations.ts";
import { type KnowledgeSource, sourceKindOfFile } from "#shared/library/knowledge.ts";
import type { Component } from "#shared/pages/schema.ts";
import { listFiles } from "#api/kit/blobs/file-records.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { listDecks, listFileComponents } from "#api/pages/service.ts";
import { countAnnotations } from "#api/pdf/service.ts";
import { transcriptRevisions } from "#api/video/service.ts";

type MadeDeck = KnowledgeSource["decks"][number];

/** Everything of the account that was uploaded or linked, the newest first, with what was made from each. */
export async function listKnowledge(own: Own): Promise<KnowledgeSource[]> {
  const [placed, files, decks, highlights, transcripts] = await Promise.all([
    listFileComponents(own),
    listFiles(own),
    listDecks(own),
    countAnnotations(own),
    transcriptRevisions(own),
  ]);
  const sizes = new Map(files.map(({ _id, sizeBytes }) => [_id, sizeBytes]));
  const made = decksBySource(decks);
  return placed
    .map(({ component, pageTitle }) => {
      const { _id: componentId, pageId, type, content, createdAt, lastOpenedAt } = component;
      return {
        componentId,
        pageId,
        pageTitle,
        title: content.title || content.file.name,
        kind: type === "video" ? ("video" as const) : sourceKindOfFile(content.file.id),
        sizeBytes: sizes.get(content.file.id) ?? null,
        durationMs: content.durationMs ?? null,
        hasTranscript: type === "video" ? transcripts.has(componentId) : null,
        createdAt,
        openedAt: lastOpenedAt,
        decks: made.get(componentId) ?? [],
        highlights: highlights.get(componentId) ?? 0,
      };
    })
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

function decksBySource(decks: readonly Component[]): Map<string, MadeDeck[]> {
  const made = new Map<string, MadeDeck[]>();
  for (const deck of decks) {
    if (deck.type !== "flash_cards") continue;
    const counts = new Map<string, number>();
    for (const { citation } of deck.content.cards) {
      const source = citation === null ? undefined : sourceOf(citation);
      if (source !== undefined) counts.set(source, (counts.get(source) ?? 0) + 1);
    }
    const { _id: componentId, pageId } = deck;
    for (const [source, cards] of counts)
      made.set(source, [...(made.get(source) ?? []), { componentId, pageId, title: deck.content.title, cards }]);
  }
  return made;
}

function sourceOf(citation: string): string | undefined {
  const parsed = parseCitation(citation);
  return parsed?.type === "pdf_citation" || parsed?.type === "video_citation" ? parsed.componentId : undefined;
}
