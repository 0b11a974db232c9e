import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { SearchSource } from "#shared/research/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aResearchQuestion, findUnsupported, runResearch } from "#tests/kit/research.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const MIRRORED =
  "The tides are caused by the wind that blows over the sea at night. The tides rise when the wind rises, and the sea falls when the wind falls again in the morning.";

const servers = await startSearchServers({
  wikipedia: [
    {
      title: "Tide",
      text: "Tides are the rise and fall of sea levels caused by the gravity of the Moon and the Sun.\n== Timing ==\nMost coasts have two high tides and two low tides each lunar day.",
    },
  ],
  papers: [
    {
      title: "Tidal friction",
      text: "Tidal friction slows the rotation of the Earth by 2.3 milliseconds per century.",
    },
  ],
  web: {
    "/tides.html": {
      title: "About tides",
      text: "The gravity of the Moon pulls the water of the sea towards it and causes the tides.\nSpring tides occur when the Sun and the Moon pull in one line.",
    },
    "/mirror-1.html": { title: "Wind tides", text: MIRRORED },
    "/mirror-2.html": { title: "Wind tides again", text: MIRRORED },
  },
});
const api = await startApi({ forFile: true, env: servers.env });
const all: SearchSource[] = ["library", "wikipedia", "crossref", "europepmc", "arxiv", "web"];
const QUESTION = "What causes the tides of the sea?";

test("a session over the web quotes encyclopedia, papers and pages, each sentence from its stored snapshot", async () => {
  const ada = await api.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: all, depthState: "standard" });
  expect(session.canvas).toContain("Tides are the rise and fall of sea levels caused by the gravity of the Moon");
  expect(await findUnsupported(ada.client, session)).toEqual([]);
  const byTitle = new Map(session.sources.toReversed().map((source) => [source.title, source]));
  expect(byTitle.get("Tide")).toMatchObject({
    status: "read",
    licence: "CC BY-SA 4.0",
    revision: "1001",
    url: expect.stringContaining("oldid=1001"),
  });
  expect(byTitle.get("Tidal friction")).toMatchObject({ status: "abstract", authors: ["Curie, Marie"] });
  expect(byTitle.get("About tides")).toMatchObject({ via: "web", status: "read", host: "127.0.0.1" });
  expect(servers.headers.every((header) => String(header["user-agent"]).startsWith("Lamplight/"))).toBe(true);
});

test("a page and its copy on another site count as one source", async () => {
  const ada = await api.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "web"] });
  const mirrors = session.sources.filter(({ title }) => title.startsWith("Wind tides"));
  expect(mirrors.map(({ status }) => status)).toEqual(["read", "copy"]);
  expect(session.citations.some(({ source }) => source === mirrors[1]?.n)).toBe(false);
});

test("an excerpt that is read before the whole text counts as its copy", async () => {
  const fact = "The gravity of the Moon pulls the water of the sea towards it and causes the tides twice a day.";
  const more = "Spring tides are higher, because the Sun and the Moon then pull the water of the sea in one line.";
  const ownServers = await startSearchServers({
    web: {
      "/excerpt.html": { title: "Excerpt on waves", text: `Waves of the sea come and go. ${fact}` },
      "/whole.html": {
        title: "Whole text on waves",
        text: `Waves of the sea come and go. ${fact}\n${more}\n${more} So it is.`,
      },
    },
  });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "web"] });
  expect(session.sources.map(({ title, status, copyOf }) => [title, status, copyOf])).toEqual([
    ["Excerpt on waves", "copy", 2],
    ["Whole text on waves", "read", null],
  ]);
  expect(session.citations.every(({ source }) => source === 2)).toBe(true);
  expect(session.run.verified).toBeGreaterThan(0);
});

