import { expect, test } from "vitest";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import { createOpenAlex } from "#api/research/search/adapters.ts";
import { PoliteFetch } from "#api/research/search/polite-fetch.ts";
import { type SearchAdapter, SearchFailed } from "#api/research/search/port.ts";
import { createBrave, createExa, createKiwix, createTavily } from "#api/research/search/web-adapters.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { type KeyedFault, type KeyedService, startKeyedServices } from "#tests/kit/servers/keyed-services.ts";

const server = await startKeyedServices();
const services: readonly KeyedService[] = ["tavily", "brave", "exa", "openalex", "kiwix"];
const KEY = "secret-key";

function anAdapter(service: KeyedService): SearchAdapter {
  const fetch = createFetchOutside({ allowedHosts: [server.host], timeoutMs: 400 });
  const http = new PoliteFetch({ fetch, clock: fakeClock(), userAgent: "Lamplight/0.1 (test)" });
  if (service === "tavily") return createTavily(http, server.origin, KEY);
  if (service === "brave") return createBrave(http, server.origin, KEY);
  if (service === "exa") return createExa(http, `${server.origin}/`, KEY);
  return service === "openalex" ? createOpenAlex(http, server.origin, KEY) : createKiwix(http, server.origin);
}

const search = (adapter: SearchAdapter, query = "tides moon") =>
  adapter.search(query, { language: "en", limit: 6, signal: new AbortController().signal });

/** Why a search failed; its results if it did not. */
const outcomeOf = (adapter: SearchAdapter) =>
  search(adapter).catch((error: unknown) => (error instanceof SearchFailed ? error.problem : error));

const forms: Record<KeyedService, { request: object; key: object; url: string }> = {
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
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject(forms[service].request);
    expect(server.received[0]).toMatchObject(forms[service].key);
    expect(server.received[0]?.headers["user-agent"]).toBe("Lamplight/0.1 (test)");
  },
);

test.each(["tavily", "brave", "exa"] as const)("%s says from which year a page is", async (service) => {
  server.play(service, "ok");
  expect(await search(anAdapter(service))).toMatchObject([{ year: 2019 }]);
});

test("an abstract of OpenAlex is put together from its index, and a retraction is known", async () => {
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

const faults: readonly [KeyedFault, string][] = [
  ["slow", "slow"],
  ["forbidden", "refused"],
  ["limited", "limited"],
  ["html", "not_json"],
  ["cut", "not_json"],
  ["other_form", "not_json"],
];

test.each(services.flatMap((service) => faults.map(([fault, problem]) => [service, fault, problem] as const)))(
  "%s that fails as “%s” is shown as %s",
  async (service, fault, problem) => {
    server.play(service, fault);
    expect(await outcomeOf(anAdapter(service))).toBe(problem);
  },
);

test.each(services)(
  "%s that finds nothing gives nothing, and is not asked again before it allows that",
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
