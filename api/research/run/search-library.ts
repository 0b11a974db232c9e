import { groupBy } from "#shared/pages/rules.ts";
import { isAnswerChoice, isItem, MAX_CHOICES_BEFORE } from "#shared/pdf/answer-choices.ts";
import type { LedgerSource } from "#shared/research/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import { searchPassages } from "#api/library/embeddings.ts";
import { findIndexedSources } from "#api/library/indexed-sources.ts";
import type { Source } from "#api/library/sources.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { Hit } from "#api/store/search/port.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { PooledPassage } from "./run-state.ts";
import { searchLinked } from "./search-linked.ts";

/** How long a run waits for sources that are still being indexed. */
const INDEX_TIMEOUT_MS = 10_000;
export const MAX_HITS = 24;

interface LibrarySearch {
  deps: Deps;
  own: Own;
  gathered: GatheredSources;
}

interface LibraryQuery {
  query: string;
  /** A question of the student, whose answer may need two passages; null for our own headings and for later rounds. */
  question: string | null;
}

const kindOf = ({ kind }: Source): LedgerSource["kind"] => (kind === "deck" ? "page" : kind);

/** Searches the student's library and adds the sources of the hits to the ledger. Decks are not sources. */
export async function searchLibrary(
  { deps, own, gathered }: LibrarySearch,
  { query, question }: LibraryQuery,
): Promise<{ pool: PooledPassage[]; sources: LedgerSource[]; found: number }> {
  const { sources } = await findIndexedSources({ ...deps, own }, undefined, INDEX_TIMEOUT_MS);
  const readable = [...sources.values()].filter(({ kind }) => kind !== "deck");
  if (readable.length === 0) return { pool: [], sources: [], found: 0 };
  const sourceIds = readable.map(({ id }) => id);
  const search = { limit: MAX_HITS, sourceIds };
  const found =
    question === null
      ? await searchPassages({ ...deps, own }, { ...search, text: query })
      : await searchLinked({ ...deps, own }, { ...search, text: question });
  const hits = await withoutChoices({ ...deps, own }, found);
  const around = question === null ? [] : await withoutChoices({ ...deps, own }, await readSections(deps, own, hits));
  const bySource = groupBy(
    [...hits, ...around].filter(({ passage }) => passage.kind !== "heading"),
    ({ sourceId }) => sourceId,
  );
  const best = Math.max(...hits.map(({ score }) => score), Number.EPSILON);
  const pool: PooledPassage[] = [];
  const added: LedgerSource[] = [];
  for (const [sourceId, hitsOfSource] of bySource) {
    const source = sources.get(sourceId);
    if (!source) continue;
    const entry = await addLibrarySource(gathered, source, hitsOfSource, deps.clock.now());
    added.push(entry);
    pool.push(
      ...hitsOfSource.map(({ passage, score }) => ({ source: entry.n, passageId: idOf(passage), score: score / best })),
    );
  }
  return { pool, sources: added, found: hits.length };
}

/** How many of the best results are read with their sections, and how many passages before and after them. */
export const MAX_READ_SECTIONS = 8;
const PASSAGES_BEFORE = 6;
const PASSAGES_AFTER = 10;

/** The passages of a range that are in the section of one of them, which has no heading after a page break. */
function listSection(passages: readonly Hit["passage"][], at: number): readonly Hit["passage"][] {
  const headings = passages.map(({ locator }) => locator.heading);
  const heading = headings[at] ?? headings.slice(0, at).findLast((one) => one !== undefined);
  if (heading === undefined) return [];
  const isOther = (one: string | undefined) => one !== undefined && one !== heading;
  const end = headings.findIndex((one, n) => n > at && isOther(one));
  return passages.slice(headings.slice(0, at).findLastIndex(isOther) + 1, end === -1 ? passages.length : end);
}

const keyOf = ({ sourceId, position }: Hit) => `${sourceId} ${position}`;

/** The other passages of the sections that contain the best results. */
async function readSections({ index }: Pick<Deps, "index">, own: Own, hits: readonly Hit[]): Promise<Hit[]> {
  const known = new Set(hits.map(keyOf));
  const added: Hit[] = [];
  for (const { sourceId, position } of hits.slice(0, MAX_READ_SECTIONS)) {
    const from = Math.max(0, position - PASSAGES_BEFORE);
    const passages = await index.read(own.ownerId, sourceId, { from, limit: position - from + PASSAGES_AFTER });
    for (const passage of listSection(passages, position - from)) {
      const hit = { sourceId, passage, position: from + passages.indexOf(passage), score: 0 };
      if (known.has(keyOf(hit))) continue;
      known.add(keyOf(hit));
      added.push(hit);
    }
  }
  return added;
}

/** The results without the answers of exercises, most of which are false. */
async function withoutChoices(
  { index, own }: Pick<Deps, "index"> & { own: Own },
  hits: readonly Hit[],
): Promise<Hit[]> {
  const isChoice = await Promise.all(
    hits.map(async ({ sourceId, passage, position }) => {
      if (!isItem(passage) || position === 0) return false;
      const from = Math.max(0, position - MAX_CHOICES_BEFORE);
      return isAnswerChoice(passage, await index.read(own.ownerId, sourceId, { from, limit: position - from }));
    }),
  );
  return hits.filter((_, at) => isChoice[at] !== true);
}

/** Passage ids are unique within a component only. */
const idOf = ({ componentId, id }: Hit["passage"]) => `${componentId}/${id}`;

function addLibrarySource(
  gathered: GatheredSources,
  source: Source,
  hits: readonly Hit[],
  now: number,
): Promise<LedgerSource> {
  return gathered.add({
    key: `library:${source.id}:${source.pageId}`,
    ledger: {
      title: source.title,
      url: null,
      host: "",
      via: "library",
      kind: kindOf(source),
      status: "read",
      problem: null,
      fetchedAt: now,
      revision: source.version,
      licence: null,
      authors: [],
      year: null,
      container: null,
      doi: null,
      isRetracted: false,
      recheck: null,
    },
    passages: hits.map(({ passage, position }) => ({
      id: idOf(passage),
      text: passage.text,
      page: passage.locator.page ?? null,
      heading: passage.locator.heading ?? null,
      startMs: passage.locator.startMs ?? null,
      position,
    })),
  });
}