test("no word of the student's library is part of a query to a service, unless the student allows it", async () => {
  // Nothing is found outside, so a second round would search with words of the library.
  const ownServers = await startSearchServers({});
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const secret = "The tides of the sea change because Zebulon Quimby of Xanadu pulls them at night.";
  await aText(ada, await aPage(ada, "Quimby lessons"), secret);
  const question = { userMessage: "Why do the tides of the sea change?", lookIn: all, depthState: "deep" as const };
  const listPrivate = () =>
    ownServers.asked.filter((path) => /zebulon|quimby|xanadu|lesson/i.test(decodeURIComponent(path)));
  await runResearch(ada.client, question);
  expect(ownServers.asked.length).toBeGreaterThan(3);
  expect(listPrivate()).toEqual([]);
  await runResearch(ada.client, { ...question, mayQuoteLibrary: true });
  expect(listPrivate()).not.toEqual([]);
});

test.each([
  ["forbidden", { wikipedia: "refused", web: "json_disabled" }],
  ["limited", { wikipedia: "limited", web: "limited" }],
  ["html", { wikipedia: "not_json", web: "json_disabled" }],
  ["broken", { wikipedia: "unreachable", web: "unreachable" }],
] as const)(
  "services that answer %s are shown with the reason, and the session ends with the library",
  async (fault, shown) => {
    const ownServers = await startSearchServers({ wikipedia: [], web: {} });
    const ownApi = await startApi({ env: ownServers.env });
    const ada = await ownApi.newUser();
    await aText(ada, await aPage(ada), "The gravity of the Moon causes the tides of the sea.");
    ownServers.play("wikipedia", fault);
    ownServers.play("web", fault);
    const { session } = await runResearch(ada.client, {
      userMessage: QUESTION,
      lookIn: ["library", "wikipedia", "web"],
    });
    expect(session.run.status).toBe("done");
    expect(session.canvas).toContain("The gravity of the Moon causes the tides of the sea.");
    const failed = session.tool_instances.filter(({ status }) => status === "failed");
    expect(Object.fromEntries(failed.map(({ args, problem }) => [args.source, problem]))).toMatchObject(
      fault === "limited" ? { wikipedia: "limited" } : shown,
    );
    const { sources } = await ada.client.research.listSearchSources({});
    const wikipedia = sources.find(({ name }) => name === "wikipedia");
    expect(wikipedia).toMatchObject({ problem: shown.wikipedia });
    if (fault === "limited") {
      expect(wikipedia?.retryAt).toBe(ownApi.clock.now() + 120_000);
      // The host gets one request, and no other request before it may be asked again.
      expect(ownServers.asked).toHaveLength(1);
      // The run reports the service once, not under each of its questions.
      expect(failed.filter(({ args }) => args.source === "wikipedia")).toHaveLength(1);
    }
  },
);

test("a retracted paper is reported as retracted, and no sentence of it is quoted", async () => {
  const text = "The tides of the sea are caused by the magnets of the harbour.";
  const ownServers = await startSearchServers({
    papers: [
      { title: "Magnets and tides", text, isRetracted: true },
      { title: "The Moon and tides", text: "The tides of the sea are caused by the gravity of the Moon." },
    ],
  });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "crossref"] });
  expect(session.sources.map(({ isRetracted }) => isRetracted)).toEqual([true, false]);
  expect(session.canvas).toContain("gravity of the Moon");
  expect(session.canvas).not.toContain("magnets");
});

test("an account researches two questions at once, one in each session, and cancelling one frees its slot", async () => {
  const delayed: ServerResponse[] = [];
  const page = { title: "Slow tides", text: "", send: (response: ServerResponse) => void delayed.push(response) };
  const ownServers = await startSearchServers({ web: { "/delayed.html": page } });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const start = async (conversationId: string | null = null) => {
    const question = aResearchQuestion({ userMessage: QUESTION, lookIn: ["library", "web"], conversationId });
    for await (const event of ada.client.research.sendResearch(question))
      if (event.type === "conversation_id") return event.conversationId;
    throw new Error("the stream named no conversation");
  };
  const first = await start();
  await expect(start(first)).rejects.toMatchObject({ code: "too_many_requests", reason: "research_running" });
  await start();
  await expect.poll(() => delayed.length).toBe(2);
  await expect(start()).rejects.toMatchObject({ code: "too_many_requests", reason: "too_many_research_runs" });
  const { conversation } = await ada.client.research.cancelResearch({ id: first });
  expect(conversation.run.status).toBe("stopped");
  // The cancelled run had verified nothing, so it does not count.
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
  await start(first);
  await expect.poll(() => delayed.length).toBe(3);
  for (const response of delayed) response.destroy();
});

