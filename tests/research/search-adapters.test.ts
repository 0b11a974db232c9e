import { expect, test } from "vitest";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import { createArxiv, createCrossref, createEuropePmc, createOpenAlex } from "#api/research/search/paper-adapters.ts";
import { PoliteFetch } from "#api/research/search/polite-fetch.ts";
import { type SearchAdapter, SearchError } from "#api/research/search/port.ts";
import { createBrave, createExa, createKiwix, createSearxng, createTavily } from "#api/research/search/web-adapters.ts";
import { searchServicesOf } from "#api/research/search/sources.ts";
import { createWikipedia } from "#api/research/search/wikipedia.ts";
import { readSettings } from "#api/settings.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import {
  arxivEntry,
  type SearchService,
  type ServiceFault,
  startSearchApiServer,
} from "#tests/kit/servers/search-api-server.ts";

const server = await startSearchApiServer();
const KEY = "secret-key";

const adapters: Record<SearchService, (http: PoliteFetch) => SearchAdapter> = {
  wikipedia: (http) => createWikipedia(http, server.origin),
  crossref: (http) => createCrossref(http, server.origin, "ada@example.org"),
  europepmc: (http) => createEuropePmc(http, server.origin),
  arxiv: (http) => createArxiv(http, server.origin),
  searxng: (http) => createSearxng(http, server.origin),
  tavily: (http) => createTavily(http, server.origin, KEY),
  brave: (http) => createBrave(http, server.origin, KEY),
  exa: (http) => createExa(http, `${server.origin}/`, KEY),
  openalex: (http) => createOpenAlex(http, server.origin, KEY),
  kiwix: (http) => createKiwix(http, server.origin),
};
const services = Object.keys(adapters) as SearchService[];

function anAdapter(service: SearchService, limits: { timeoutMs?: number } = {}): SearchAdapter {
  const fetch = createFetchOutside({ allowedHosts: [server.host], ...limits });
  return adapters[service](new PoliteFetch({ fetch, clock: fakeClock(), userAgent: "Lamplight/0.1 (test)" }));
}

const search = (adapter: SearchAdapter, query = "tides moon") =>
  adapter.search(query, { language: "en", limit: 6, signal: new AbortController().signal });

/** Why a search failed; its results if it succeeded. */
const outcomeOf = (adapter: SearchAdapter) =>
  search(adapter).catch((error: unknown) => (error instanceof SearchError ? error.problem : error));

