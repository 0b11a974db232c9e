import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll } from "vitest";

export type SearchService =
  | "wikipedia"
  | "crossref"
  | "europepmc"
  | "arxiv"
  | "searxng"
  | "tavily"
  | "brave"
  | "exa"
  | "openalex"
  | "kiwix";
export type ServiceFault =
  | "ok"
  | "empty"
  | "silent"
  | "stalled_body"
  | "forbidden"
  | "limited"
  | "html"
  | "truncated"
  | "connection_lost"
  | "unexpected_shape";

interface ReceivedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

const TITLE = "Tides & the Moon";
const DATE = "2019-04-02T08:30:00";
const TEXT = "The Moon causes the tides of the sea.";

/** The words of a text with their positions, as OpenAlex sends abstracts. */
function toInvertedIndex(text: string): Record<string, number[]> {
  const index: Record<string, number[]> = {};
  for (const [at, word] of text.split(" ").entries()) index[word] = [...(index[word] ?? []), at];
  return index;
}

const feed = (items: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><channel><title>Search: tides</title><link>/search?pattern=tides</link><opensearch:totalResults>${items === "" ? 0 : 1}</opensearch:totalResults>${items}</channel></rss>`;

const json = (value: unknown) => ({ type: "application/json", body: JSON.stringify(value) });

/** A search names pages, and each page is read by its own request. */
function answerOfWikipedia(origin: string, query: URLSearchParams, isEmpty: boolean) {
  if (query.get("list") === "search")
    return json({
      batchcomplete: true,
      query: {
        searchinfo: { totalhits: isEmpty ? 0 : 1 },
        search: isEmpty ? [] : [{ ns: 0, title: TITLE, pageid: 7, snippet: "<span>tides</span>" }],
      },
    });
  const revisions = [{ revid: 1001, parentid: 1000, timestamp: "2019-04-02T08:30:00Z" }];
  const page = { pageid: 7, ns: 0, title: TITLE, extract: TEXT, fullurl: `${origin}/wiki/Tide`, revisions };
  return json({ batchcomplete: true, query: { pages: [page] } });
}

const arxivFeed = (entries: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><link href="http://arxiv.org/api/query" rel="self" type="application/atom+xml"/><title type="html">ArXiv Query</title><opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">${entries === "" ? 0 : 1}</opensearch:totalResults>${entries}</feed>`;

/** An entry of arXiv's feed; its errors are entries too. */
export const arxivEntry = (id: string, title: string, summary: string) =>
  `<entry><id>${id}</id><updated>2019-04-02T08:30:00Z</updated><published>2019-04-02T08:30:00Z</published><title>${title}</title><summary>  ${summary}\n</summary><author><name>Emmy Noether</name></author></entry>`;

interface Asked {
  origin: string;
  /** The page of its one result. */
  url: string;
  query: URLSearchParams;
  isEmpty: boolean;
  /** The one result, or none. */
  oneOrNone: <T>(item: T) => T[];
}

interface Answer {
  type: string;
  body: string;
}

/** What each service answers, in the format of its documentation. */
const formats: Record<SearchService, (asked: Asked) => Answer> = {
  wikipedia: ({ origin, query, isEmpty }) => answerOfWikipedia(origin, query, isEmpty),
  crossref: ({ isEmpty, oneOrNone }) =>
    json({
      status: "ok",
      "message-type": "work-list",
      message: {
        "total-results": isEmpty ? 0 : 1,
        items: oneOrNone({
          DOI: "10.1000/1",
          title: ["Tides &amp; the Moon"],
          author: [{ given: "Marie", family: "Curie", sequence: "first" }, { name: "The Tide Group" }],
          issued: { "date-parts": [[2019, 4]] },
          abstract: `<jats:title>Abstract</jats:title><jats:p>${TEXT}</jats:p>`,
          URL: "https://doi.org/10.1000/1",
        }),
      },
    }),
  europepmc: ({ isEmpty, oneOrNone }) =>
    json({
      version: "6.9",
      hitCount: isEmpty ? 0 : 1,
      resultList: {
        result: oneOrNone({
          id: "123",
          source: "MED",
          title: `${TITLE}.`,
          abstractText: `<h4>Background</h4>${TEXT}`,
          authorString: "Curie M, Joliot F.",
          pubYear: "2019",
          doi: "10.1000/1",
        }),
      },
    }),
  arxiv: ({ isEmpty }) => ({
    type: "application/atom+xml",
    body: arxivFeed(isEmpty ? "" : arxivEntry("http://arxiv.org/abs/1904.00001v2", "Tides &amp; the Moon", TEXT)),
  }),
  // Each engine adds what it has, so a result may lack an address and a title.
  searxng: ({ url, isEmpty }) =>
    json({
      query: "tides",
      number_of_results: 0,
      results: isEmpty
        ? []
        : [
            { template: "keyvalue.html", url: null, kvmap: { tide: "12 h" } },
            { url, title: "Tides &amp; the Moon", content: TEXT, engine: "wiki", publishedDate: DATE, score: 1 },
          ],
      answers: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
  tavily: ({ url, oneOrNone }) =>
    json({
      query: "tides",
      answer: null,
      images: [],
      results: oneOrNone({ title: TITLE, url, content: TEXT, score: 0.98, raw_content: null, published_date: DATE }),
      response_time: 1.2,
    }),
  // Without a result the whole group is missing.
  brave: ({ url, isEmpty }) =>
    json({
      type: "search",
      query: { original: "tides" },
      ...(!isEmpty && {
        web: {
          type: "search",
          results: [{ title: "Tides &amp; the <strong>Moon</strong>", url, description: TEXT, page_age: DATE }],
        },
      }),
    }),
  exa: ({ url, oneOrNone }) =>
    json({ requestId: "1", results: oneOrNone({ id: url, title: TITLE, url, publishedDate: DATE, author: null }) }),
  openalex: ({ isEmpty, oneOrNone }) =>
    json({
      meta: { count: isEmpty ? 0 : 1 },
      results: oneOrNone({
        id: "https://openalex.org/W1",
        doi: "https://doi.org/10.1000/1",
        title: TITLE,
        publication_year: 1998,
        abstract_inverted_index: toInvertedIndex(TEXT),
        is_retracted: true,
      }),
    }),
  kiwix: ({ isEmpty }) => ({
    type: "application/rss+xml",
    body: feed(
      isEmpty
        ? ""
        : `<item><title>Tides &amp; the Moon</title><link>/content/wiki/Tide</link><description>the <b>tides</b></description></item><item><title>Elsewhere</title><link>https://elsewhere.example/Tide</link></item>`,
    ),
  }),
};

function answerOf(
  service: SearchService,
  origin: string,
  { query, isEmpty }: Pick<Asked, "query" | "isEmpty">,
): Answer {
  const oneOrNone = <T>(item: T) => (isEmpty ? [] : [item]);
  return formats[service]({ origin, url: `${origin}/page.html`, query, isEmpty, oneOrNone });
}

/** The beginning of an answer; the rest never comes, or the connection ends. */
function sendHalf(response: ServerResponse, { type, body }: Answer, ends: boolean): void {
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => {
    if (ends) response.destroy();
  });
}

interface QueuedResponse {
  status?: number;
  type?: string;
  /** Where a redirect leads. */
  location?: string;
  body: string;
}

function send(
  response: ServerResponse,
  status: number,
  { type = "application/json", body, location }: QueuedResponse,
): void {
  const more = { ...(status === 429 && { "retry-after": "90" }), ...(location !== undefined && { location }) };
  response.writeHead(status, { "content-type": type, ...more });
  response.end(body);
}

function parseBody(body: string): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

const html = { type: "text/html", body: "<html><body>Sign in to continue</body></html>" };

function sendFault(response: ServerResponse, fault: ServiceFault, answer: Answer): void {
  switch (fault) {
    case "silent":
      return;
    case "stalled_body":
    case "connection_lost":
      return sendHalf(response, answer, fault === "connection_lost");
    case "forbidden":
      return send(response, 403, html);
    case "limited":
      return send(response, 429, html);
    case "html":
      return send(response, 200, html);
    case "truncated":
      return send(response, 200, { ...answer, body: answer.body.slice(0, 12) });
    case "unexpected_shape":
      return send(response, 200, { ...answer, body: '{"data":"nothing known"}' });
    case "ok":
    case "empty":
      return send(response, 200, answer);
    default:
      return fault satisfies never;
  }
}

/** One server that imitates the APIs of all search services, and their failures. */
export async function startSearchApiServer() {
  const received: ReceivedRequest[] = [];
  let playing: { service: SearchService; fault: ServiceFault } = { service: "tavily", fault: "ok" };
  let answers: readonly QueuedResponse[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const body = await readText(request);
      received.push({
        method: request.method ?? "",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: parseBody(body),
      });
      const { service, fault } = playing;
      const [next, ...later] = answers;
      answers = later;
      if (next) return send(response, next.status ?? 200, next);
      const answer = answerOf(service, origin, { query: url.searchParams, isEmpty: fault === "empty" });
      return sendFault(response, fault, answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  return {
    host,
    origin,
    received,
    play(service: SearchService, fault: ServiceFault) {
      playing = { service, fault };
      answers = [];
      received.length = 0;
    },
    /** Sends these before the service's own answers. */
    sendFirst(...next: QueuedResponse[]) {
      answers = next;
    },
  };
}
