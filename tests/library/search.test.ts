import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import { highlightMatches, cutSnippet, scoreTitle } from "#shared/library/title-matching.ts";
import { renderPage, openForRendering } from "#api/documents/ocr/rasters.ts";
import { parseSearchQuery } from "#shared/library/search-query.ts";
import { editDistance } from "#shared/text/edit-distance.ts";
import { startApi } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { madePdf } from "#tests/pdf/made-pdf.ts";
import { aVideoFile } from "#tests/video/made-video.ts";

test("finds words in the student's own pages and decks, each with its position", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const page = await aPage(ada, "Transport");
  const text = await aText(ada, page, "Osmosis is the movement of water across a membrane.");
  await aDeck(ada, page, [{ ...aCard("a"), question: "What is osmosis?", answer: "Movement of water" }]);
  await aText(eve, await aPage(eve), "Osmosis, as somebody else wrote of it.");
  const { found, unread } = await searchIndexed(ada, { q: "osmosis" });
  expect(unread).toBe(0);
  expect(found.map((hit) => hit.kind).toSorted()).toEqual(["deck", "page"]);
  const onPage = found.find((hit) => hit.kind === "page");
  expect(onPage).toMatchObject({ title: "Transport", pageId: page, componentId: text });
  expect(parseCitation(onPage?.citation ?? "")).toMatchObject({
    type: "page_citation",
    pageId: page,
    componentId: text,
  });
  const { found: decks } = await searchIndexed(ada, { q: "osmosis", kind: "deck" });
  expect(decks.map((hit) => hit.kind)).toEqual(["deck"]);
});

test("a search can be filtered by kind, folder and date, matches prefixes and typos, and opens the card itself", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada, "Transport");
  await aText(ada, page, "Osmosis is the movement of water across a membrane.");
  const deck = await aDeck(ada, page, [{ ...aCard("card-1"), question: "What is osmosis?", answer: "Movement" }]);
  const other = await aPage(ada, "Elsewhere");
  await aText(ada, other, "Osmosis again, in Zürich.");
  const folder = ulid();
  await send(ada, aChange("folder_create", folder, { title: "Exam Übung", color: "RED", createdAt: 1 }));
  const items = [{ item_id: page, item_type: "page" as const, created_at: 1 }];
  await send(ada, aChange("folder_update", folder, { items }));
  const kinds = async (q: string) =>
    (await searchIndexed(ada, { q })).found.map((hit) => `${hit.kind} ${hit.title}`).toSorted();
  const [inDeck, inPage, elsewhere] = ["deck Genes", "page Transport", "page Elsewhere"];
  expect(await kinds("osmosis")).toEqual([inDeck, elsewhere, inPage]);
  expect(await kinds("osmo")).toEqual([inDeck, elsewhere, inPage]);
  expect(await kinds("osmoiss")).toEqual([inDeck, elsewhere, inPage]);
  expect(await kinds("osmosis kind:card")).toEqual([inDeck]);
  expect(await kinds("kind:page osmosis")).toEqual([elsewhere, inPage]);
  expect(await kinds('osmosis folder:"exam ubung"')).toEqual([inDeck, inPage]);
  expect(await kinds("osmosis folder:nothing")).toEqual([]);
  expect(await kinds("osmosis before:2000")).toEqual([]);
  expect(await kinds("osmosis after:2000")).toEqual([inDeck, elsewhere, inPage]);
  expect(await kinds("kind:page")).toEqual([]);
  expect(await kinds("zurich")).toEqual([elsewhere]);
  const { found } = await searchIndexed(ada, { q: "osmosis", kind: "deck" });
  expect(found).toMatchObject([{ componentId: deck, cardId: "card-1" }]);
});

const texts = corpusFolder("text");

test.skipIf(texts === undefined)(
  "every naughty string can be searched as a title, a text and a folder, and is found",
  async () => {
    const naughty = JSON.parse(readFileSync(join(texts ?? "", "blns.json"), "utf8")) as string[];
    const api = await startApi({ env: { RATE_LIMIT_FACTOR: "100" } });
    const ada = await api.newUser();
    const page = await aPage(ada);
    const failures: string[] = [];
    for (const [n, text] of naughty.entries()) {
      const q = n % 2 === 0 ? text : `folder:${text} ${text}`;
      const answers = await Promise.all([
        searchIndexed(ada, { q: q.slice(0, 400) || "x" }),
        ada.client.sharing.explore({ q: text.slice(0, 400) }),
        send(
          ada,
          aChange("folder_create", `folder-${n}-naughty`, { title: text.slice(0, 300), color: "PINK", createdAt: 1 }),
        ),
      ]).catch((error: unknown) => String(error));
      if (typeof answers === "string") failures.push(`${text}: ${answers}`);
    }
    await aText(ada, page, naughty.join("\n"));
    const { folders } = await ada.client.library.listFolders({});
    const titles = new Map(folders.map(({ _id, title }) => [_id, title]));
    for (const [n, text] of naughty.entries())
      if (titles.get(`folder-${n}-naughty`) !== text.slice(0, 300)) failures.push(`folder ${text}`);
    expect(failures).toEqual([]);
    expect((await searchIndexed(ada, { q: "undefined" })).found).toHaveLength(1);
  },
  60_000,
);

test("finds changed content in its current form, and no deleted content", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada, "Transport");
  await aText(ada, page, "Osmosis moves water.");
  expect((await searchIndexed(ada, { q: "osmosis" })).found).toHaveLength(1);
  const later = await aText(ada, page, "Diffusion moves anything.");
  expect((await searchIndexed(ada, { q: "diffusion" })).found).toMatchObject([{ componentId: later }]);
  await send(ada, aChange("page_update", page, { archived: true }));
  expect((await searchIndexed(ada, { q: "osmosis" })).found).toEqual([]);
});

