import type { SearchHit } from "#shared/library/contract.ts";
import type { CanvasSection } from "#shared/research/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { canvasIndexOf } from "#api/store/search/canvas-index.ts";
import type { IndexedPassage } from "#api/store/search/port.ts";
import { findResearchContent, listResearchSessions, type ResearchSessionDoc } from "./store.ts";

/** Sessions indexed by one search; the next search indexes further sessions. */
const MAX_INDEXED_AT_ONCE = 100;

/** Changes when a run has ended or a title has changed; a running session is indexed once it ends. */
const versionOf = ({ run, conversation_title: title }: ResearchSessionDoc) =>
  JSON.stringify([run.id, run.status, run.seq, title]);

const toPassage = (sessionId: string, id: string, text: string): IndexedPassage => ({
  id,
  componentId: sessionId,
  text,
  kind: "paragraph",
  locator: {},
});

/** A passage for each paragraph of the result, and for each side of a disagreement. */
function passagesOfSections(sessionId: string, sections: readonly CanvasSection[]): IndexedPassage[] {
  const texts = sections.flatMap(({ paragraphs, disagreements }) => [
    ...paragraphs.map((sentences) => sentences.map(({ text }) => text).join(" ")),
    ...disagreements.flatMap(({ sides }) => sides.map(({ text }) => text)),
  ]);
  return texts.map((text, index) => toPassage(sessionId, `s${index}`, text));
}

async function readPassages(own: Own, { sessionId, conversation_title: title }: ResearchSessionDoc) {
  const content = await findResearchContent(own, sessionId);
  const notes = content?.notes.trim() ?? "";
  return [
    ...(title === "" ? [] : [toPassage(sessionId, "title", title)]),
    ...passagesOfSections(sessionId, content?.sections ?? []),
    ...Object.entries(content?.edits ?? {}).map(([id, { text }]) =>
      toPassage(sessionId, `edit.${id}`, text.slice(0, 4000)),
    ),
    ...(notes === "" ? [] : [toPassage(sessionId, "notes", notes.slice(0, 4000))]),
  ];
}

/** Updates the index with the sessions that have changed. */
async function updateIndex({ own, index }: UserCtx, sessions: readonly ResearchSessionDoc[]): Promise<void> {
  const name = canvasIndexOf(own.ownerId);
  const versions = await index.versions(name);
  const live = new Set(sessions.map(({ sessionId }) => sessionId));
  const removedIds = [...versions.keys()].filter((id) => !live.has(id));
  if (removedIds.length > 0) await index.remove(name, removedIds);
  const changed = sessions.filter(
    (session) => session.run.status !== "running" && versions.get(session.sessionId) !== versionOf(session),
  );
  for (const session of changed.slice(0, MAX_INDEXED_AT_ONCE))
    await index.put(name, { id: session.sessionId, version: versionOf(session) }, await readPassages(own, session));
}

/** Removes a session from the index, so that the next search indexes it again. */
export const forgetIndexed = ({ own, index }: Pick<UserCtx, "own" | "index">, sessionId: string) =>
  index.remove(canvasIndexOf(own.ownerId), [sessionId]);

interface CanvasSearch {
  words: string;
  /** The session's id, and when it was last opened, epoch ms. */
  matches: (sessionId: string, changedAt: number) => boolean;
  limit: number;
}

/** The passages of results that match a query, each session at most once, best first. */
export async function searchCanvases(ctx: UserCtx, { words, matches, limit }: CanvasSearch): Promise<SearchHit[]> {
  const sessions = await listResearchSessions(ctx.own, false);
  if (sessions.length === 0) return [];
  await updateIndex(ctx, sessions);
  const matching = sessions.filter(({ sessionId, last_opened: openedAt }) => matches(sessionId, openedAt));
  const titles = new Map(matching.map(({ sessionId, conversation_title: title }) => [sessionId, title]));
  const name = canvasIndexOf(ctx.own.ownerId);
  const hits = await ctx.index.search(name, { text: words, limit: limit * 10, isTyped: true });
  const found = new Map<string, SearchHit>();
  for (const { sourceId, passage } of hits) {
    const title = titles.get(sourceId);
    if (title === undefined || found.has(sourceId)) continue;
    const { text } = passage;
    found.set(sourceId, { kind: "research", sourceId, title, pageId: "", componentId: "", text, citation: "" });
  }
  return [...found.values()].slice(0, limit);
}
