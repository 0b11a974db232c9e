import type {
  LedgerSource,
  SearchProblem,
  SearchSource,
  SearchSourceState,
  SnapshotPassage,
} from "#shared/research/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import type { Settings } from "#api/settings.ts";
import { createArxiv, createCrossref, createEuropePmc, createOpenAlex } from "./paper-adapters.ts";
import { PoliteFetch } from "./polite-fetch.ts";
import { type SearchAdapter, SearchError, type SearchHit, type ServiceRequest } from "./port.ts";
import { passagesOfText, readWebPage } from "./read-page.ts";
import { ResultCache } from "./result-cache.ts";
import { createBrave, createExa, createKiwix, createSearxng, createTavily } from "./web-adapters.ts";
import { createWikipedia } from "./wikipedia.ts";

type SearchDeps = Pick<Deps, "settings" | "fetchOutside" | "clock">;

/** Limits of the cache of results and of the cache of pages. */
const cacheLimits = { ttlMs: 30 * 60_000, entries: 200, chars: 20_000_000 };

interface LastCall {
  state: SearchSourceState["state"];
  problem: SearchProblem | null;
  retryAt: number | null;
  silentEngines?: string[];
}

interface SearchAnswer {
  hits: SearchHit[];
  /** Engines behind the service that gave no answer. */
  silentEngines: string[];
}

const hostPort = (address: string): string[] => {
  const url = URL.parse(address);
  return url ? [`${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`] : [];
};

function createWebAdapter(http: PoliteFetch, settings: Settings): SearchAdapter | undefined {
  const { SEARCH_URL: url, SEARCH_PROVIDER: provider, SEARCH_API_KEY: key } = settings;
  if (provider === "searxng") return url === undefined ? undefined : createSearxng(http, url);
  if (key === undefined) return undefined;
  if (provider === "tavily") return createTavily(http, url ?? "https://api.tavily.com", key);
  if (provider === "brave") return createBrave(http, url ?? "https://api.search.brave.com", key);
  return createExa(http, url ?? "https://api.exa.ai", key);
}

