import { Failure } from "#shared/contract/failure.ts";
import type { LedgerSource, SnapshotPassage } from "#shared/research/schema.ts";
import { findInSnapshot } from "#shared/research/evidence/verify.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { Semaphore } from "#api/semaphore.ts";
import { listSources, readSourcePassages } from "#api/library/sources.ts";
import { SearchError } from "./search/port.ts";
import { searchServicesOf } from "./search/sources.ts";
import { type ContentDoc, findResearchContent, findResearchSession, listSnapshots, saveRecheck } from "./store.ts";

type Outcome = NonNullable<LedgerSource["recheck"]>["state"];

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

/** Slow services must not delay the answer for longer. */
const RECHECK_TIMEOUT_MS = 45_000;
/** Sources read at the same time. */
const CONCURRENT = 3;

interface Recheck {
  ctx: UserCtx;
  library: Awaited<ReturnType<typeof listSources>>;
  keys: ReadonlyMap<number, string>;
  content: ContentDoc;
  signal: AbortSignal;
}

/** Reads the sources of a session again. A source counts as changed if it no longer contains every quoted sentence. */
export async function recheckSession(ctx: UserCtx, sessionId: string): Promise<LedgerSource[]> {
  const [content, snapshots, library] = await Promise.all([
    findResearchContent(ctx.own, sessionId),
    listSnapshots(ctx.own, sessionId),
    listSources(ctx.own),
  ]);
  if (!content) return [];
  await requireIdle(ctx.own, sessionId);
  const keys = new Map(snapshots.map(({ n, key }) => [n, key]));
  const recheck: Recheck = { ctx, library, keys, content, signal: AbortSignal.timeout(RECHECK_TIMEOUT_MS) };
  const slots = new Semaphore(CONCURRENT);
  const checkedAt = ctx.clock.now();
  const results = new Map<number, LedgerSource["recheck"]>();
  await Promise.all(
    content.sources.map(async (source) => {
      const state = await slots.run(() => recheckSource(recheck, source), ctx.signal);
      if (state !== undefined) results.set(source.n, { at: checkedAt, state });
    }),
  );
  // A run that began meanwhile stores its own list of sources with each step.
  await requireIdle(ctx.own, sessionId);
  return saveRecheck(ctx.own, sessionId, results);
}

async function requireIdle(own: Own, sessionId: string): Promise<void> {
  const session = await findResearchSession(own, sessionId);
  if (session?.run.status === "running") throw new Failure("too_many_requests", "research_running");
}

/** Undefined for a source that was never read. */
async function recheckSource(recheck: Recheck, source: LedgerSource): Promise<Outcome | undefined> {
  const { ctx, library, keys, content, signal } = recheck;
  const key = keys.get(source.n);
  if (key === undefined) return undefined;
  const quotes = content.citations.filter((citation) => citation.source === source.n).map(({ quote }) => quote);
  if (source.via === "library") {
    const current = await readLibrarySource(ctx, library, key);
    if (!current) return "gone";
    return current.version === source.revision ? "same" : compareQuotes(quotes, await current.passages());
  }
  try {
    const passages = await searchServicesOf(ctx).reread(source, { language: content.language, signal });
    return passages ? compareQuotes(quotes, passages) : "gone";
  } catch (error) {
    if (error instanceof SearchError) return "unreachable";
    throw error;
  }
}

const compareQuotes = (quotes: readonly string[], passages: readonly SnapshotPassage[]): Outcome =>
  quotes.every((quote) => findInSnapshot(passages, quote)) ? "same" : "changed";
