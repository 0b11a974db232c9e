import { parseCitation } from "#shared/citations.ts";
import { type KnowledgeSource, sourceKindOfFile, type TranscriptState } from "#shared/library/knowledge.ts";
import type { Component } from "#shared/pages/schema.ts";
import { englishReason } from "#shared/messages/translate.ts";
import { transcriptReason } from "#shared/video/no-transcript-messages.ts";
import { listFiles } from "#api/blobs/file-records.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { listDecks, listFileComponents, listTexts } from "#api/pages/sources.ts";
import { countAnnotations } from "#api/pdf/annotations.ts";
import { readTranscriptRefusals, readTranscriptRevisions } from "#api/video/store.ts";
import { listVideosInTranscription } from "#api/video/speech-job.ts";

type SourceDeck = KnowledgeSource["decks"][number];

/** All files and videos of the account, newest first, each with its counts and the decks made from it. */
export async function describeSources(ctx: UserCtx): Promise<KnowledgeSource[]> {
  const { own } = ctx;
  const [fileComponents, files, decks, annotationCounts, transcriptStateOf] = await Promise.all([
    listFileComponents(own),
    listFiles(own),
    listDecks(own),
    countAnnotations(own),
    readTranscriptStates(ctx),
  ]);
  const sizes = new Map(files.map(({ _id, sizeBytes }) => [_id, sizeBytes]));
  const decksBySource = groupBySource(decks);
  const noteCounts = await countNotes(own, fileComponents);
  const clippingCounts = countClippings(fileComponents);
  const countsOf = (id: string) => {
    const { annotationCount, noteCount } = annotationCounts.get(id) ?? { annotationCount: 0, noteCount: 0 };
    return {
      highlights: annotationCount,
      notes: noteCount + (noteCounts.get(id) ?? 0),
      pictures: clippingCounts.get(id) ?? 0,
    };
  };
  return fileComponents
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
        spoken: type === "video" ? transcriptStateOf(componentId) : null,
        createdAt,
        openedAt: lastOpenedAt,
        decks: decksBySource.get(componentId) ?? [],
        ...countsOf(componentId),
      };
    })
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Reads the transcript state of every video. */
async function readTranscriptStates(ctx: UserCtx): Promise<(componentId: string) => TranscriptState> {
  const [transcripts, refused, inProgress] = await Promise.all([
    readTranscriptRevisions(ctx.own),
    readTranscriptRefusals(ctx.own, ctx.clock.now()),
    listVideosInTranscription(ctx),
  ]);
  return (componentId) => {
    if (inProgress.has(componentId)) return { state: "transcribing", message: null };
    if (transcripts.has(componentId)) return { state: "ready", message: null };
    const reason = refused.get(componentId);
    if (reason === undefined) return { state: "none", message: null };
    const key = transcriptReason(reason);
    return { state: "refused", message: englishReason(key), reason: key };
  };
}

type FileComponents = Awaited<ReturnType<typeof listFileComponents>>;

/** Counts video notes: texts on a video's page that begin with a link to a time in it. */
async function countNotes(own: Own, fileComponents: FileComponents): Promise<Map<string, number>> {
  const pages = new Set(fileComponents.filter(({ component }) => component.type === "video").map(pageOf));
  const counts = new Map<string, number>();
  for (const { text } of await listTexts(own, [...pages])) {
    const target = text[0]?.reference?.kind === "link" ? text[0].reference.target : "";
    const [, videoId] = /^\/video\/([^/?]+)\?t=\d/u.exec(target) ?? [];
    if (videoId !== undefined) counts.set(videoId, (counts.get(videoId) ?? 0) + 1);
  }
  return counts;
}

const pageOf = ({ component }: FileComponents[number]) => component.pageId;

function countClippings(fileComponents: FileComponents): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { component } of fileComponents) {
    const source = component.content.takenFrom && citedComponentId(component.content.takenFrom.citation);
    if (source !== undefined) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return counts;
}

function groupBySource(decks: readonly Component[]): Map<string, SourceDeck[]> {
  const decksBySource = new Map<string, SourceDeck[]>();
  for (const deck of decks) {
    if (deck.type !== "flash_cards") continue;
    const counts = new Map<string, number>();
    for (const { citation } of deck.content.cards) {
      const source = citation === null ? undefined : citedComponentId(citation);
      if (source !== undefined) counts.set(source, (counts.get(source) ?? 0) + 1);
    }
    const { _id: componentId, pageId } = deck;
    for (const [source, cards] of counts)
      decksBySource.set(source, [
        ...(decksBySource.get(source) ?? []),
        { componentId, pageId, title: deck.content.title, cards },
      ]);
  }
  return decksBySource;
}

function citedComponentId(citation: string): string | undefined {
  const parsed = parseCitation(citation);
  return parsed?.type === "pdf_citation" || parsed?.type === "video_citation" ? parsed.componentId : undefined;
}
