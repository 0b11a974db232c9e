import { parseHTML } from "#api/outside/parse-html.ts";
import { z } from "zod";
import { stripMarkup } from "./plain-text.ts";
import type { PoliteFetch } from "./polite-fetch.ts";
import { type SearchAdapter, SearchError, type SearchHit } from "./port.ts";
import { readAnswer, serviceUrl } from "./service-calls.ts";

/** The publication date of a page, in any format. */
const published = z.string().nullish().catch(null);

const SearxngAnswer = z.object({
  // Engines send results of different forms, some without a URL.
  results: z.array(
    z
      .object({
        url: z.string(),
        title: z.string().nullable().default(""),
        content: z.string().nullable().default(""),
        publishedDate: published,
      })
      .nullable()
      .catch(null),
  ),
  /** Pairs of an engine and why it gave no answer. */
  unresponsive_engines: z.array(z.array(z.string()).min(1)).catch([]),
});

const MAX_SILENT_ENGINES = 8;
const MAX_ENGINE_CHARS = 40;

const namesOfEngines = (pairs: readonly string[][]): string[] =>
  [...new Set(pairs.map(([name = ""]) => stripMarkup(name).slice(0, MAX_ENGINE_CHARS)))].slice(0, MAX_SILENT_ENGINES);

/** A SearXNG server, which must allow the JSON format. https://docs.searxng.org/dev/search_api.html */
export const createSearxng = (http: PoliteFetch, base: string): SearchAdapter => ({
  name: "web",
  async search(query, { language, limit, signal, onSilent }) {
    const form = { q: query, format: "json", categories: "general,science", language, pageno: "1", safesearch: "1" };
    const url = serviceUrl(base, "/search", form);
    const answer = await http.json(url, { signal }).catch((error: unknown) => {
      // SearXNG answers 403, or with a page, if `json` is missing in its `search.formats`.
      const isDisabled = error instanceof SearchError && (error.problem === "refused" || error.isHtml);
      throw isDisabled ? new SearchError("json_disabled") : error;
    });
    const { results, unresponsive_engines: silent } = readAnswer(SearxngAnswer, answer);
    if (silent.length > 0) onSilent?.(namesOfEngines(silent));
    return results
      .filter((result) => result !== null)
      .slice(0, limit)
      .map(({ url: found, title, content, publishedDate }) => ({
        ...toWebHit(found, title ?? "", content ?? ""),
        year: yearOf(publishedDate),
      }));
  },
});

/** Most services send an ISO date, some "3 days ago", which names no year. */
function yearOf(date: string | null | undefined): number | null {
  const year = Number(/(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(date ?? "")?.[0]);
  return Number.isInteger(year) ? year : null;
}

const toWebHit = (url: string, title: string, snippet: string): SearchHit => ({
  url,
  title: stripMarkup(title),
  snippet: stripMarkup(snippet),
  kind: "web",
});

const TavilyAnswer = z.object({
  results: z.array(
    z.object({
      title: z.string().default(""),
      url: z.string(),
      content: z.string().default(""),
      published_date: published,
    }),
  ),
});

/** Tavily and Brave do not accept longer queries. */
const MAX_QUERY_CHARS = 400;
const MAX_QUERY_WORDS = 50;

/** The first words of a query that a service accepts. */
const limitQuery = (query: string): string =>
  query.split(/\s+/).slice(0, MAX_QUERY_WORDS).join(" ").slice(0, MAX_QUERY_CHARS);

/** https://docs.tavily.com */
export const createTavily = (http: PoliteFetch, base: string, key: string): SearchAdapter => ({
  name: "web",
  async search(query, { limit, signal }) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ query: limitQuery(query), search_depth: "basic", max_results: limit });
    const answer = await http.json(serviceUrl(base, "/search"), { signal, headers, body });
    const { results } = readAnswer(TavilyAnswer, answer);
    return results.map(({ url, title, content, published_date: date }) => ({
      ...toWebHit(url, title, content),
      year: yearOf(date),
    }));
  },
});

const BraveAnswer = z.object({
  type: z.string(),
  web: z
    .object({
      results: z.array(
        z.object({
          url: z.string(),
          title: z.string().default(""),
          description: z.string().default(""),
          page_age: published,
        }),
      ),
    })
    .optional(),
});

/** https://api-dashboard.search.brave.com/app/documentation */
export const createBrave = (http: PoliteFetch, base: string, key: string): SearchAdapter => ({
  name: "web",
  async search(query, { limit, signal }) {
    const url = serviceUrl(base, "/res/v1/web/search", {
      q: limitQuery(query),
      count: String(Math.min(20, limit)),
    });
    const headers = { "x-subscription-token": key, accept: "application/json" };
    const { web } = readAnswer(BraveAnswer, await http.json(url, { signal, headers }));
    return (web?.results ?? []).map(({ url: found, title, description, page_age: date }) => ({
      ...toWebHit(found, title, description),
      year: yearOf(date),
    }));
  },
});

const ExaAnswer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullable().default(""),
      text: z.string().optional(),
      publishedDate: published,
    }),
  ),
});

/** https://docs.exa.ai */
export const createExa = (http: PoliteFetch, base: string, key: string): SearchAdapter => ({
  name: "web",
  async search(query, { limit, signal }) {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const body = JSON.stringify({ query, type: "auto", numResults: limit });
    const { results } = readAnswer(ExaAnswer, await http.json(serviceUrl(base, "/search"), { signal, headers, body }));
    return results.map(({ url, title, publishedDate }) => ({
      ...toWebHit(url, title ?? "", ""),
      year: yearOf(publishedDate),
    }));
  },
});

/** An encyclopaedia served by kiwix-serve, which works without the internet. */
export const createKiwix = (http: PoliteFetch, base: string): SearchAdapter => ({
  name: "kiwix",
  async search(query, { limit, signal }) {
    const root = base.replace(/\/$/, "");
    const url = serviceUrl(root, "/search", { pattern: query, pageLength: String(limit), format: "xml" });
    const { bytes } = await http.get(url, { signal });
    const feed = new TextDecoder().decode(bytes);
    if (!/<rss[\s>]/.test(feed)) throw new SearchError("not_json");
    const { document } = parseHTML(feed.replace(/<\?xml[^>]*\?>/, "").replaceAll(/<(\/?)link>/g, "<$1address>"));
    return [...document.querySelectorAll("item")].flatMap((item): SearchHit[] => {
      const path = stripMarkup(item.querySelector("address")?.textContent ?? "");
      const found = URL.parse(path, root);
      // Only pages of this server.
      if (!found || found.origin !== new URL(root).origin) return [];
      const title = item.querySelector("title")?.textContent ?? "";
      return [{ ...toWebHit(found.href, title, ""), kind: "encyclopedia", container: "Kiwix" }];
    });
  },
});
