import { parseCitation } from "#shared/citations.ts";
import { type KnowledgeSource, sourceKindOfFile, type Spoken } from "#shared/library/knowledge.ts";
import type { Component } from "#shared/pages/schema.ts";
import { englishReason } from "#shared/messages/translate.ts";
import { transcriptReason } from "#shared/video/refusals.ts";
import { listFiles } from "#api/blobs/file-records.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned.ts";
import { listDecks, listFileComponents, listTexts } from "#api/pages/service.ts";
import { countAnnotations } from "#api/pdf/service.ts";
import { transcriptRefusals, transcriptRevisions, videosBeingHeard } from "#api/video/service.ts";

type MadeDeck = KnowledgeSource["decks"][number];

/** Lists all uploaded and linked sources of the account, newest first, with what was made from each. */
export async function listKnowledge(ctx: UserCtx): Promise<KnowledgeSource[]> {
  const { own } = ctx;
  const [placed, files, decks, marked, spokenOf] = await Promise.all([
    listFileComponents(own),
    listFiles(own),
    listDecks(own),
    countAnnotations(own),
    readSpoken(ctx),
  ]);
  const sizes = new Map(files.map(({ _id, sizeBytes }) => [_id, sizeBytes]));
  const made = decksBySource(decks);
  const noted = await countNotes(own, placed);
  const cut = countCut(placed);
  const countsOf = (id: string) => {
    const { marks, notes } = marked.get(id) ?? { marks: 0, notes: 0 };
    return { highlights: marks, notes: notes + (noted.get(id) ?? 0), pictures: cut.get(id) ?? 0 };
  };
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
        spoken: type === "video" ? spokenOf(componentId) : null,
        createdAt,
        openedAt: lastOpenedAt,
        decks: made.get(componentId) ?? [],
        ...countsOf(componentId),
      };
    })
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Transcript state of each video. */
async function readSpoken(ctx: UserCtx): Promise<(componentId: string) => Spoken> {
  const [kept, refused, heard] = await Promise.all([
    transcriptRevisions(ctx.own),
    transcriptRefusals(ctx.own, ctx.clock.now()),
    videosBeingHeard(ctx),
  ]);
  return (componentId) => {
    if (heard.has(componentId)) return { state: "hearing", message: null };
    if (kept.has(componentId)) return { state: "ready", message: null };
    const reason = refused.get(componentId);
    if (reason === undefined) return { state: "none", message: null };
    const key = transcriptReason(reason);
    return { state: "refused", message: englishReason(key), reason: key };
  };
}

type Placed = Awaited<ReturnType<typeof listFileComponents>>;

/** Counts video notes: texts on a video's page that begin with a link to a time in it. */
async function countNotes(own: Own, placed: Placed): Promise<Map<string, number>> {
  const pages = new Set(placed.filter(({ component }) => component.type === "video").map(pageOf));
  const counts = new Map<string, number>();
  for (const { text } of await listTexts(own, [...pages])) {
    const target = text[0]?.reference?.kind === "link" ? text[0].reference.target : "";
    const [, videoId] = /^\/video\/([^/?]+)\?t=\d/u.exec(target) ?? [];
    if (videoId !== undefined) counts.set(videoId, (counts.get(videoId) ?? 0) + 1);
  }
  return counts;
}

const pageOf = ({ component }: Placed[number]) => component.pageId;

function countCut(placed: Placed): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { component } of placed) {
    const source = component.content.takenFrom && sourceOf(component.content.takenFrom.citation);
    if (source !== undefined) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return counts;
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
