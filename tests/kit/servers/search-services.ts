import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

interface WebPage {
  title: string;
  text: string;
  /** As SearXNG sends it. */
  publishedDate?: string;
}

type ServiceFault = "ok" | "forbidden" | "limited" | "empty" | "html" | "broken";

interface SearchServers {
  origin: string;
  /** Settings that send every search service to this server. */
  env: Record<string, string>;
  /** Paths with their query, in order. */
  asked: string[];
  headers: Record<string, string | string[] | undefined>[];
  /** How a service answers, by its name. */
  play: (service: "wikipedia" | "crossref" | "europepmc" | "arxiv" | "web", fault: ServiceFault) => void;
}

type ServedPage = WebPage & {
  type?: string;
  status?: number;
  /** An answer that is sent instead of the text. */
  send?: (response: ServerResponse) => void;
};

interface Fixture {
  wikipedia?: WebPage[];
  papers?: (WebPage & { isRetracted?: boolean })[];
  /** Pages of the web by path. */
  web?: Record<string, ServedPage>;
  /** Further addresses in the results of the web search. */
  addresses?: readonly string[];
  /** Engines of the web search that give no answer, with the reason. */
  silent?: [string, string][];
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const asHtml = ({ title, text }: WebPage) =>
  `<!doctype html><html><head><title>${title}</title></head><body><article><h1>${title}</h1>${text
    .split("\n")
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join("")}</article></body></html>`;

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

const serviceOf = (path: string) => {
  if (path.startsWith("/w/api.php")) return "wikipedia" as const;
  if (path.startsWith("/works")) return "crossref" as const;
  if (path.startsWith("/europepmc/")) return "europepmc" as const;
  if (path.startsWith("/api/query")) return "arxiv" as const;
  return path.startsWith("/search") ? ("web" as const) : undefined;
};

function answerFault(response: ServerResponse, fault: ServiceFault): boolean {
  if (fault === "ok" || fault === "empty") return false;
  if (fault === "limited") response.setHeader("retry-after", "120");
  response.statusCode = { forbidden: 403, limited: 429, html: 200, broken: 500 }[fault];
  response.setHeader("content-type", "text/html");
  response.end("<html><body>Not what was asked for</body></html>");
  return true;
}

function sendPage(response: ServerResponse, page: ServedPage | undefined): void {
  if (!page) {
    response.writeHead(404).end();
    return;
  }
  if (page.send) {
    page.send(response);
    return;
  }
  response.writeHead(page.status ?? 200, { "content-type": page.type ?? "text/html" });
  response.end(page.type === undefined ? asHtml(page) : page.text);
}

function sendFeed(response: ServerResponse, papers: readonly WebPage[]): void {
  const entries = papers.map(
    ({ title, text }, at) =>
      `<entry><id>http://arxiv.org/abs/1001.000${at}v2</id><title>${escapeXml(title)}</title><summary>${escapeXml(text)}</summary><published>2010-01-01T00:00:00Z</published><author><name>Emmy Noether</name></author></entry>`,
  );
  response.setHeader("content-type", "application/atom+xml");
  response.end(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${entries.join("")}</feed>`);
}

/** One server with the APIs of Wikipedia, Crossref, Europe PMC, arXiv and SearXNG, which also serves web pages. */
export async function startSearchServers({
  wikipedia = [],
  papers = [],
  web = {},
  addresses = [],
  silent = [],
}: Fixture): Promise<SearchServers> {
  const faults = new Map<string, ServiceFault>();
  const asked: string[] = [];
  const headers: SearchServers["headers"] = [];
  /** All papers, or the one whose DOI a query names. */
  const namedPapers = (query: string | null) => {
    const [, named] = /10\.1000\/(\d+)/.exec(query ?? "") ?? [];
    return papers.flatMap((paper, at) => (named === undefined || Number(named) === at ? [{ ...paper, at }] : []));
  };
  const answers = {
    wikipedia(query: URLSearchParams) {
      const wanted = query.get("titles");
      const named = wanted === null ? -1 : wikipedia.findIndex((page) => page.title === wanted);
      if (wanted !== null && named === -1) return { query: { pages: [{ title: wanted, missing: true }] } };
      const pageId = wanted === null ? query.get("pageids") : String(named + 1);
      if (pageId === null)
        return {
          query: { search: wikipedia.map(({ title }, at) => ({ pageid: at + 1, title, snippet: "<b>x</b>" })) },
        };
      const page = wikipedia[Number(pageId) - 1];
      const revisions = [{ revid: 1000 + Number(pageId), timestamp: "2026-01-02T00:00:00Z" }];
      const fullurl = `${origin}/wiki/${pageId}`;
      return {
        query: { pages: [{ pageid: Number(pageId), title: page?.title, extract: page?.text, fullurl, revisions }] },
      };
    },
    crossref: (query: URLSearchParams) => ({
      message: {
        items: namedPapers(query.get("filter")).map(({ title, text, at, isRetracted }) => ({
          DOI: `10.1000/${at}`,
          title: [title],
          author: [{ family: "Curie", given: "Marie" }],
          issued: { "date-parts": [[1998, 3]] },
          abstract: `<jats:p>${escapeXml(text)}</jats:p>`,
          URL: `https://doi.org/10.1000/${at}`,
          "container-title": ["Journal of Tests"],
          ...(isRetracted === true && { "updated-by": [{ type: "retraction", source: "retraction-watch" }] }),
        })),
      },
    }),
    europepmc: (query: URLSearchParams) => ({
      resultList: {
        result: namedPapers(query.get("query")).map(({ title, text, at }) => ({
          id: String(at),
          title: `${title}.`,
          abstractText: text,
          authorString: "Curie M, Joliot F.",
          pubYear: "2001",
          doi: `10.1000/${at}`,
        })),
      },
    }),
    web: () => ({
      query: "",
      results: [
        ...addresses.map((url) => ({ url, title: `Tides of ${url}`, content: "Tides", publishedDate: null })),
        ...Object.entries(web).map(([path, { title, text, publishedDate = null }]) => ({
          url: `${origin}${path}`,
          title,
          content: text.slice(0, 80),
          publishedDate,
        })),
      ],
      unresponsive_engines: silent,
    }),
  };
  const empty = {
    wikipedia: { query: { search: [] } },
    crossref: { message: { items: [] } },
    europepmc: { resultList: { result: [] } },
    web: { results: [] },
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    asked.push(url.pathname + url.search);
    headers.push(request.headers);
    const service = serviceOf(url.pathname);
    if (service === undefined) return sendPage(response, web[url.pathname]);
    const fault = faults.get(service) ?? "ok";
    if (answerFault(response, fault)) return;
    if (service === "arxiv") sendFeed(response, fault === "empty" ? [] : papers);
    else sendJson(response, fault === "empty" ? empty[service] : answers[service](url.searchParams));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const env = {
    FETCH_ALLOW_HOSTS: host,
    WIKIPEDIA_URL: origin,
    CROSSREF_URL: origin,
    EUROPEPMC_URL: origin,
    ARXIV_URL: origin,
    SEARCH_URL: origin,
  };
  return { origin, env, asked, headers, play: (service, fault) => void faults.set(service, fault) };
}