test("two readers of one run see the same events, including those after one of them stops the run", async () => {
  const delayed: ServerResponse[] = [];
  const ownServers = await startSearchServers({
    web: { "/slow.html": { title: "Slow tides", text: "", send: (response) => void delayed.push(response) } },
  });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const first: unknown[] = [];
  let id = "";
  const asking = (async () => {
    const question = aResearchQuestion({ userMessage: QUESTION, lookIn: ["library", "web"] });
    for await (const event of ada.client.research.sendResearch(question))
      if (event.type === "conversation_id") id = event.conversationId;
      else first.push(event);
  })();
  await expect.poll(() => delayed.length).toBe(1);
  const second: unknown[] = [];
  const reading = (async () => {
    for await (const event of ada.client.research.followResearch({ id })) second.push(event);
  })();
  await expect.poll(() => second.length).toBeGreaterThan(0);
  await ada.client.research.cancelResearch({ id });
  await Promise.all([asking, reading]);
  for (const response of delayed) response.destroy();
  expect(second).toEqual(first);
  expect(first.at(-1)).toMatchObject({ type: "error", code: "cancelled" });
});

const HTML = { "content-type": "text/html" };

/** Sends an endless page for as long as the reader stays connected. */
function sendEndlessly(response: ServerResponse): void {
  response.writeHead(200, HTML);
  const paragraph = `<p>${"The tides of the sea come and go. ".repeat(2000)}</p>`;
  const write = () => {
    while (response.write(paragraph));
  };
  response.on("drain", write);
  write();
}

