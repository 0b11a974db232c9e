import { z } from "zod";
import { parseHTML } from "#api/outside/parse-html.ts";
import type { PoliteFetch } from "./polite-fetch.ts";
import { readAbstract, stripMarkup } from "./plain-text.ts";
import { type SearchAdapter, SearchError, type SearchHit } from "./port.ts";
import { readAnswer, serviceUrl } from "./service-calls.ts";

const Crossref = z.object({
  message: z.object({
    items: z.array(
      z.object({
        DOI: z.string(),
        title: z.array(z.string()).default([]),
        author: z.array(z.object({ family: z.string().optional(), given: z.string().optional() })).default([]),
        issued: z.object({ "date-parts": z.array(z.array(z.number().nullable())).default([]) }).optional(),
        abstract: z.string().optional(),
        URL: z.string().optional(),
        "container-title": z.array(z.string()).default([]),
        // `updated-by` is on the retracted paper, `update-to` on the notice that retracts it.
        "updated-by": z.array(z.object({ type: z.string().optional() })).default([]),
      }),
    ),
  }),
});

/** Titles and abstracts of scholarly works. https://api.crossref.org */
export function createCrossref(http: PoliteFetch, base: string, contact: string | undefined): SearchAdapter {
  const read = async (form: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const select = "DOI,title,author,issued,abstract,URL,container-title,updated-by";
    const url = serviceUrl(base, "/works", { ...form, select, ...(contact !== undefined && { mailto: contact }) });
    const { message } = readAnswer(Crossref, await http.json(url, { signal }));
    return message.items.map((item): SearchHit => ({
      url: item.URL ?? `https://doi.org/${item.DOI}`,
      title: stripMarkup(item.title[0] ?? item.DOI),
      snippet: "",
      kind: "paper",
      text: readAbstract(item.abstract ?? ""),
      isAbstract: true,
      authors: item.author.flatMap(({ family, given }) =>
        family === undefined ? [] : [given === undefined ? family : `${family}, ${given}`],
      ),
      year: item.issued?.["date-parts"][0]?.[0] ?? null,
      container: item["container-title"][0] ?? null,
      doi: item.DOI,
      isRetracted: item["updated-by"].some(({ type }) => type === "retraction" || type === "withdrawal"),
    }));
  };
  return {
    name: "crossref",
    search: (query, { limit, signal }) => read({ "query.bibliographic": query, rows: String(limit) }, signal),
    reread: async ({ doi }, { signal }) => (await read({ filter: `doi:${doi}`, rows: "1" }, signal))[0],
  };
}

const EuropePmc = z.object({
  resultList: z.object({
    result: z.array(
      z.object({
        id: z.string(),
        source: z.string().default("MED"),
        title: z.string().default(""),
        abstractText: z.string().optional(),
        authorString: z.string().default(""),
        pubYear: z.string().optional(),
        doi: z.string().optional(),
        journalInfo: z.object({ journal: z.object({ title: z.string().optional() }).optional() }).optional(),
        pubTypeList: z.object({ pubType: z.array(z.string()).default([]) }).optional(),
      }),
    ),
  }),
});

/** Puts a comma before the initials: "Curie M" becomes "Curie, M". */
const separateInitials = (name: string) => name.replace(/ (\p{Lu}[\p{Lu}-]*)$/u, ", $1");

/** Biomedical literature with abstracts. https://europepmc.org/RestfulWebService */
export function createEuropePmc(http: PoliteFetch, base: string): SearchAdapter {
  const read = async (query: string, limit: number, signal: AbortSignal) => {
    const form = { query, format: "json", resultType: "core", pageSize: String(limit) };
    const { resultList } = readAnswer(
      EuropePmc,
      await http.json(serviceUrl(base, "/europepmc/webservices/rest/search", form), { signal }),
    );
    return resultList.result.map((item): SearchHit => ({
      url:
        item.doi === undefined
          ? `https://europepmc.org/article/${item.source}/${item.id}`
          : `https://doi.org/${item.doi}`,
      title: stripMarkup(item.title).replace(/\.$/, ""),
      snippet: "",
      kind: "paper",
      text: readAbstract(item.abstractText ?? ""),
      isAbstract: true,
      authors: item.authorString.replace(/\.$/, "").split(", ").filter(Boolean).slice(0, 20).map(separateInitials),
      year: Number(item.pubYear) || null,
      container: item.journalInfo?.journal?.title ?? null,
      doi: item.doi ?? null,
      isRetracted: item.pubTypeList?.pubType.some((type) => /retracted publication/i.test(type)) ?? false,
    }));
  };
  return {
    name: "europepmc",
    search: (query, { limit, signal }) => read(query, limit, signal),
    async reread({ doi, url }, { signal }) {
      const [, kind = "", id = ""] = /\/article\/(\w+)\/(\w+)$/.exec(url ?? "") ?? [];
      const query = doi === null ? `EXT_ID:${id} AND SRC:${kind}` : `DOI:"${doi}"`;
      return (await read(query, 1, signal))[0];
    },
  };
}

