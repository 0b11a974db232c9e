import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { searchTerms } from "#shared/text/search-terms.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { seededRandom } from "#tests/kit/random.ts";
import { listOrders } from "./orders.ts";
import { mirroredFalsehood, topics } from "./topics.ts";

interface FixturePage {
  title: string;
  body: string;
  /** What the search engine indexes and shows. */
  text: string;
  /** What the search engine shows instead of its beginning. */
  snippet?: string;
  status?: number;
  type?: string;
  redirect?: string;
  pdf?: Uint8Array;
}

/** Sentences that mention a subject without a useful fact. */
const FILLERS = [
  "Many visitors ask about the SUBJECT when they come here.",
  "This page was last edited by the friends of the SUBJECT.",
  "A small museum shows pictures of the SUBJECT on Sundays.",
  "Our newsletter has a column about the SUBJECT in every issue.",
  "The SUBJECT appears on a stamp that collectors like.",
  "Teachers can borrow a box with material on the SUBJECT.",
  "There is a song about the SUBJECT that children sing in May.",
  "Read our other pages about the SUBJECT and its region.",
];

const FACTS_PER_PAGE = 2;

const paragraph = (text: string) => `<p>${text}</p>`;
const asPage = ({ title, body }: FixturePage) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>${body}</article></body></html>`;

type Pages = Map<string, FixturePage>;

function addPage(pages: Pages, path: string, { title, paragraphs }: { title: string; paragraphs: readonly string[] }) {
  pages.set(path, { title, body: paragraphs.map(paragraph).join(""), text: paragraphs.join(" ") });
}

/** The pages on one subject: its facts, another view, and pages without a useful fact. */
function addTopic(pages: Pages, at: number, fill: (subject: string, count: number) => string[]): void {
  const topic = topics[at];
  if (!topic) return;
  const { subject, facts, contradiction } = topic;
  for (let number = 0; number < facts.length; number += FACTS_PER_PAGE) {
    const [before = "", between = "", after = ""] = fill(subject, 3);
    const [first = "", second = ""] = facts.slice(number, number + FACTS_PER_PAGE);
    const title = `${subject}, part ${number / FACTS_PER_PAGE + 1}`;
    addPage(pages, `/t${at}/p${number}.html`, { title, paragraphs: [before, first, between, second, after] });
  }
  const other = { title: `${subject}, another view`, paragraphs: [contradiction ?? "", ...fill(subject, 1)] };
  if (contradiction !== undefined) addPage(pages, `/t${at}/other.html`, other);
  for (const about of ["Visit", "News of", "Friends of"]) {
    const path = `/t${at}/${about.toLowerCase().replace(" ", "-")}.html`;
    addPage(pages, path, { title: `${about} the ${subject}`, paragraphs: fill(subject, 3) });
  }
}

const PDF_LINE_CHARS = 80;

/** A PDF with these sentences. */
async function aPdf(text: string): Promise<Uint8Array> {
  const lines = text.match(new RegExp(String.raw`.{1,${PDF_LINE_CHARS}}(?:\s|$)`, "g")) ?? [text];
  return new Uint8Array(await tinyPdf([lines.map((line) => line.trim())]).arrayBuffer());
}

async function addOrders(pages: Pages, origin: string): Promise<void> {
  for (const [at, { body = "", title = "", snippet, pdf }] of listOrders(`${origin}/leak`).entries()) {
    const subject = topics[at % topics.length]?.subject ?? "";
    const sentence = `The ${subject} is described on this page by its owner number ${at}.`;
    pages.set(`/orders${at}.${pdf === undefined ? "html" : "pdf"}`, {
      title: `${subject} by owner ${at} ${title}`.trim(),
      body: `${paragraph(sentence)}${body}`,
      text: `${sentence} ${body}`,
      ...(snippet === undefined ? {} : { snippet }),
      ...(pdf === undefined ? {} : { pdf: await aPdf(`${sentence} ${pdf}`) }),
    });
  }
}

/** Pages that cannot be read, or must not be. */
function addFaulty(pages: Pages): void {
  const text = "The Velmar battery works in many ways.";
  const faulty = { body: paragraph(text), text };
  pages.set("/dead.html", { ...faulty, title: "Velmar battery, moved", status: 404 });
  pages.set("/refused.html", { ...faulty, title: "Velmar battery, members only", status: 403 });
  pages.set("/binary.html", { ...faulty, title: "Velmar battery, download", type: "application/octet-stream" });
  pages.set("/inside.html", { ...faulty, title: "Velmar battery, inside", redirect: "http://127.0.0.1:1/admin" });
}

async function buildPages(origin: string, seed: number): Promise<Pages> {
  const random = seededRandom(seed);
  const pages: Pages = new Map();
  const fill = (subject: string, count: number) =>
    Array.from({ length: count }, () => {
      const filler = FILLERS[Math.floor(random() * FILLERS.length)] ?? "";
      return filler.replace("SUBJECT", subject);
    });
  for (const at of topics.keys()) addTopic(pages, at, fill);
  for (let n = 0; n < 5; n += 1)
    addPage(pages, `/mirror${n}.html`, {
      title: `${mirroredFalsehood.subject}: the truth`,
      paragraphs: [mirroredFalsehood.text],
    });
  await addOrders(pages, origin);
  addFaulty(pages);
  return pages;
}

/** Ranks pages as a plain search engine does: by the rarity of the query's terms that they contain. */
function createRanking(pages: ReadonlyMap<string, FixturePage>) {
  const indexed = [...pages].map(([path, { title, text }]) => ({
    path,
    terms: new Set(searchTerms(`${title} ${text}`)),
  }));
  const frequency = new Map<string, number>();
  for (const { terms } of indexed) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const weight = (term: string) => Math.log(1 + indexed.length / (frequency.get(term) ?? indexed.length));
  return (query: string) => {
    const wanted = [...new Set(searchTerms(query))];
    return indexed
      .map(({ path, terms }) => ({
        path,
        score: wanted.reduce((sum, term) => sum + (terms.has(term) ? weight(term) : 0), 0),
      }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path);
  };
}

function sendPage(response: ServerResponse, page: FixturePage): void {
  if (page.pdf) {
    response.writeHead(200, { "content-type": "application/pdf" }).end(page.pdf);
    return;
  }
  const headers = { "content-type": page.type ?? "text/html; charset=utf-8" };
  if (page.redirect === undefined) response.writeHead(page.status ?? 200, headers).end(asPage(page));
  else response.writeHead(302, { location: page.redirect }).end();
}

/**
 * A web of about 130 pages behind a search engine with SearXNG's API: 72 planted facts, contradictions, copies of one
 * false statement, pages with injected instructions, and pages that cannot be read.
 */
export async function startResearchWeb(seed = 21) {
  let pages: Pages = new Map();
  let rank: ReturnType<typeof createRanking> | undefined;
  const asked: string[] = [];
  const listed = new Set<string>();
  const search = (query: string) => {
    const results = (rank?.(query) ?? []).slice(0, 20);
    for (const path of results) listed.add(path);
    return {
      query,
      results: results.map((path) => {
        const page = pages.get(path);
        return {
          url: `${origin}${path}`,
          title: page?.title ?? "",
          content: page?.snippet ?? page?.text.slice(0, 160) ?? "",
        };
      }),
      unresponsive_engines: [],
    };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    asked.push(url.pathname + url.search);
    if (url.pathname === "/search") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(search(url.searchParams.get("q") ?? "")));
      return;
    }
    const page = pages.get(url.pathname);
    if (page) sendPage(response, page);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  pages = await buildPages(origin, seed);
  rank = createRanking(pages);
  const env = { FETCH_ALLOW_HOSTS: host, SEARCH_URL: origin, RESEARCH_SOURCES: "library" };
  return { origin, env, asked, pageCount: pages.size, wasListed: (path: string) => listed.has(path) };
}
