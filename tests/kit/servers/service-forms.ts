import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll } from "vitest";

export type KeyedService = "tavily" | "brave" | "exa" | "openalex" | "kiwix";
export type KeyedFault = "ok" | "empty" | "slow" | "forbidden" | "limited" | "html" | "cut" | "other_form";

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

/** What each service answers, in the form of its documentation. */
function answerOf(service: KeyedService, origin: string, isEmpty: boolean): { type: string; body: string } {
  const url = `${origin}/page.html`;
  const some = <T>(item: T) => (isEmpty ? [] : [item]);
  switch (service) {
    case "tavily":
      return json({
        query: "tides",
        answer: null,
        images: [],
        results: some({ title: TITLE, url, content: TEXT, score: 0.98, raw_content: null, published_date: DATE }),
        response_time: 1.2,
      });
    case "brave":
      // Without a result the whole group is missing.
      return json({
        type: "search",
        query: { original: "tides" },
        ...(!isEmpty && {
          web: {
            type: "search",
            results: [{ title: "Tides &amp; the <strong>Moon</strong>", url, description: TEXT, page_age: DATE }],
          },
        }),
      });
    case "exa":
      return json({ requestId: "1", results: some({ id: url, title: TITLE, url, publishedDate: DATE, author: null }) });
    case "openalex":
      return json({
        meta: { count: 1 },
        results: some({
          id: "https://openalex.org/W1",
          doi: "https://doi.org/10.1000/1",
          title: TITLE,
          publication_year: 1998,
          abstract_inverted_index: invert(TEXT),
          is_retracted: true,
        }),
      });
    case "kiwix":
      return {
        type: "application/rss+xml",
        body: feed(
          isEmpty
            ? ""
            : `<item><title>Tides &amp; the Moon</title><link>/content/wiki/Tide</link><description>the <b>tides</b></description></item><item><title>Elsewhere</title><link>https://elsewhere.example/Tide</link></item>`,
        ),
      };
    default:
      return service satisfies never;
  }
}

function send(response: ServerResponse, status: number, { type, body }: { type: string; body: string }): void {
  response.writeHead(status, { "content-type": type, ...(status === 429 && { "retry-after": "90" }) });
  response.end(body);
}

/** One server that speaks the forms of the services that need a key or an address, and fails in their ways. */
export async function startKeyedServices() {
  const received: ReceivedRequest[] = [];
  let playing: { service: KeyedService; fault: KeyedFault } = { service: "tavily", fault: "ok" };
  const html = { type: "text/html", body: "<html><body>Sign in to continue</body></html>" };
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
      const answer = answerOf(service, origin, fault === "empty");
      // It never answers.
      if (fault === "slow") return;
      if (fault === "forbidden") send(response, 403, html);
      else if (fault === "limited") send(response, 429, html);
      else if (fault === "html") send(response, 200, html);
      else if (fault === "cut") send(response, 200, { ...answer, body: answer.body.slice(0, 12) });
      else if (fault === "other_form") send(response, 200, { type: answer.type, body: '{"data":"nothing known"}' });
      else send(response, 200, answer);
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
    play(service: KeyedService, fault: KeyedFault) {
      playing = { service, fault };
      received.length = 0;
    },
  };
}
