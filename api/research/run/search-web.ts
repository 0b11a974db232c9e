import type { LedgerSource, ResearchTool, SearchSource, SnapshotPassage } from "#shared/research/schema.ts";
import { depthLimits, maySearch } from "#shared/research/rules.ts";
import { searchWords } from "#shared/research/plan/decompose.ts";
import { researchWording } from "#shared/research/wording.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { SearchFailed, type SearchHit } from "../search/port.ts";
import { passagesOfText } from "../search/read-page.ts";
import { searchServicesOf } from "../search/sources.ts";
import { addToPool, type Gathering } from "./gathering.ts";

/** Services that send whole texts are asked for fewer results. */
const MAX_TEXT_HITS = 6;
/** Their results are pages, which have to be opened one by one. */
const PAGE_SERVICES: ReadonlySet<SearchSource> = new Set(["web", "kiwix"]);
/** A passage joins the pool if it shares this much of the query's terms. */
const MIN_SHARE = 0.34;
const MAX_POOLED = 24;

/** The host of an address, without what is common to many. */
const hostOf = (url: string) => (URL.parse(url)?.hostname ?? "").replace(/^www\./, "");

/** The address without its fragment, so that a page is read once. */
function normalizeUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.hash = "";
  return parsed.href;
}

/**
 * The words that a service is asked for. A search engine for the web also gets what kind of text is wanted; the others
 * require every word.
 */
function describeSearch({ draft, task, learned }: Gathering, name: SearchSource): string {
  const kind = name === "web" && task.topic !== null ? researchWording[draft.language].searchWords[task.topic] : "";
  return [searchWords(task.query), kind, ...learned].join(" ").trim();
}

/** Searches one service for a task, opens its best results, and adds their passages to the pool. */
export async function searchService(gathering: Gathering, name: SearchSource): Promise<void> {
  const { deps, draft, task, signal } = gathering;
  const { run } = draft.state;
  if (draft.state.queries >= depthLimits[run.depth].queries * run.lookIn.length) return;
  const query = describeSearch(gathering, name);
  const tool: ResearchTool = {
    id: `${run.id}.${task.id}.${draft.state.round}.${name}`,
    task_id: task.id,
    name: "search",
    args: { query, source: name },
    status: "running",
    summary: `searching ${name}`,
    found: 0,
    problem: null,
    sources: [],
    started_at: deps.clock.now(),
    ended_at: null,
  };
  draft.putTool(tool);
  await gathering.announce();
  draft.state.queries += 1;
  const end = (change: Partial<ResearchTool>, sources: readonly LedgerSource[] = []) =>
    draft.putTool({ ...tool, status: "done", ended_at: deps.clock.now(), ...change }, sources);
  try {
    const hits = await searchServicesOf(deps).search(name, query, {
      language: draft.language,
      limit: PAGE_SERVICES.has(name) ? depthLimits[run.depth].hits : MAX_TEXT_HITS,
      signal,
    });
    end({ found: hits.length, summary: `${hits.length} results` });
    await openHits(gathering, name, { hits, query });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SearchFailed)) throw error;
    end({ status: "failed", problem: error.problem, summary: `no answer: ${error.problem}` });
  }
}

async function openHits(
  gathering: Gathering,
  name: SearchSource,
  { hits, query }: { hits: readonly SearchHit[]; query: string },
): Promise<void> {
  const { draft, deps } = gathering;
  let opened = 0;
  for (const hit of hits) {
    const url = normalizeUrl(hit.url);
    // Without text and without an abstract there is nothing to quote.
    if (url === undefined || (hit.text === "" && hit.isAbstract === true)) continue;
    const known = gathering.gathered.numberOf(url);
    if (known !== undefined) {
      pool(gathering, known, { passages: await gathering.gathered.snapshot(known), query });
      continue;
    }
    if (opened >= depthLimits[draft.state.run.depth].opened || !maySearch(draft.state.run, deps.clock.now())) continue;
    opened += 1;
    await openHit(gathering, name, { hit, url, query });
  }
}

function toLedger(
  hit: SearchHit,
  url: string,
  name: SearchSource,
  now: number,
): Omit<LedgerSource, "n" | "sha256" | "copyOf"> {
  return {
    title: hit.title || url,
    url,
    host: hostOf(url),
    via: name,
    kind: hit.kind,
    status: hit.isAbstract === true ? "abstract" : "read",
    problem: null,
    fetchedAt: now,
    revision: hit.revision ?? null,
    licence: hit.licence ?? null,
    authors: hit.authors ?? [],
    year: hit.year ?? null,
    container: hit.container ?? null,
    doi: hit.doi ?? null,
    isRetracted: hit.isRetracted ?? false,
    recheck: null,
  };
}

async function openHit(
  gathering: Gathering,
  name: SearchSource,
  { hit, url, query }: { hit: SearchHit; url: string; query: string },
): Promise<void> {
  const { deps, draft, gathered, task, signal } = gathering;
  const now = deps.clock.now();
  const ledger = toLedger(hit, url, name, now);
  if (hit.text !== undefined) {
    const passages = passagesOfText(hit.text);
    const source = await gathered.add({ key: url, ledger, passages });
    pool(gathering, source.n, { passages, query });
    return;
  }
  const tool: ResearchTool = {
    id: `${draft.state.run.id}.${task.id}.${url.slice(0, 200)}`,
    task_id: task.id,
    name: "open",
    args: { title: ledger.title, source: name },
    status: "running",
    summary: `reading ${ledger.title}`,
    found: 0,
    problem: null,
    sources: [],
    started_at: now,
    ended_at: null,
  };
  draft.putTool(tool);
  await gathering.announce();
  const end = (change: Partial<ResearchTool>, source: LedgerSource) =>
    draft.putTool({ ...tool, ended_at: deps.clock.now(), sources: [source.n], ...change }, [source]);
  try {
    const passages = await searchServicesOf(deps).readPage(name, url, signal);
    const source = await gathered.add({ key: url, ledger, passages });
    pool(gathering, source.n, { passages, query });
    end({ status: "done", found: passages.length, summary: `${passages.length} passages` }, source);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SearchFailed)) throw error;
    const { problem } = error;
    const status = problem === "refused" ? "refused" : "unreachable";
    const source = await gathered.add({ key: url, ledger: { ...ledger, status, problem }, passages: [] });
    end({ status: "failed", problem, summary: `not read: ${problem}` }, source);
  }
}

/** Pools the passages of a source that are about the query, the best with score 1. */
function pool(
  { draft }: Gathering,
  source: number,
  { passages, query }: { passages: readonly SnapshotPassage[]; query: string },
): void {
  const queryTerms = [...new Set(searchTerms(query))];
  const scored = passages.flatMap(({ id, text, heading }) => {
    const terms = new Set(searchTerms(`${heading ?? ""} ${text}`));
    const share = queryTerms.filter((term) => terms.has(term)).length / Math.max(1, queryTerms.length);
    return share >= MIN_SHARE ? [{ source, passageId: id, score: share }] : [];
  });
  addToPool(draft, scored.toSorted((a, b) => b.score - a.score).slice(0, MAX_POOLED));
}
