import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import { markHits, snippet, titleFit } from "#shared/library/matching.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/kit/changes.ts";

test("words are found in pages and decks, each with the place where they stand, and only in one's own", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const page = await aPage(ada, "Transport");
  const text = await aText(ada, page, "Osmosis is the movement of water across a membrane.");
  await aDeck(ada, page, [{ ...aCard("a"), question: "What is osmosis?", answer: "Movement of water" }]);
  await aText(eve, await aPage(eve), "Osmosis, as somebody else wrote of it.");
  const { found, unread } = await ada.client.library.search({ q: "osmosis" });
  expect(unread).toBe(0);
  expect(found.map((one) => one.kind).toSorted()).toEqual(["deck", "page"]);
  const onPage = found.find((one) => one.kind === "page");
  expect(onPage).toMatchObject({ title: "Transport", pageId: page, componentId: text });
  expect(parseCitation(onPage?.citation ?? "")).toMatchObject({
    type: "page_citation",
    pageId: page,
    componentId: text,
  });
  const { found: decks } = await ada.client.library.search({ q: "osmosis", kind: "deck" });
  expect(decks.map((one) => one.kind)).toEqual(["deck"]);
});

test("what was changed is found as it is now, and what was deleted no more", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada, "Transport");
  await aText(ada, page, "Osmosis moves water.");
  expect((await ada.client.library.search({ q: "osmosis" })).found).toHaveLength(1);
  const later = await aText(ada, page, "Diffusion moves anything.");
  expect((await ada.client.library.search({ q: "diffusion" })).found).toMatchObject([{ componentId: later }]);
  await send(ada, aChange("page_update", page, { archived: true }));
  expect((await ada.client.library.search({ q: "osmosis" })).found).toEqual([]);
});

test.each(["'; DROP TABLE words; --", '"', "*", "NEAR(a b)", "\u0000", "a AND (b", "ﷺ", "x".repeat(400)])(
  "whatever is asked is words and nothing else: %j",
  async (q) => {
    const api = await startApi();
    const ada = await api.newUser();
    await aText(ada, await aPage(ada), "Osmosis moves water.");
    expect(await ada.client.library.search({ q })).toMatchObject({ found: [] });
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
])("%j is looked for in %j", (query, title, isFound) => expect(titleFit(query, title) > 0).toBe(isFound));

test("the whole of what was typed counts more than its words, and a beginning more than a middle", () => {
  const fits = ["Cell division", "The cell", "Excellent", "Cells"].map((title) => titleFit("cell", title));
  expect(fits[0]).toBe(fits[3]);
  expect(fits[1]).toBeLessThan(fits[0] ?? 0);
  expect(fits[2]).toBeLessThan(fits[1] ?? 0);
});

test("a snippet shows the words that were asked for, marked, and is cut between words", () => {
  const text = `${"Before it. ".repeat(40)}Osmotic pressure rises. ${"After it. ".repeat(40)}`;
  const shown = snippet(text, "osmosis osmotic");
  expect(shown.length).toBeLessThan(220);
  expect(markHits(shown, "osmotic").filter((piece) => piece.isHit)).toEqual([{ text: "Osmotic", isHit: true }]);
  expect(
    markHits(shown, "osmotic")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(shown);
});
