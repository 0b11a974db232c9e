import { parseHTML } from "#api/outside/parse-html.ts";
import type { FoundReference } from "#shared/marketing/contract.ts";
import type { SourceType } from "#shared/marketing/references.ts";
import { findEncoding } from "#api/outside/page-encoding.ts";
import { MAX_AUTHORS, toDateText, toFieldText, toNameLine, toNameLines, toReference } from "./field-text.ts";
import { type LinkedData, readLinkedData } from "./linked-data.ts";

/** Metadata is at the beginning of a page, so the rest is not read. */
const MAX_CHARS = 512 * 1024;
const MAX_TAGS = 400;
const MAX_TAG_CHARS = 4000;

interface Page {
  url: string;
  contentType: string;
}

type Meta = (...names: string[]) => string[];

const decode = (bytes: Uint8Array, contentType: string): string =>
  new TextDecoder(findEncoding(contentType, bytes)).decode(bytes).slice(0, MAX_CHARS);

/**
 * The `meta` elements of a page. Stops at the first element without an end, so that a page with many of them does not
 * take quadratic time.
 */
function listMetaTags(html: string): string[] {
  const tags: string[] = [];
  let end = 0;
  for (const { index } of html.matchAll(/<meta\s/gi)) {
    if (end <= index) end = html.indexOf(">", index);
    if (end === -1 || tags.length === MAX_TAGS) break;
    if (end - index < MAX_TAG_CHARS) tags.push(html.slice(index, end + 1));
  }
  return tags;
}

/**
 * Returns a function that finds the contents for the first of several `meta` names that the page has. Only `meta`
 * elements are parsed.
 */
function readMeta(html: string): Meta {
  const { document } = parseHTML(`<html><head>${listMetaTags(html).join("")}</head><body></body></html>`);
  const found = new Map<string, string[]>();
  for (const element of document.querySelectorAll("meta")) {
    const name = (element.getAttribute("name") ?? element.getAttribute("property") ?? "").toLowerCase();
    const content = toFieldText(element.getAttribute("content") ?? "");
    if (name !== "" && content !== "") found.set(name, [...(found.get(name) ?? []), content]);
  }
  return (...names) => names.map((name) => found.get(name)).find((values) => values !== undefined) ?? [];
}

/** Publishers describe papers for Google Scholar (https://scholar.google.com/intl/en/scholar/inclusion.html#indexing). */
function readPaper(meta: Meta): { type: SourceType; container: string } | undefined {
  const [journal] = meta("citation_journal_title");
  if (journal !== undefined) return { type: "article-journal", container: journal };
  const [conference] = meta("citation_conference_title");
  if (conference !== undefined) return { type: "paper-conference", container: conference };
  const [school] = meta("citation_dissertation_institution");
  return school === undefined ? undefined : { type: "thesis", container: "" };
}

const isAddress = (text: string) => /^https?:/i.test(text);

function readAuthors(meta: Meta, linked: LinkedData): string[] {
  // Cut the list before parsing names, because a hostile page may list half a million.
  const named = meta("citation_author")
    .flatMap((names) => names.split(";").slice(0, MAX_AUTHORS))
    .slice(0, MAX_AUTHORS);
  const others = meta("author", "dc.creator", "article:author")
    .filter((name) => !isAddress(name))
    .slice(0, MAX_AUTHORS);
  return named.length > 0 ? named.map(toNameLine) : (linked.authors ?? others.map(toNameLine));
}

const readTitle = (meta: Meta, linked: LinkedData, html: string) =>
  meta("citation_title")[0] ??
  linked.title ??
  meta("og:title", "dc.title")[0] ??
  toFieldText(/<title[^>]{0,500}>([^<]{1,2000})/i.exec(html)?.[1] ?? "");

const readDate = (meta: Meta, linked: LinkedData) =>
  meta("citation_publication_date", "citation_date", "citation_online_date")[0] ??
  linked.date ??
  meta("article:published_time", "dc.date", "date")[0] ??
  "";

/** A web page as a source, from its metadata for papers, its linked data or its previews; undefined without a title. */
export function toPageReference(bytes: Uint8Array, { url, contentType }: Page): FoundReference | undefined {
  const html = decode(bytes, contentType);
  const meta = readMeta(html);
  const linked = readLinkedData(html);
  const paper = readPaper(meta);
  const siteName = () => meta("og:site_name")[0] ?? linked.publisher ?? new URL(url).hostname;
  return toReference(paper?.type ?? (linked.isNews ? "article-newspaper" : "webpage"), {
    authors: toNameLines(readAuthors(meta, linked)),
    title: readTitle(meta, linked, html),
    "container-title": paper ? paper.container : siteName(),
    date: toDateText(readDate(meta, linked)),
    publisher: meta("citation_publisher", "citation_dissertation_institution")[0],
    volume: meta("citation_volume")[0],
    issue: meta("citation_issue")[0],
    page: [...meta("citation_firstpage").slice(0, 1), ...meta("citation_lastpage").slice(0, 1)].join("-"),
    DOI: meta("citation_doi")[0],
    URL: url,
  });
}
