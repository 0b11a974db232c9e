import type { LedgerSource, SnapshotPassage } from "#shared/research/schema.ts";
import { findInSnapshot } from "#shared/research/evidence/verify.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { listSources, readSourcePassages } from "#api/library/sources.ts";
import { findResearchContent, listSnapshots, saveLedger } from "./store.ts";

type Outcome = "same" | "changed" | "gone";

/** The current passages of a source of the library; undefined if it was deleted. */
async function readLibrarySource(
  ctx: UserCtx,
  sources: Awaited<ReturnType<typeof listSources>>,
  key: string,
): Promise<{ version: string; passages: () => Promise<SnapshotPassage[]> } | undefined> {
  const source = sources.find(({ id, pageId }) => key === `library:${id}:${pageId}`);
  if (!source) return undefined;
  return {
    version: source.version,
    passages: async () =>
      (await readSourcePassages(ctx, source)).map(({ id, text }) => ({
        id,
        text,
        page: null,
        heading: null,
        startMs: null,
      })),
  };
}

/** Reads the sources of a session again. A source counts as changed once a quoted sentence no longer stands in it. */
export async function recheckSession(ctx: UserCtx, sessionId: string): Promise<LedgerSource[]> {
  const [content, snapshots, library] = await Promise.all([
    findResearchContent(ctx.own, sessionId),
    listSnapshots(ctx.own, sessionId),
    listSources(ctx.own),
  ]);
  if (!content) return [];
  const keyOf = new Map(snapshots.map(({ n, key }) => [n, key]));
  const at = ctx.clock.now();
  const sources: LedgerSource[] = [];
  for (const source of content.sources) {
    const quotes = content.citations.filter((citation) => citation.source === source.n).map(({ quote }) => quote);
    const key = keyOf.get(source.n);
    const state = key === undefined ? undefined : await recheckSource({ ctx, library, source, key, quotes });
    sources.push(state === undefined ? source : { ...source, recheck: { at, state } });
  }
  await saveLedger(ctx.own, sessionId, sources);
  return sources;
}

interface Recheck {
  ctx: UserCtx;
  library: Awaited<ReturnType<typeof listSources>>;
  source: LedgerSource;
  key: string;
  quotes: readonly string[];
}

async function recheckSource({ ctx, library, source, key, quotes }: Recheck): Promise<Outcome | undefined> {
  if (source.via !== "library") return undefined;
  const current = await readLibrarySource(ctx, library, key);
  if (!current) return "gone";
  if (current.version === source.revision) return "same";
  const passages = await current.passages();
  return quotes.every((quote) => findInSnapshot(passages, quote)) ? "same" : "changed";
}
