import type { LedgerSource, ResearchTool, SearchSource, SnapshotPassage } from "#shared/research/schema.ts";
import { depthLimits, maySearch } from "#shared/research/rules.ts";
import { searchWords } from "#shared/research/plan/decompose.ts";
import { researchWording } from "#shared/research/wording.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { orderResults } from "#shared/research/evidence/order-results.ts";
import { subjectWords } from "#shared/research/evidence/common-query-words.ts";
import { SearchError, type SearchHit } from "../search/port.ts";
import { passagesOfText } from "../search/read-page.ts";
import { searchServicesOf } from "../search/sources.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import { addToPool, type TaskContext } from "./task-context.ts";

/** Services that send whole texts return fewer results. */
const MAX_TEXT_HITS = 6;
/** The results of these services are pages, which are opened one by one. */
const PAGE_SERVICES: ReadonlySet<SearchSource> = new Set(["web", "kiwix"]);
/** A passage is pooled if it contains at least this share of the query's terms. */
const MIN_SHARE = 0.34;
const MAX_POOLED = 24;
/** Passages used to find the subject of a question. */
const MAX_COMPARED = 60;

/** The host of a URL, without `www.`. */
const hostOf = (url: string) => (URL.parse(url)?.hostname ?? "").replace(/^www\./, "");

/** The URL without its fragment, so that a page is read once. */
function normalizeUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.hash = "";
  return parsed.href;
}

/**
 * The query for a service. For a section under our own heading, it is the subject of the question. A web search engine
 * also gets words for the kind of text; the other services do not, because they require every word.
 */
async function describeSearch(
  { draft, gathered, task, expansionTerms }: TaskContext,
  name: SearchSource,
): Promise<string> {
  const { topic, query } = task;
  const subject = topic === null ? searchWords(query) : await findSubject(gathered, query);
  const kind = name === "web" && topic !== null ? researchWording[draft.language].searchWords[topic] : "";
  return [subject, kind, ...expansionTerms].filter((part) => part !== "").join(" ");
}

async function findSubject(gathered: GatheredSources, question: string): Promise<string> {
  const found = await gathered.findEvidence(question);
  const texts = found.slice(0, MAX_COMPARED).map(({ text }) => text);
  return subjectWords(question, texts).join(" ") || searchWords(question);
}

/**
 * Searches one service for a task, opens its best results until the run has read `mostPages` sources, and adds their
 * passages to the pool. A resumed run continues with its remaining results.
 */
export async function searchService(context: TaskContext, name: SearchSource, mostPages: number): Promise<void> {
  const { draft, task } = context;
  const { run, round, tools } = draft.state;
  const toolId = `${run.id}.${task.id}.${round}.${name}`;
  if (draft.state.search?.toolId !== toolId) {
    const hasEnded = tools.some(({ id, status }) => id === toolId && status !== "running");
    if (hasEnded || mustWaitFor(context, name)) return;
    const query = await describeSearch(context, name);
    const hits = await searchHits(context, name, { toolId, query });
    const isRead = ({ url }: SearchHit) => context.gathered.numberOf(normalizeUrl(url) ?? "") !== undefined;
    draft.state.search = { toolId, hits: orderResults(hits, task.query, isRead), opened: 0, mostPages };
  }
  await openHits(context, name, searchWords(task.query));
  draft.state.search = null;
}

/**
 * Whether a service has asked this run to wait and the wait is not over. The problem is shown once, and the service is
 * not called meanwhile.
 */
function mustWaitFor({ deps, draft }: TaskContext, name: SearchSource): boolean {
  const { run, tools } = draft.state;
  const isShown = tools.some(
    ({ id, args, problem }) => id.startsWith(`${run.id}.`) && args.source === name && problem === "limited",
  );
  return isShown && searchServicesOf(deps).isPaused(name);
}