async function lockedPdf(): Promise<Buffer> {
  const [key, id] = ["00".repeat(32), "00".repeat(16)];
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<${id}> <${id}>]`;
  const plain = Buffer.from(await tinyPdf([["The tides of the sea."]]).arrayBuffer()).toString("latin1");
  expect(plain).toContain("trailer\n<<");
  return Buffer.from(plain.replace("trailer\n<<", `trailer\n<< ${encryption}`), "latin1");
}

test("pages that are endless, too large, encrypted or compression bombs are reported, and the others are read", async () => {
  const locked = await lockedPdf();
  const bomb = gzipSync(Buffer.alloc(60_000_000, "<p>tide</p>"));
  const latin = Buffer.from("<p>The tides of the sea at Saint-Malo caf\u00E9s reach thirteen metres.</p>", "latin1");
  const ownServers = await startSearchServers({
    web: {
      "/endless.html": { title: "Endless tides", text: "", send: sendEndlessly },
      "/large.html": {
        title: "Large tides",
        text: "",
        send: (response) => void response.writeHead(200, { ...HTML, "content-length": 50_000_000 }).write("<p>"),
      },
      "/locked.pdf": { title: "Locked tides", text: "", send: (response) => void response.end(locked) },
      "/bomb.html": {
        title: "Packed tides",
        text: "",
        send: (response) => void response.writeHead(200, { ...HTML, "content-encoding": "gzip" }).end(bomb),
      },
      "/latin.html": {
        title: "Old tides",
        text: "",
        send: (response) =>
          void response.writeHead(200, { "content-type": "text/html; charset=iso-8859-1" }).end(latin),
      },
    },
  });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "web"] });
  expect(Object.fromEntries(session.sources.map(({ title, status, problem }) => [title, problem ?? status]))).toEqual({
    "Endless tides": "too_large",
    "Large tides": "too_large",
    "Locked tides": "unreadable",
    "Packed tides": "too_large",
    "Old tides": "read",
  });
  expect(session.canvas).toContain("Saint-Malo caf\u00E9s reach thirteen metres.");
  expect(await findUnsupported(ada.client, session)).toEqual([]);
});

/** A text in windows-1251, which has the Cyrillic letters in their order. */
const inCyrillic = (text: string) =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.charCodeAt(0);
      return code < 0x0400 ? code : code - 0x0410 + 0xc0;
    }),
  );

const MOSCOW = "\u041c\u043e\u0441\u043a\u0432\u0430";
const measuredBy = (n: number, name: string) =>
  `The tides of the sea at harbour ${n} are measured by the office of ${name} every day.`;
const aPageOf = (title: string, type: string, body: Buffer) => ({
  title,
  text: "",
  send: (response: ServerResponse) => void response.writeHead(200, { "content-type": type }).end(body),
});

/** The first passage of each page that a session read, in alphabetical order. */
async function readHarbours({ client }: TestUser) {
  const { session } = await runResearch(client, {
    userMessage: "Who measures the tides of the sea at each harbour?",
    lookIn: ["library", "web"],
    depthState: "standard",
  });
  const snapshots = session.sources.map(({ n }) => client.research.readSnapshot({ id: session._id, n }));
  const texts = (await Promise.all(snapshots)).map(({ passages }) => passages[0]?.text ?? "");
  return { session, texts: texts.toSorted((a, b) => (a < b ? -1 : 1)) };
}

test("a byte order mark wins over the label of a page, and UTF-8 over the label of a single-byte encoding", async () => {
  const label = "text/html; charset=windows-1251";
  const utf16 = Buffer.from(`\ufeff<p>${measuredBy(1, MOSCOW)}</p>`, "utf16le");
  const ownServers = await startSearchServers({
    web: {
      "/a.html": aPageOf("Mark of UTF-16", label, utf16),
      "/b.html": aPageOf(
        "Mark of UTF-8",
        "text/html; charset=gbk",
        Buffer.from(`\ufeff<p>${measuredBy(2, MOSCOW)}</p>`),
      ),
      "/c.html": aPageOf("UTF-8", label, Buffer.from(`<p>${measuredBy(3, MOSCOW)}</p>`)),
    },
  });
  const ownApi = await startApi({ env: ownServers.env });
  const { texts } = await readHarbours(await ownApi.newUser());
  expect(texts).toEqual([measuredBy(1, MOSCOW), measuredBy(2, MOSCOW), measuredBy(3, MOSCOW)]);
});

test("pages in other encodings are decoded as the server or the page declares, or else by detection", async () => {
  const meta = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">';
  const utf16 = Buffer.from(`\ufeff<p>${measuredBy(3, MOSCOW)}</p>`, "utf16le");
  const ownServers = await startSearchServers({
    web: {
      "/a.html": aPageOf("Header", "text/html; charset=windows-1251", inCyrillic(`<p>${measuredBy(1, MOSCOW)}</p>`)),
      "/b.html": aPageOf("Meta", "text/html", inCyrillic(`<head>${meta}</head><p>${measuredBy(2, MOSCOW)}</p>`)),
      "/c.html": aPageOf("Mark", "text/html", utf16),
      "/d.html": aPageOf("Unknown", "text/html; charset=x-klingon", Buffer.from(`<p>${measuredBy(4, "Qo'noS")}</p>`)),
    },
  });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session, texts } = await readHarbours(ada);
  expect(texts).toEqual([measuredBy(1, MOSCOW), measuredBy(2, MOSCOW), measuredBy(3, MOSCOW), measuredBy(4, "Qo'noS")]);
  expect(await findUnsupported(ada.client, session)).toEqual([]);
});

test("results that name no web address are not opened", async () => {
  const addresses = [
    "file:///etc/passwd",
    "javascript:alert(1)",
    "ftp://example.org/tides",
    "data:text/html,tides",
    "//",
  ];
  const ownServers = await startSearchServers({
    web: { "/tides.html": { title: "Tides", text: "The Moon causes the tides of the sea." } },
    addresses,
  });
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "web"] });
  expect(session.sources.map(({ title }) => title)).toEqual(["Tides"]);
  expect(session.run.verified).toBeGreaterThan(0);
});

test("a re-check of web sources says which text is still there, which changed, which is gone and which gave no answer", async () => {
  const fixture = {
    wikipedia: [
      { title: "Tide", text: "Tides are the rise and fall of the sea caused by the Moon." },
      { title: "Tidal range", text: "Resonance causes tides of the sea of sixteen metres in the Bay of Fundy." },
    ],
    papers: [
      { title: "Tidal friction", text: "Tidal friction by the tides of the sea slows the rotation of the Earth." },
    ],
    web: {
      "/stays.html": { title: "Stays", text: "The gravity of the Moon causes the tides of the sea." },
      "/goes.html": {
        title: "Goes",
        text: "Spring tides of the sea occur when the Sun and the Moon pull in one line.",
      },
      "/breaks.html": {
        title: "Breaks",
        text: "Neap tides of the sea are weak, because the Sun pulls against the Moon.",
      },
    } as Record<string, { title: string; text: string; status?: number }>,
  };
  const ownServers = await startSearchServers(fixture);
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, {
    userMessage: QUESTION,
    depthState: "standard",
    lookIn: ["library", "wikipedia", "crossref", "web"],
  });
  expect(session.sources.map(({ title }) => title).toSorted()).toEqual(
    ["Breaks", "Goes", "Stays", "Tidal friction", "Tidal range", "Tide"].toSorted(),
  );
  fixture.wikipedia[1] = { title: "Tidal range", text: "This article was rewritten from the beginning." };
  fixture.web["/goes.html"] = { title: "Goes", text: "", status: 404 };
  fixture.web["/breaks.html"] = { title: "Breaks", text: "", status: 500 };
  fixture.papers.length = 0;
  const { sources } = await ada.client.research.recheckSources({ id: session._id });
  expect(Object.fromEntries(sources.map(({ title, recheck }) => [title, recheck?.state]))).toEqual({
    Tide: "same",
    "Tidal range": "changed",
    "Tidal friction": "gone",
    Stays: "same",
    Goes: "gone",
    Breaks: "unreachable",
  });
  expect((await ada.client.research.getConversation({ id: session._id })).conversation.sources).toEqual(sources);
});

test("engines of the web search without an answer are reported, and a page has the year of its search result", async () => {
  const text = "The Moon causes the tides of the sea.";
  const ownServers = await startSearchServers({
    web: { "/a.html": { title: "Tides", text, publishedDate: "2019-04-02T00:00:00" } },
    silent: [
      ["brave", "timeout"],
      ["<b>qwant</b>", "CAPTCHA"],
      ["brave", "timeout"],
    ],
  });
  const ownApi = await startApi({ env: { ...ownServers.env, RESEARCH_SOURCES: "library" } });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "web"] });
  const searches = session.tool_instances.filter(({ args }) => args.source === "web" && args.query !== undefined);
  expect(searches.length).toBeGreaterThan(0);
  for (const tool of searches) expect(tool.silentEngines).toEqual(["brave", "qwant"]);
  expect(session.sources).toMatchObject([{ title: "Tides", year: 2019 }]);
  const { sources } = await ada.client.research.listSearchSources({});
  expect(sources.find(({ name }) => name === "web")?.silentEngines).toEqual(["brave", "qwant"]);
});

test("if services find nothing, the session shows it", async () => {
  const ownServers = await startSearchServers({});
  const ownApi = await startApi({ env: ownServers.env });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: all });
  expect(session.run).toMatchObject({ status: "done", verified: 0 });
  expect(session.tool_instances.filter(({ name }) => name === "search").every(({ status }) => status === "done")).toBe(
    true,
  );
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 0 });
});

test("addresses of results that lead into the server's own network are not opened", async () => {
  const ownServers = await startSearchServers({
    web: { "/x.html": { title: "Tides", text: "Tides of the sea are there." } },
  });
  const { FETCH_ALLOW_HOSTS: _allowed, ...env } = ownServers.env;
  // The search service itself is the operator's choice; the pages that it names are not.
  const ownApi = await startApi({ env: { ...env, RESEARCH_SOURCES: "library" } });
  const ada = await ownApi.newUser();
  const { session } = await runResearch(ada.client, { userMessage: QUESTION, lookIn: ["library", "web"] });
  expect(ownServers.asked.every((path) => path.startsWith("/search?"))).toBe(true);
  expect(ownServers.asked.length).toBeGreaterThan(0);
  expect(session.sources).toMatchObject([{ title: "Tides", status: "refused", problem: "refused" }]);
});
