import type { IncomingMessage, ServerResponse } from "node:http";

const PAPER = {
  status: "ok",
  message: {
    type: "journal-article",
    title: ["Growth of <i>E. coli</i> &amp; friends"],
    author: [{ family: "Watson", given: "James D." }, { name: "Genome Group" }],
    "container-title": ["Nature"],
    issued: { "date-parts": [[1953, 4, 25]] },
    publisher: "Springer",
    volume: "171",
    issue: "4356",
    page: "737-738",
    DOI: "10.1038/171737a0",
    ISBN: [],
  },
};
const BOOK = {
  "ISBN:9780306406157": {
    title: "Radioactivity",
    subtitle: "a history",
    authors: [{ name: "Marie Curie" }],
    publishers: [{ name: "Plenum" }],
    publish_places: [{ name: "New York" }],
    publish_date: "March 5, 1980",
  },
};
const ARTICLE = `<!doctype html><head><title>Tides | The Coast</title>
<meta property="og:site_name" content="The Coast"><script type="application/ld+json">
{"@context":"https://schema.org","@type":"NewsArticle","headline":"Why tides &amp; moons agree","datePublished":"2024-05-17T10:00:00Z",
"author":[{"@type":"Person","name":"Ada Lovelace"},{"@type":"Organization","name":"Coast Desk"}]}</script></head>`;
const SCHOLAR = `<meta name="citation_title" content="On moons"><meta name="citation_author" content="Kepler, Johannes; Brahe, Tycho">
<meta name="citation_journal_title" content="Astronomy"><meta name="citation_publication_date" content="1609/07/01">
<meta name="citation_firstpage" content="3"><meta name="citation_lastpage" content="9"><meta name="citation_doi" content="doi:10.1000/182">`;

const pages: Readonly<Record<string, string>> = {
  "/article": ARTICLE,
  "/scholar": SCHOLAR,
  "/bare": "<p>No title</p>",
};

/** Answers as Crossref, as Open Library, and as the pages of a site. */
export function answerReference({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const json = (status: number, value: unknown) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (url.startsWith("/works/10.1038%2F171737a0")) return json(200, PAPER);
  if (url.startsWith("/works/10.1038%2Fbusy")) return json(503, {});
  if (url.startsWith("/works/10.1038%2Fother")) return void response.end("<html>Maintenance</html>");
  if (url.startsWith("/works/10.1038%2Fnever")) return undefined;
  if (url.startsWith("/works/")) return json(404, {});
  if (url.startsWith("/api/books")) return json(200, url.includes("9780306406157") ? BOOK : {});
  const page = pages[url];
  if (page === undefined) return void response.writeHead(url === "/file" ? 200 : 404).end("x");
  return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
}
