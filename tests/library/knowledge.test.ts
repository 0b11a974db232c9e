import { expect, test } from "vitest";
import { pdfCitation } from "#shared/citations.ts";
import type { KnowledgeSource } from "#shared/library/knowledge.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, anAnnotation, aPage, send, textComponent } from "#tests/store/changes.ts";
import { aPdf, aPicture } from "#tests/kit/files.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { filterSources } from "#webapp/library/knowledge/knowledge.ts";

const WORDS = "A codon names one amino acid.";

test("every source is listed with its kind, size, page and the decks that cite it", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pageId = await aPage(ada, "Biology");
  const pdf = await aPdf(ada, pageId, WORDS);
  api.clock.advance(1000);
  const { componentId: picture } = await aPicture(ada, pageId);
  const cited = (id: string) => ({ ...aCard(id), citation: pdfCitation(pdf, 1, "a quote: with a colon") });
  const deck = await aDeck(ada, pageId, [cited("a"), cited("b"), aCard("c")]);

  const { sources } = await ada.client.library.listSources({});

  expect(sources.map(({ componentId, kind }) => [componentId, kind])).toEqual([
    [picture, "image"],
    [pdf, "pdf"],
  ]);
  expect(sources[1]).toMatchObject({ title: "genes", pageTitle: "Biology", pageId, highlights: 0 });
  expect(sources[1]?.sizeBytes).toBeGreaterThan(300);
  expect(sources[1]?.decks).toEqual([{ componentId: deck, pageId, title: "Genes", cards: 2 }]);
  expect(await eve.client.library.listSources({})).toEqual({ sources: [] });
});

test("highlights, notes and pictures are listed with the source they were made from", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pageId = await aPage(ada, "Biology");
  const pdf = await aPdf(ada, pageId, WORDS);
  const marks = [anAnnotation("mark-1", pdf), anAnnotation("mark-2", pdf, { note: "Ask about bacteria" })];
  await send(ada, ...marks.map((annotation) => aChange("annotation_put", annotation._id, { annotation })));
  const { componentId } = await aPicture(ada, pageId);
  const { component: cut } = await ada.client.pages.getComponent({ id: componentId });
  if (cut.type !== "image") throw new Error("a picture is an image");
  const takenFrom = { citation: pdfCitation(pdf, 1), rect: [10, 10, 50, 50] as [number, number, number, number] };
  const newContent = { ...cut.content, takenFrom };
  await send(ada, aChange("component_content_update", componentId, { newContent }, { baseVersion: cut.version }));
  const { component: film } = await ada.client.video.createVideoComponent({
    url: "https://videos.example.org/cells.mp4",
  });
  const link = { content: "0:03", reference: { kind: "link" as const, target: `/video/${film._id}?t=3` } };
  const { component: plain } = textComponent("note", film.pageId);
  const note = { ...plain, content: { ...plain.content, text: [link, { content: " Ask about the Calvin cycle" }] } };
  const words = textComponent("words", film.pageId, "No note of a video");
  await send(ada, aChange("component_create", "note", { component: note, parentId: film.pageId }));
  await send(ada, aChange("component_create", "words", words));

  const made = new Map(
    (await ada.client.library.listSources({})).sources.map((source) => [source.componentId, source]),
  );

  expect(made.get(pdf)).toMatchObject({ highlights: 2, notes: 1, pictures: 1, spoken: null });
  expect(made.get(film._id)).toMatchObject({ notes: 1, pictures: 0, spoken: { state: "none", message: null } });
  expect((await eve.client.library.listSources({})).sources).toEqual([]);
});

test("a deleted page's sources disappear and return when it is restored", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Biology");
  await aPdf(ada, pageId, WORDS);
  await send(ada, aChange("page_update", pageId, { archived: true }));
  expect((await ada.client.library.listSources({})).sources).toEqual([]);
  await send(ada, aChange("page_update", pageId, { archived: false }));
  expect((await ada.client.library.listSources({})).sources).toHaveLength(1);
});

const aSource = (title: string, more: Partial<KnowledgeSource>): KnowledgeSource => ({
  componentId: title,
  pageId: "p",
  pageTitle: "",
  title,
  kind: "pdf",
  sizeBytes: 1,
  durationMs: null,
  spoken: null,
  createdAt: 1,
  openedAt: null,
  decks: [],
  highlights: 0,
  notes: 0,
  pictures: 0,
  ...more,
});

test("sources can be filtered by kind and words, and sorted", () => {
  const all = [
    aSource("Genes", { createdAt: 3, sizeBytes: 10 }),
    aSource("Cells", { kind: "video", createdAt: 2, sizeBytes: null, openedAt: 9 }),
    aSource("Board", { kind: "image", createdAt: 1, sizeBytes: 99 }),
    aSource("Slides on genes", { kind: "slides", createdAt: 4 }),
  ];
  const shown = (choice: Partial<Parameters<typeof filterSources>[1]>) =>
    filterSources(all, { filter: "all", sort: "added", words: "", ...choice }).map(({ title }) => title);
  expect(shown({})).toEqual(["Slides on genes", "Genes", "Cells", "Board"]);
  expect(shown({ filter: "documents", sort: "title" })).toEqual(["Genes", "Slides on genes"]);
  expect(shown({ filter: "videos" })).toEqual(["Cells"]);
  expect(shown({ words: " GENES " })).toEqual(["Slides on genes", "Genes"]);
  expect(shown({ sort: "size" })[0]).toBe("Board");
  expect(shown({ sort: "opened" })[0]).toBe("Cells");
});

test("sizes and durations are formatted for people", () => {
  const MB = 1024 * 1024;
  expect([1, MB / 1.6, MB - 1, 2.4 * MB, 1023.97 * MB, 10_240.1 * MB, 2 ** 44].map(formatSize)).toEqual([
    "1 KB",
    "640 KB",
    "1 MB",
    "2.4 MB",
    "1 GB",
    "10 GB",
    "16 TB",
  ]);
});
