import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import type { Deps } from "#api/http/handler.ts";
import type { PassageIndex } from "#api/store/search/port.ts";
import { embedWhatIsNew } from "./meanings.ts";
import { markOf, recallSources, rememberSources } from "./known-sources.ts";
import { listSources, readSource, type Source, type SourceReader } from "./sources.ts";

/** Dependencies for reading and searching sources. */
export type Librarian = SourceReader & Pick<Deps, "index" | "models">;

/** A selection of sources; a page stands for everything on it. */
export interface SourceChoice {
  pageIds: readonly string[];
  componentIds: readonly string[];
}

export interface OpenSources {
  /** By id; only existing sources of the account. */
  sources: ReadonlyMap<string, Source>;
  /** Sources that are still being indexed: search does not cover them yet. */
  unread: Source[];
}

/** Indexing in progress, by account, source and version; concurrent calls share it. */
const running = new Map<string, Promise<void>>();

const isChosen = ({ pageId, componentId }: Source, choice: SourceChoice) =>
  choice.pageIds.includes(pageId) || choice.componentIds.includes(componentId);

/**
 * Brings the index up to date for the chosen sources and waits up to `timeoutMs`. Whatever takes longer continues in
 * the background.
 */
export async function openSources(
  librarian: Librarian,
  choice: SourceChoice | undefined,
  patienceMs: number,
): Promise<OpenSources> {
  const { own, index } = librarian;
  embedWhatIsNew(librarian);
  // Read the fingerprint before the lists, so that a change in between invalidates it.
  const mark = await markOf(own);
  const held = recallSources(own, mark);
  if (held) return { sources: choice ? chosenOf(held, choice) : held, unread: [] };
  const [all, versions] = await Promise.all([listSources(own), index.versions(own.ownerId)]);
  const known = new Set(all.map(({ id }) => id));
  const gone = [...versions.keys()].filter((id) => !known.has(id));
  if (gone.length > 0) await index.remove(own.ownerId, gone);
  const sources = new Map(all.map((source) => [source.id, source]));
  const chosen = choice ? chosenOf(sources, choice) : sources;
  const changed = [...chosen.values()].filter(({ id, version }) => versions.get(id) !== version);
  const unread = await readInTurn(librarian, changed, patienceMs);
  if (!choice && unread.length === 0) rememberSources(own, mark, sources);
  return { sources: chosen, unread };
}

const chosenOf = (sources: ReadonlyMap<string, Source>, choice: SourceChoice) =>
  new Map([...sources].filter(([, source]) => isChosen(source, choice)));

async function readInTurn(librarian: Librarian, changed: readonly Source[], patienceMs: number): Promise<Source[]> {
  if (changed.length === 0) return [];
  const late = new AbortController();
  const left = new Set(changed);
  const work = (async () => {
    for (const source of changed) {
      await readOnce(librarian, source);
      left.delete(source);
    }
  })();
  // After the timeout nobody awaits the work, so log its failure here.
  work.catch((error: unknown) => librarian.log.error({ err: error }, "sources could not be indexed"));
  await Promise.race([work, pause(patienceMs, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  return [...left];
}

function readOnce(librarian: Librarian, source: Source): Promise<void> {
  const key = `${librarian.own.ownerId} ${source.id} ${source.version}`;
  const already = running.get(key);
  if (already) return already;
  const work = readAndPut(librarian, librarian.index, source).finally(() => running.delete(key));
  running.set(key, work);
  return work;
}

async function readAndPut(librarian: Librarian, index: PassageIndex, source: Source): Promise<void> {
  const { ownerId } = librarian.own;
  const passages = await readSource(librarian, source).catch((error: unknown) => {
    // Transcripts may appear or disappear at any time, and checking again is cheap.
    if (error instanceof Failure && error.code === "no_transcript") return undefined;
    // Other client errors are permanent: index the source as empty.
    if (error instanceof Failure && error.status < 500) return [];
    throw error;
  });
  if (!passages) await index.remove(ownerId, [source.id]);
  else await index.put(ownerId, { id: source.id, version: source.version }, passages);
}