test.each(["'; DROP TABLE words; --", '"', "*", "NEAR(a b)", "\u0000", "a AND (b", "ﷺ", "x".repeat(400)])(
  "treats any query as plain words: %j",
  async (q) => {
    const api = await startApi();
    const ada = await api.newUser();
    await aText(ada, await aPage(ada), "Osmosis moves water.");
    expect(await searchIndexed(ada, { q })).toMatchObject({ found: [] });
  },
);

test.each([
  ["zurich", "Zürich in winter", true],
  ["gen pro", "Genes and proteins", true],
  ["protiens", "Genes and proteins", true],
  ["mitochondira", "Mitochondria", true],
  ["proteins cell", "Genes and proteins", false],
  ["cat", "Cut", false],
  ["細胞", "細胞の構造", true],
  ["", "Anything", false],
])("matches %j against %j", (query, title, isFound) => expect(scoreTitle(query, title) > 0).toBe(isFound));

test("the whole query ranks above its words, and a word's beginning above its middle", () => {
  const fits = ["Cell division", "The cell", "Excellent", "Cells"].map((title) => scoreTitle("cell", title));
  expect(fits[0]).toBe(fits[3]);
  expect(fits[1]).toBeLessThan(fits[0] ?? 0);
  expect(fits[2]).toBeLessThan(fits[1] ?? 0);
});

test("a snippet highlights the searched words and is cut between words", () => {
  const text = `${"Before it. ".repeat(40)}Osmotic pressure rises. ${"After it. ".repeat(40)}`;
  const shown = cutSnippet(text, "osmosis osmotic");
  expect(shown.length).toBeLessThan(220);
  expect(highlightMatches(shown, "osmotic").filter((piece) => piece.isMatch)).toEqual([
    { text: "Osmotic", isMatch: true },
  ]);
  expect(
    highlightMatches(shown, "osmotic")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(shown);
});

const segments = (text: string) => [{ startMs: 0, endMs: 2_000, text }];

test("a video is found by its current transcript after one was added or removed", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { componentId: id } = await aVideoFile(api, ada, new Uint8Array(64));
  const found = async (q: string) => (await searchIndexed(ada, { q })).found.map(({ kind }) => kind);
  expect(await found("chlorophyll")).toEqual([]);
  const given = { id, language: "en", name: "", isGenerated: false };
  await ada.client.video.putTranscript({ ...given, segments: segments("Chlorophyll absorbs light.") });
  expect(await found("chlorophyll")).toEqual(["video"]);
  await ada.client.video.putTranscript({ ...given, segments: segments("Rubisco binds carbon dioxide.") });
  expect([await found("chlorophyll"), await found("rubisco")]).toEqual([[], ["video"]]);
  await ada.client.video.removeTranscript({ id, source: "client", language: "en" });
  expect(await found("rubisco")).toEqual([]);
});

test("a picture is found by its text once that is recognised, even if searched before", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const drawing = await openForRendering(
    new Uint8Array(madePdf([[{ x: 60, y: 100, text: "Osmosis is the movement of water.", size: 14 }]])),
  );
  const { image } = await renderPage(drawing, 1);
  await drawing.loadingTask.destroy();
  const files = [{ field: "file", file: new Blob([new Uint8Array(image)]), name: "board.png" }];
  const { component } = await ada.client.uploads.uploadImageComponent({}, files);
  expect((await searchIndexed(ada, { q: "osmosis" })).found).toEqual([]);
  await ada.client.pdf.recogniseText({ id: component._id });
  const [job] = await api.deps.jobs.list(ada.userId, "recognition", 0);
  const log = api.deps.jobs.follow(ada.userId, job?._id ?? "", 0, AbortSignal.timeout(120_000));
  for await (const { event } of log) expect(event).toMatchObject({ type: "page", page: 1 });
  expect((await searchIndexed(ada, { q: "osmosis" })).found).toMatchObject([{ componentId: component._id }]);
}, 120_000);

const NOW = Date.UTC(2026, 2, 15, 12);
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);

test.each([
  ["osmosis", { words: "osmosis" }],
  ["kind:pdf osmosis", { words: "osmosis", kind: "file" }],
  ["osmosis Kind:Cards", { words: "osmosis", kind: "deck" }],
  ['folder:"Exam two" a b', { words: "a b", folder: "Exam two" }],
  ["after:2026-02", { words: "", after: day(2, 1) }],
  ["before:2026-02-03 x", { words: "x", before: day(2, 3) }],
  ["on:2026-02", { words: "", after: day(2, 1), before: day(3, 1) }],
  ["on:yesterday", { words: "", after: day(3, 14), before: day(3, 15) }],
  ["after:7d", { words: "", after: NOW - 7 * 86_400_000 }],
  ["after:soon kind:cheese https://a.b", { words: "after:soon kind:cheese https://a.b" }],
  ["mankind:page", { words: "mankind:page" }],
])("parses the query %j", (typed, read) => expect(parseSearchQuery(typed, NOW)).toEqual(read));

test.each([
  ["osmosis", "osmosis", 0],
  ["osmosis", "osmoiss", 1],
  ["osmosis", "osmsis", 1],
  ["osmosis", "osmossis", 1],
  ["osmosis", "chemosis", 3],
  ["", "ab", 2],
])("the edit distance of %j and %j is %i", (a, b, apart) => expect(editDistance(a, b, 2)).toBe(apart));