/** The results of one search; empty if the service did not answer. */
async function searchHits(
  { deps, draft, task, saveProgress, signal }: TaskContext,
  name: SearchSource,
  { toolId, query }: { toolId: string; query: string },
): Promise<SearchHit[]> {
  const tool: ResearchTool = {
    id: toolId,
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
  await saveProgress();
  draft.state.queries += 1;
  const end = (change: Partial<ResearchTool>) =>
    draft.putTool({ ...tool, status: "done", ended_at: deps.clock.now(), ...change });
  try {
    const { hits, silentEngines } = await searchServicesOf(deps).search(name, query, {
      language: draft.language,
      limit: PAGE_SERVICES.has(name) ? depthLimits[draft.state.run.depth].hits : MAX_TEXT_HITS,
      signal,
    });
    const silent = silentEngines.length > 0 ? { silentEngines } : {};
    end({ found: hits.length, summary: `${hits.length} results`, ...silent });
    return hits;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SearchError)) throw error;
    end({ status: "failed", problem: error.problem, summary: `no answer: ${error.problem}` });
    return [];
  }
}

/** Opens the remaining results. Each is removed from the list once its passages are in the pool. */
async function openHits(context: TaskContext, name: SearchSource, query: string): Promise<void> {
  const { search } = context.draft.state;
  if (!search) return;
  for (const hit of search.hits) {
    if (await takeHit(context, name, { hit, query, opened: search.opened })) search.opened += 1;
    search.hits = search.hits.slice(1);
  }
}

/** Adds the passages of a result to the pool; resolves to whether it was opened and could be read. */
async function takeHit(
  context: TaskContext,
  name: SearchSource,
  { hit, query, opened }: { hit: SearchHit; query: string; opened: number },
): Promise<boolean> {
  const { draft, deps } = context;
  const url = normalizeUrl(hit.url);
  // Without text and without an abstract there is nothing to quote.
  if (url === undefined || (hit.text === "" && hit.isAbstract === true)) return false;
  const knownNumber = context.gathered.numberOf(url);
  if (knownNumber !== undefined) {
    poolPassages(context, knownNumber, { passages: await context.gathered.snapshot(knownNumber), query });
    return false;
  }
  const { run, search } = draft.state;
  const mostPages = search?.mostPages ?? depthLimits[run.depth].pages;
  if (opened >= depthLimits[run.depth].opened || run.pagesRead >= mostPages) return false;
  if (!maySearch(run, deps.clock.now())) return false;
  return openHit(context, name, { hit, url, query });
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
  context: TaskContext,
  name: SearchSource,
  { hit, url, query }: { hit: SearchHit; url: string; query: string },
): Promise<boolean> {
  const { deps, draft, gathered, task, signal } = context;
  const now = deps.clock.now();
  const ledger = toLedger(hit, url, name, now);
  if (hit.text !== undefined) {
    const passages = passagesOfText(hit.text);
    const source = await gathered.add({ key: url, ledger, passages });
    poolPassages(context, source.n, { passages, query });
    return true;
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
  await context.saveProgress();
  const end = (change: Partial<ResearchTool>, source: LedgerSource) =>
    draft.putTool({ ...tool, ended_at: deps.clock.now(), sources: [source.n], ...change }, [source]);
  try {
    const passages = await searchServicesOf(deps).readPage(name, url, signal);
    const source = await gathered.add({ key: url, ledger, passages });
    poolPassages(context, source.n, { passages, query });
    end({ status: "done", found: passages.length, summary: `${passages.length} passages` }, source);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SearchError)) throw error;
    const { problem } = error;
    const status = problem === "refused" ? "refused" : "unreachable";
    const source = await gathered.add({ key: url, ledger: { ...ledger, status, problem }, passages: [] });
    end({ status: "failed", problem, summary: `not read: ${problem}` }, source);
    return false;
  }
}

/** Adds the passages of a source that match the query to the pool, the best with score 1. */
function poolPassages(
  { draft }: TaskContext,
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