/** Preprints, as an Atom feed. https://info.arxiv.org/help/api */
export function createArxiv(http: PoliteFetch, base: string): SearchAdapter {
  const read = async (form: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const { bytes } = await http.get(serviceUrl(base, "/api/query", form), { signal });
    const feed = new TextDecoder().decode(bytes);
    if (!/<feed[\s>]/.test(feed)) throw new SearchError("not_json");
    const { document } = parseHTML(feed.replace(/<\?xml[^>]*\?>/, ""));
    return [...document.querySelectorAll("entry")].flatMap((entry): SearchHit[] => {
      const readField = (name: string) => stripMarkup(entry.querySelector(name)?.textContent ?? "");
      const id = readField("id").replace(/^http:/, "https:");
      // arXiv also reports an error as an entry, with the message as its summary.
      if (id.includes("/api/errors")) return [];
      return [
        {
          url: id,
          title: readField("title"),
          snippet: "",
          kind: "paper",
          text: readField("summary"),
          isAbstract: true,
          authors: [...entry.querySelectorAll("author")].map((author) => stripMarkup(author.textContent ?? "")),
          year: Number(readField("published").slice(0, 4)) || null,
          container: "arXiv",
          revision: /v\d+$/.exec(id)?.[0] ?? null,
        },
      ];
    });
  };
  return {
    name: "arxiv",
    search(query, { limit, signal }) {
      const words = query.match(/[\p{L}\p{N}-]+/gu) ?? [];
      const all = words.map((word) => `all:${word}`).join(" AND ");
      return read({ search_query: all, max_results: String(limit), sortBy: "relevance" }, signal);
    },
    async reread({ url }, { signal }) {
      // Without a version, arXiv returns the newest one.
      const id = /\/abs\/(.+?)(?:v\d+)?$/.exec(url ?? "")?.[1];
      return id === undefined ? undefined : (await read({ id_list: id, max_results: "1" }, signal))[0];
    },
  };
}

const OpenAlex = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      doi: z.string().nullable().default(null),
      title: z.string().nullable().default(null),
      publication_year: z.int().nullable().default(null),
      abstract_inverted_index: z.record(z.string(), z.array(z.int())).nullable().default(null),
      is_retracted: z.boolean().default(false),
    }),
  ),
});

/** An abstract from its inverted index: words with their positions. */
function restoreAbstract(index: Readonly<Record<string, number[]>> | null): string {
  const words = Object.entries(index ?? {}).flatMap(([word, positions]) =>
    positions.map((position) => ({ word, position })),
  );
  return words
    .toSorted((a, b) => a.position - b.position)
    .map(({ word }) => word)
    .join(" ");
}

/** https://docs.openalex.org */
export function createOpenAlex(http: PoliteFetch, base: string, key: string): SearchAdapter {
  const read = async (form: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const select = "id,doi,title,publication_year,abstract_inverted_index,is_retracted";
    const url = serviceUrl(base, "/works", { ...form, select, api_key: key });
    const { results } = readAnswer(OpenAlex, await http.json(url, { signal }));
    return results.map((item): SearchHit => ({
      url: item.doi ?? item.id,
      title: stripMarkup(item.title ?? ""),
      snippet: "",
      kind: "paper",
      text: restoreAbstract(item.abstract_inverted_index),
      isAbstract: true,
      year: item.publication_year,
      doi: item.doi?.replace("https://doi.org/", "") ?? null,
      isRetracted: item.is_retracted,
    }));
  };
  return {
    name: "openalex",
    search: (query, { limit, signal }) => read({ search: query, per_page: String(limit) }, signal),
    async reread({ doi, url }, { signal }) {
      const filter = doi === null ? `ids.openalex:${url}` : `doi:https://doi.org/${doi}`;
      return (await read({ filter, per_page: "1" }, signal))[0];
    },
  };
}
