import type { UserCtx } from "#api/http/handler.ts";
import type { IndexedPassage } from "#api/store/search/port.ts";
import { findIndexedSources } from "./indexed-sources.ts";

/** A page that takes longer to index is found by a later search. */
const INDEX_TIMEOUT_MS = 1000;

/** The best passages for a text among the student's own pages. */
export async function searchOwnPages(ctx: UserCtx, text: string, limit: number): Promise<IndexedPassage[]> {
  const { sources } = await findIndexedSources(ctx, undefined, INDEX_TIMEOUT_MS);
  const sourceIds = [...sources.values()].filter(({ kind }) => kind === "page").map(({ id }) => id);
  if (sourceIds.length === 0) return [];
  const hits = await ctx.index.search(ctx.own.ownerId, { text, limit, sourceIds });
  return hits.map(({ passage }) => passage);
}