/** The search services of this installation, with the state of their last calls. */
class SearchServices {
  readonly #deps: SearchDeps;
  readonly #adapters = new Map<SearchSource, SearchAdapter>();
  readonly #lastCalls = new Map<SearchSource, LastCall>();
  readonly #results = new ResultCache<SearchAnswer>(cacheLimits);
  readonly #pages = new ResultCache<SnapshotPassage[]>(cacheLimits);
  /** For addresses from result lists: the guard against private networks applies. */
  readonly #pageHttp: PoliteFetch;
  /** For services that the operator configured, which may be in the operator's own network. */
  readonly #serviceHttp: PoliteFetch;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
    const { settings, clock } = deps;
    const { SEARCH_URL, KIWIX_URL, OPENALEX_API_KEY, RESEARCH_CONTACT } = settings;
    const userAgent = `Lamplight/0.1 (${RESEARCH_CONTACT ?? "self-hosted study workspace"})`;
    const operatorHosts = [SEARCH_URL, KIWIX_URL].flatMap((url) => (url === undefined ? [] : hostPort(url)));
    const allowedHosts = [...settings.FETCH_ALLOW_HOSTS, ...operatorHosts];
    // Brave's smallest plan allows one request a second.
    const minIntervalMs = { "export.arxiv.org": 3000, "api.search.brave.com": 1000 };
    this.#pageHttp = new PoliteFetch({ fetch: deps.fetchOutside, clock, userAgent });
    const http = new PoliteFetch({ fetch: createFetchOutside({ allowedHosts }), clock, userAgent, minIntervalMs });
    this.#serviceHttp = http;
    const adapters = [
      createWikipedia(http, settings.WIKIPEDIA_URL),
      createCrossref(http, settings.CROSSREF_URL, RESEARCH_CONTACT),
      createEuropePmc(http, settings.EUROPEPMC_URL),
      createArxiv(http, settings.ARXIV_URL),
    ].filter(({ name }) => settings.RESEARCH_SOURCES.includes(name));
    const web = createWebAdapter(http, settings);
    const configured = [
      ...adapters,
      ...(OPENALEX_API_KEY === undefined ? [] : [createOpenAlex(http, settings.OPENALEX_URL, OPENALEX_API_KEY)]),
      ...(web ? [web] : []),
      ...(KIWIX_URL === undefined ? [] : [createKiwix(http, KIWIX_URL)]),
    ];
    for (const adapter of configured) this.#adapters.set(adapter.name, adapter);
  }

  /** The library, the configured services, and the web search even if it is not set up. */
  states(): SearchSourceState[] {
    const now = this.#deps.clock.now();
    const services = [...this.#adapters.keys()].map((name): SearchSourceState => {
      const last = this.#lastCalls.get(name);
      if (!last || (last.retryAt !== null && last.retryAt <= now))
        return { name, state: "ready", problem: null, retryAt: null };
      return { name, ...last };
    });
    const none = { problem: null, retryAt: null };
    const web = this.#adapters.has("web") ? [] : [{ name: "web" as const, state: "not_configured" as const, ...none }];
    return [{ name: "library", state: "ready", ...none }, ...services, ...web];
  }

  /** Whether a service asked to wait, and the wait is not over. */
  isPaused(name: SearchSource): boolean {
    return (this.#lastCalls.get(name)?.retryAt ?? 0) > this.#deps.clock.now();
  }

  available(): SearchSource[] {
    return ["library", ...this.#adapters.keys()];
  }

  /** Throws `SearchError`. */
  async search(name: SearchSource, query: string, request: ServiceRequest): Promise<SearchAnswer> {
    const adapter = this.#adapters.get(name);
    if (!adapter) return { hits: [], silentEngines: [] };
    const key = JSON.stringify([name, request.language, request.limit, query]);
    const now = this.#deps.clock.now();
    const cached = this.#results.find(key, now);
    if (cached) return cached;
    try {
      const silentEngines: string[] = [];
      const onSilent = (engines: readonly string[]) => {
        silentEngines.push(...engines);
      };
      let interruption: SearchError | undefined;
      const onInterrupted = (failure: SearchError) => {
        interruption = failure;
      };
      const hits = await adapter.search(query, { ...request, onSilent, onInterrupted });
      const answer = { hits, silentEngines };
      if (interruption !== undefined) {
        this.#recordFailure(name, interruption);
        return answer;
      }
      const silent = silentEngines.length > 0 ? { silentEngines } : {};
      this.#lastCalls.set(name, { state: "answered", problem: null, retryAt: null, ...silent });
      // With silent engines the next attempt may find more.
      if (hits.length > 0 || silentEngines.length === 0) this.#results.put(key, answer, now);
      return answer;
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      this.#recordFailure(name, error);
      throw error;
    }
  }

  #recordFailure(name: SearchSource, { problem, retryAt }: SearchError): void {
    if (problem === "stopped") return;
    const state = problem === "limited" ? "limited" : "failed";
    this.#lastCalls.set(name, { state, problem, retryAt: retryAt ?? null });
  }

  /**
   * Reads the current text of a source again, without the cache; undefined if the source no longer exists. Throws
   * `SearchError`.
   */
  async reread(
    source: LedgerSource,
    request: Pick<ServiceRequest, "language" | "signal">,
  ): Promise<SnapshotPassage[] | undefined> {
    const adapter = this.#adapters.get(source.via);
    if (adapter?.reread) {
      const hit = await adapter.reread(source, request);
      return hit && passagesOfText(hit.text ?? "");
    }
    if (source.url === null) return undefined;
    try {
      return await readWebPage(this.#httpOf(source.via), source.url, request.signal);
    } catch (error) {
      if (error instanceof SearchError && error.isGone) return undefined;
      throw error;
    }
  }

  /** A service whose pages the operator serves may be in the operator's own network. */
  #httpOf(name: SearchSource): PoliteFetch {
    return name === "kiwix" ? this.#serviceHttp : this.#pageHttp;
  }

  /** The text of a page from a result list. Throws `SearchError`. */
  async readPage(name: SearchSource, url: string, signal: AbortSignal): Promise<SnapshotPassage[]> {
    const now = this.#deps.clock.now();
    const cached = this.#pages.find(url, now);
    if (cached) return cached;
    const passages = await readWebPage(this.#httpOf(name), url, signal);
    this.#pages.put(url, passages, now);
    return passages;
  }
}

const services = new WeakMap<Settings, SearchServices>();

/** One set of services per installation, so that limits and states apply across runs. */
export function searchServicesOf(deps: SearchDeps): SearchServices {
  const existing = services.get(deps.settings);
  if (existing) return existing;
  const created = new SearchServices(deps);
  services.set(deps.settings, created);
  return created;
}