const forms: Record<SearchService, { request: object; key: object; url: string }> = {
  wikipedia: {
    request: {
      method: "GET",
      path: "/w/api.php",
      query: { action: "query", list: "search", srsearch: "tides moon", srlimit: "6", format: "json" },
    },
    key: {},
    url: `${server.origin}/wiki/Tide?oldid=1001`,
  },
  crossref: {
    request: {
      method: "GET",
      path: "/works",
      query: { "query.bibliographic": "tides moon", rows: "6", mailto: "ada@example.org" },
    },
    key: {},
    url: "https://doi.org/10.1000/1",
  },
  europepmc: {
    request: {
      method: "GET",
      path: "/europepmc/webservices/rest/search",
      query: { query: "tides moon", format: "json", resultType: "core", pageSize: "6" },
    },
    key: {},
    url: "https://doi.org/10.1000/1",
  },
  arxiv: {
    request: {
      method: "GET",
      path: "/api/query",
      query: { search_query: "all:tides AND all:moon", max_results: "6", sortBy: "relevance" },
    },
    key: {},
    url: "https://arxiv.org/abs/1904.00001v2",
  },
  searxng: {
    request: { method: "GET", path: "/search", query: { q: "tides moon", format: "json", language: "en" } },
    key: {},
    url: `${server.origin}/page.html`,
  },
  tavily: {
    request: {
      method: "POST",
      path: "/search",
      body: { query: "tides moon", search_depth: "basic", max_results: 6 },
    },
    key: { headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" } },
    url: `${server.origin}/page.html`,
  },
  brave: {
    request: { method: "GET", path: "/res/v1/web/search", query: { q: "tides moon", count: "6" } },
    key: { headers: { "x-subscription-token": KEY, accept: "application/json" } },
    url: `${server.origin}/page.html`,
  },
  exa: {
    request: { method: "POST", path: "/search", body: { query: "tides moon", type: "auto", numResults: 6 } },
    key: { headers: { "x-api-key": KEY } },
    url: `${server.origin}/page.html`,
  },
  openalex: {
    request: { method: "GET", path: "/works", query: { search: "tides moon", per_page: "6", api_key: KEY } },
    key: {},
    url: "https://doi.org/10.1000/1",
  },
  kiwix: {
    request: { method: "GET", path: "/search", query: { pattern: "tides moon", pageLength: "6", format: "xml" } },
    key: {},
    url: `${server.origin}/content/wiki/Tide`,
  },
};

test.each(services)(
  "%s is asked in its own form, with its key and our name, and its results are read",
  async (service) => {
    server.play(service, "ok");
    const hits = await search(anAdapter(service));
    expect(hits).toMatchObject([{ title: "Tides & the Moon", url: forms[service].url }]);
    // Wikipedia sends each page by itself.
    expect(server.received).toHaveLength(service === "wikipedia" ? 2 : 1);
    expect(server.received[0]).toMatchObject(forms[service].request);
    expect(server.received[0]).toMatchObject(forms[service].key);
    expect(server.received[0]?.headers["user-agent"]).toBe("Lamplight/0.1 (test)");
  },
);

test.each(["wikipedia", "crossref", "europepmc", "arxiv", "searxng", "tavily", "brave", "exa"] as const)(
  "%s gives the year of a page",
  async (service) => {
    server.play(service, "ok");
    expect(await search(anAdapter(service))).toMatchObject([{ year: 2019 }]);
  },
);

test("an abstract of OpenAlex is assembled from its index, and a retraction is recognised", async () => {
  server.play("openalex", "ok");
  expect(await search(anAdapter("openalex"))).toMatchObject([
    {
      text: "The Moon causes the tides of the sea.",
      isAbstract: true,
      year: 1998,
      doi: "10.1000/1",
      isRetracted: true,
    },
  ]);
});

test("abstracts of papers have paragraphs under their headings, and authors have names", async () => {
  const text = "The Moon causes the tides of the sea.";
  const expected = {
    crossref: { text, authors: ["Curie, Marie"], doi: "10.1000/1" },
    europepmc: { text: `== Background ==\n${text}`, authors: ["Curie, M", "Joliot, F"], doi: "10.1000/1" },
    arxiv: { text, authors: ["Emmy Noether"], revision: "v2" },
  };
  for (const service of ["crossref", "europepmc", "arxiv"] as const) {
    server.play(service, "ok");
    expect(await search(anAdapter(service))).toMatchObject([{ ...expected[service], isAbstract: true }]);
  }
});

const faults: readonly [ServiceFault, string][] = [
  ["silent", "slow"],
  ["stalled_body", "slow"],
  ["forbidden", "refused"],
  ["limited", "limited"],
  ["html", "not_json"],
  ["truncated", "not_json"],
  ["connection_lost", "unreachable"],
  ["unexpected_shape", "not_json"],
];

/** SearXNG refuses, or sends a web page, if its JSON format is not enabled. */
const problemOf = (service: SearchService, fault: ServiceFault, problem: string) =>
  service === "searxng" && (fault === "forbidden" || fault === "html") ? "json_disabled" : problem;

test.each(
  services.flatMap((service) =>
    faults.map(([fault, problem]) => [service, fault, problemOf(service, fault, problem)] as const),
  ),
)("%s that fails as “%s” is shown as %s", async (service, fault, problem) => {
  server.play(service, fault);
  // Only an answer that never comes needs the timeout.
  expect(await outcomeOf(anAdapter(service, problem === "slow" ? { timeoutMs: 400 } : {}))).toBe(problem);
});

test.each(services)(
  "%s returns no results if it finds nothing, and is not asked again before it allows that",
  async (service) => {
    server.play(service, "empty");
    const adapter = anAdapter(service);
    expect(await search(adapter)).toEqual([]);
    server.play(service, "limited");
    expect(await outcomeOf(adapter)).toBe("limited");
    expect(await outcomeOf(adapter)).toBe("limited");
    expect(server.received).toHaveLength(1);
  },
);

test("a query that is too long for a service is cut at its limit", async () => {
  server.play("brave", "ok");
  await search(anAdapter("brave"), "tidal ".repeat(200).trim());
  expect(server.received[0]?.query["q"]?.split(" ").length).toBe(50);
});

test.each([
  ["ratelimited", "limited"],
  ["maxlag", "limited"],
  ["readapidenied", "refused"],
])("Wikipedia's error %s, which comes as a success, is shown as %s and not as nothing found", async (code, problem) => {
  server.play("wikipedia", "ok");
  const adapter = anAdapter("wikipedia");
  server.sendFirst({ body: JSON.stringify({ error: { code, info: "Not now." }, servedby: "mw1" }) });
  expect(await outcomeOf(adapter)).toBe(problem);
  const before = server.received.length;
  await outcomeOf(adapter);
  expect(server.received.length > before).toBe(problem !== "limited");
});

/** Wikipedia finds three articles, sends the first, and then answers 429. */
function interruptWikipedia() {
  server.play("wikipedia", "ok");
  server.sendFirst(
    {
      body: JSON.stringify({
        query: { search: [1, 2, 3].map((pageid) => ({ ns: 0, title: `Tide ${pageid}`, pageid, snippet: "" })) },
      }),
    },
    { body: JSON.stringify({ query: { pages: [{ pageid: 1, title: "Tide 1", extract: "Tides rise." }] } }) },
    { status: 429, body: "" },
  );
}

test("articles that were read before Wikipedia stopped answering are kept", async () => {
  interruptWikipedia();
  const adapter = anAdapter("wikipedia");
  expect(await search(adapter)).toMatchObject([{ title: "Tide 1", text: "Tides rise." }]);
  expect(server.received).toHaveLength(3);
  // Wikipedia is not asked again for now.
  expect(await outcomeOf(adapter)).toBe("limited");
  expect(server.received).toHaveLength(3);
});

test("a search that Wikipedia stopped answering is shown as limited, and its short list is not cached", async () => {
  interruptWikipedia();
  const clock = fakeClock();
  const settings = readSettings({ NODE_ENV: "test", WIKIPEDIA_URL: server.origin, FETCH_ALLOW_HOSTS: server.host });
  const installed = searchServicesOf({ settings, clock, fetchOutside: createFetchOutside({}) });
  const find = () =>
    installed.search("wikipedia", "tides", { language: "en", limit: 6, signal: new AbortController().signal });
  expect((await find()).hits).toMatchObject([{ title: "Tide 1" }]);
  const limited = { name: "wikipedia", state: "limited", problem: "limited", retryAt: clock.now() + 90_000 };
  expect(installed.states()).toContainEqual(limited);
  clock.advance(90_000);
  expect((await find()).hits).toMatchObject([{ title: "Tides & the Moon" }]);
  expect(installed.states()).toContainEqual({ name: "wikipedia", state: "answered", problem: null, retryAt: null });
});

test("an error of arXiv, which comes as an entry of its feed, is not a paper", async () => {
  server.play("arxiv", "ok");
  const error = arxivEntry("http://arxiv.org/api/errors#no_words", "Error", "incorrect query");
  server.sendFirst({ type: "application/atom+xml", body: `<feed xmlns="http://www.w3.org/2005/Atom">${error}</feed>` });
  expect(await search(anAdapter("arxiv"))).toEqual([]);
});

test("a key goes to its service only, not where the service sends us", async () => {
  server.play("brave", "ok");
  const redirectTarget = await startSearchApiServer();
  redirectTarget.play("brave", "ok");
  const location = `${redirectTarget.origin}/res/v1/web/search`;
  const fetch = createFetchOutside({ allowedHosts: [server.host, redirectTarget.host] });
  const http = new PoliteFetch({ fetch, clock: fakeClock(), userAgent: "Lamplight" });
  server.sendFirst({ status: 302, location, body: "" });
  await search(createBrave(http, server.origin, KEY));
  expect(server.received[0]?.headers["x-subscription-token"]).toBe(KEY);
  expect(redirectTarget.received).toHaveLength(1);
  expect(redirectTarget.received[0]?.headers["x-subscription-token"]).toBeUndefined();
});
