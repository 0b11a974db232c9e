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
export type FormFault =
  | "ok"
  | "empty"
  | "slow"
  | "slow_body"
  | "forbidden"
  | "limited"
  | "html"
  | "cut"
  | "broken_off"
  | "other_form";

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
function invert(text: string): Record<string, number[]> {
  const index: Record<string, number[]> = {};
  for (const [at, word] of text.split(" ").entries()) index[word] = [...(index[word] ?? []), at];
  return index;
}

const feed = (items: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><channel><title>Search: tides</title><link>/search?pattern=tides</link><opensearch:totalResults>1</opensearch:totalResults>${items}</channel></rss>`;

const json = (value: unknown) => ({ type: "application/json", body: JSON.stringify(value) });

/** A search names pages, and each page is read by its own request. */
function answerOfWikipedia(origin: string, query: URLSearchParams, isEmpty: boolean) {
  if (query.get("list") === "search")
    return json({
      batchcomplete: true,
      query: {
        searchinfo: { totalhits: isEmpty ? 0 : 1 },
        search: isEmpty ? [] : [{ ns: 0, title: "Tides & the Moon", pageid: 7, snippet: "<span>tides</span>" }],
      },
    });
  const revisions = [{ revid: 1001, parentid: 1000, timestamp: "2019-04-02T08:30:00Z" }];
  const page = { pageid: 7, ns: 0, title: TITLE, extract: TEXT, fullurl: `${origin}/wiki/Tide`, revisions };
  return json({ batchcomplete: true, query: { pages: [page] } });
}

const arxivFeed = (entries: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><link href="http://arxiv.org/api/query" rel="self" type="application/atom+xml"/><title type="html">ArXiv Query</title><opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>${entries}</feed>`;

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
  some: <T>(item: T) => T[];
}

interface Answer {
  type: string;
  body: string;
}

/** What each service answers, in the form of its documentation. */
const forms: Record<SearchService, (asked: Asked) => Answer> = {
  wikipedia: ({ origin, query, isEmpty }) => answerOfWikipedia(origin, query, isEmpty),
  crossref: ({ some }) =>
    json({
      status: "ok",
      "message-type": "work-list",
      message: {
        "total-results": 1,
        items: some({
          DOI: "10.1000/1",
          title: ["Tides &amp; the Moon"],
          author: [{ given: "Marie", family: "Curie", sequence: "first" }, { name: "The Tide Group" }],
          issued: { "date-parts": [[2019, 4]] },
          abstract: `<jats:title>Abstract</jats:title><jats:p>${TEXT}</jats:p>`,
          URL: "https://doi.org/10.1000/1",
        }),
      },
    }),
  europepmc: ({ isEmpty, some }) =>
    json({
      version: "6.9",
      hitCount: isEmpty ? 0 : 1,
      resultList: {
        result: some({
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
  // Each engine adds what it has: one result names no address, another no title.
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
  tavily: ({ url, some }) =>
    json({
      query: "tides",
      answer: null,
      images: [],
      results: some({ title: TITLE, url, content: TEXT, score: 0.98, raw_content: null, published_date: DATE }),
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
  exa: ({ url, some }) =>
    json({ requestId: "1", results: some({ id: url, title: TITLE, url, publishedDate: DATE, author: null }) }),
  openalex: ({ some }) =>
    json({
      meta: { count: 1 },
      results: some({
        id: "https://openalex.org/W1",
        doi: "https://doi.org/10.1000/1",
        title: TITLE,
        publication_year: 1998,
        abstract_inverted_index: invert(TEXT),
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
  const some = <T>(item: T) => (isEmpty ? [] : [item]);
  return forms[service]({ origin, url: `${origin}/page.html`, query, isEmpty, some });
}

/** The beginning of an answer; the rest never comes, or the connection ends. */
function sendHalf(response: ServerResponse, { type, body }: Answer, ends: boolean): void {
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => {
    if (ends) response.destroy();
  });
}

interface FirstAnswer {
  status?: number;
  type?: string;
  /** Where a redirect leads. */
  location?: string;
  body: string;
}

function send(
  response: ServerResponse,
  status: number,
  { type = "application/json", body, location }: FirstAnswer,
): void {
  const more = { ...(status === 429 && { "retry-after": "90" }), ...(location !== undefined && { location }) };
  response.writeHead(status, { "content-type": type, ...more });
  response.end(body);
}

const html = { type: "text/html", body: "<html><body>Sign in to continue</body></html>" };

function sendFault(response: ServerResponse, fault: FormFault, answer: Answer): void {
  switch (fault) {
    case "slow":
      // It never answers.
      return;
    case "slow_body":
    case "broken_off":
      return sendHalf(response, answer, fault === "broken_off");
    case "forbidden":
      return send(response, 403, html);
    case "limited":
      return send(response, 429, html);
    case "html":
      return send(response, 200, html);
    case "cut":
      return send(response, 200, { ...answer, body: answer.body.slice(0, 12) });
    case "other_form":
      return send(response, 200, { ...answer, body: '{"data":"nothing known"}' });
    case "ok":
    case "empty":
      return send(response, 200, answer);
    default:
      return fault satisfies never;
  }
}

/** One server that speaks the forms of all search services, and fails in their ways. */
export async function startServiceForms() {
  const received: ReceivedRequest[] = [];
  let playing: { service: SearchService; fault: FormFault } = { service: "tavily", fault: "ok" };
  let answers: readonly FirstAnswer[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const body = await readText(request);
      received.push({
        method: request.method ?? "",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: body === "" ? undefined : JSON.parse(body),
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
    play(service: SearchService, fault: FormFault) {
      playing = { service, fault };
      answers = [];
      received.length = 0;
    },
    /** Sends these first. */
    sendFirst(...next: FirstAnswer[]) {
      answers = next;
    },
  };
}
