import { z } from "zod";
import type { PoliteFetch } from "./polite-fetch.ts";
import { stripMarkup } from "./plain-text.ts";
import { type SearchAdapter, SearchError, type SearchHit } from "./port.ts";
import { readAnswer, serviceUrl } from "./service-calls.ts";

const WikiSearch = z.object({
  query: z.object({ search: z.array(z.object({ pageid: z.int(), title: z.string(), snippet: z.string() })) }),
});
const WikiPages = z.object({
  query: z.object({
    pages: z.array(
      z.object({
        pageid: z.int().optional(),
        title: z.string(),
        extract: z.string().default(""),
        fullurl: z.string().default(""),
        revisions: z.array(z.object({ revid: z.int(), timestamp: z.string().default("") })).default([]),
      }),
    ),
  }),
});

type WikiPage = z.output<typeof WikiPages>["query"]["pages"][number];

/** MediaWiki sends its errors with status 200. https://www.mediawiki.org/wiki/API:Errors_and_warnings */
const WikiError = z.object({ error: z.object({ code: z.string() }) });

async function fetchWiki<T extends z.ZodType>(
  http: PoliteFetch,
  schema: T,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<z.output<T>> {
  const answer = await http.json(url, { signal });
  const failed = WikiError.safeParse(answer);
  if (!failed.success) return readAnswer(schema, answer);
  throw /^(?:ratelimited|maxlag)$/.test(failed.data.error.code) ? http.limit(url) : new SearchError("refused");
}

/** The revision makes the address permanent. */
function toWikiHit({ title, extract, fullurl, revisions }: WikiPage, host: string, snippet: string): SearchHit {
  const [revision] = revisions;
  const url = fullurl || `${host}/wiki/${encodeURIComponent(title.replaceAll(" ", "_"))}`;
  const version = revision
    ? {
        url: `${url}${url.includes("?") ? "&" : "?"}oldid=${revision.revid}`,
        revision: String(revision.revid),
        year: Number(revision.timestamp.slice(0, 4)) || null,
      }
    : { url, revision: null, year: null };
  return {
    title,
    snippet: stripMarkup(snippet),
    kind: "encyclopedia",
    text: extract,
    licence: "CC BY-SA 4.0",
    container: "Wikipedia",
    ...version,
  };
}

const WIKI_FORM = { action: "query", format: "json", formatversion: "2" };

/** The whole text of one page with its revision; undefined if the page is missing or empty. */
async function readWikiPage(
  http: PoliteFetch,
  host: string,
  { page, signal }: { page: { pageids: string } | { titles: string }; signal: AbortSignal },
): Promise<WikiPage | undefined> {
  const form = {
    ...WIKI_FORM,
    prop: "extracts|info|revisions",
    explaintext: "1",
    exsectionformat: "wiki",
    inprop: "url",
    rvprop: "ids|timestamp",
    ...page,
  };
  const { query } = await fetchWiki(http, WikiPages, { url: serviceUrl(host, "/w/api.php", form), signal });
  const [found] = query.pages;
  return found && found.extract !== "" ? found : undefined;
}

/** Wikipedia in the language of the question. https://www.mediawiki.org/wiki/API:Search */
export const createWikipedia = (http: PoliteFetch, base: string): SearchAdapter => ({
  name: "wikipedia",
  async reread({ title }, { language, signal }) {
    const host = base.replace("{language}", language);
    const page = await readWikiPage(http, host, { page: { titles: title }, signal });
    return page && toWikiHit(page, host, "");
  },
  async search(query, { language, limit, signal, onInterrupted }) {
    const host = base.replace("{language}", language);
    const search = {
      ...WIKI_FORM,
      list: "search",
      srsearch: query,
      srlimit: String(limit),
      srprop: "snippet|timestamp",
    };
    const { query: found } = await fetchWiki(http, WikiSearch, { url: serviceUrl(host, "/w/api.php", search), signal });
    const pages: SearchHit[] = [];
    // The service sends the whole text of one page at a time.
    for (const { pageid, snippet } of found.search)
      try {
        const page = await readWikiPage(http, host, { page: { pageids: String(pageid) }, signal });
        if (page) pages.push(toWikiHit(page, host, snippet));
      } catch (error) {
        // Return the articles that were read before the failure.
        if (pages.length === 0 || signal.aborted || !(error instanceof SearchError)) throw error;
        onInterrupted?.(error);
        break;
      }
    return pages;
  },
});
