import { expect, test } from "vitest";
import type { IndexedPassage, PassageIndex } from "#api/store/search/port.ts";

const passage = (id: string, text: string): IndexedPassage => ({
  id,
  text,
  kind: "paragraph",
  locator: { page: 1 },
  componentId: "c1",
});

const cells = [
  passage("1", "The ribosome reads mRNA one codon at a time."),
  passage("2", "Chlorophyll absorbs light in the leaves."),
  passage("3", "Enzymes lower the energy that a reaction needs to begin."),
];

/** An embedding for each of five different meanings. */
const near = (n: number) => Float32Array.from({ length: 40 }, (_, at) => (at % 5 === n ? 1 : -0.1));

let made = 0;
/** A different account for each test, because the tests share one index. */
const anOwner = () => `owner${(made += 1)}`;

/** The contract of every passage index. */
export function passagesSuite(open: () => PassageIndex): void {
  const find = async (owner: string, text: string, sourceIds?: string[]) =>
    (await open().search(owner, { text, limit: 10, ...(sourceIds && { sourceIds }) })).map((hit) => hit.passage.id);

  test("a passage is found by an inflected form of its words", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    expect(await find(owner, "Which codons are read?")).toEqual(["1"]);
    const [hit] = await open().search(owner, { text: "absorbing light", limit: 1 });
    expect(hit).toMatchObject({ sourceId: "a", passage: cells[1] });
  });

  test("passages that contain more of the query's words, or rarer ones, rank first", async () => {
    const owner = anOwner();
    const plain = Array.from({ length: 30 }, (_, n) => passage(`f${n}`, `Energy flows through cell number ${n}.`));
    await open().put(owner, { id: "a", version: "1" }, [...plain, ...cells]);
    expect((await find(owner, "What energy does a reaction need?"))[0]).toBe("3");
  });

  test("a query of stop words finds nothing", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    expect(await find(owner, "what is this about?")).toEqual([]);
    expect(await find(owner, "")).toEqual([]);
    expect(await find(owner, `"' OR place : * NEAR(`)).toEqual([]);
  });

  test("unfinished words match by prefix, and misspelt ones by similarity", async () => {
    const [owner, other] = [anOwner(), anOwner()];
    await open().put(owner, { id: "a", version: "1" }, [...cells, passage("4", "細胞の構造 und Zürich im Winter")]);
    await open().put(other, { id: "a", version: "1" }, [passage("1", "Chlorpromazine is a drug.")]);
    const typed = async (text: string) =>
      (await open().search(owner, { text, limit: 10, isTyped: true })).map((hit) => hit.passage.id);
    expect(await typed("chlor")).toEqual(["2"]);
    expect(await typed("light chl")).toEqual(["2"]);
    expect(await typed("riboosme")).toEqual(["1"]);
    expect(await typed("chlorofyll")).toEqual(["2"]);
    expect(await typed("ZURICH")).toEqual(["4"]);
    expect(await typed("細")).toEqual(["4"]);
    expect(await typed("cat")).toEqual([]);
    expect(await find(owner, "chlor")).toEqual([]);
  });

  test("a query limited to a source finds passages of that source only", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    await open().put(owner, { id: "b", version: "1" }, [passage("9", "A codon is three nucleotides.")]);
    expect((await find(owner, "codon")).toSorted()).toEqual(["1", "9"]);
    expect(await find(owner, "codon", ["b"])).toEqual(["9"]);
    expect(await find(owner, "codon", ["none"])).toEqual([]);
  });

  test("another account's passages can't be found, read or removed", async () => {
    const [ada, eve] = [anOwner(), anOwner()];
    await open().put(ada, { id: "a", version: "1" }, cells);
    await open().put(eve, { id: "e", version: "1" }, [passage("1", "Nothing of that kind.")]);
    expect(await find(eve, "codon")).toEqual([]);
    expect(await find(eve, "codon", ["a"])).toEqual([]);
    expect(await open().read(eve, "a", { from: 0, limit: 10 })).toEqual([]);
    await open().remove(eve, ["a"]);
    await open().removeOwner(eve);
    expect(await find(ada, "codon")).toEqual(["1"]);
    expect([...(await open().versions(eve))]).toEqual([]);
  });

  test("a source's new version replaces its old one", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    await open().put(owner, { id: "a", version: "2" }, [passage("1", "Fungi digest their food outside the body.")]);
    expect(await find(owner, "codon")).toEqual([]);
    expect(await find(owner, "fungus food")).toEqual(["1"]);
    expect([...(await open().versions(owner))]).toEqual([["a", "2"]]);
  });

  test("a removed source is gone, and its id can be used again", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    await open().remove(owner, ["a", "never there"]);
    expect(await find(owner, "codon")).toEqual([]);
    expect([...(await open().versions(owner))]).toEqual([]);
    await open().put(owner, { id: "a", version: "1" }, cells);
    expect(await find(owner, "codon")).toEqual(["1"]);
  });

  test("a source is read in order from its beginning", async () => {
    const owner = anOwner();
    const many = Array.from({ length: 95 }, (_, n) => passage(String(n), `Line ${n}`));
    await open().put(owner, { id: "a", version: "1" }, many);
    const read = async (from: number, limit: number) =>
      (await open().read(owner, "a", { from, limit })).map(({ id }) => Number(id));
    expect(await read(0, 50)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(await read(0, 500)).toHaveLength(95);
    expect(await read(38, 5)).toEqual([38, 39, 40, 41, 42]);
    expect(await read(93, 5)).toEqual([93, 94]);
    expect(await read(95, 5)).toEqual([]);
    await open().put(owner, { id: "empty", version: "1" }, []);
    expect(await open().read(owner, "empty", { from: 0, limit: 5 })).toEqual([]);
  });

  test("a found passage has its position in the source", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    await open().put(owner, { id: "b", version: "1" }, [
      passage("1", "Fungi feed."),
      passage("2", "A codon is three."),
    ]);
    const hits = await open().search(owner, { text: "codon chlorophyll", limit: 5 });
    expect(hits.map(({ sourceId, position }) => `${sourceId}${position}`).toSorted()).toEqual(["a0", "a1", "b1"]);
  });

  test("a passage is found by meaning within the chosen sources, until it is removed", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, cells);
    await open().put(owner, { id: "b", version: "1" }, [passage("9", "A protein is a chain.")]);
    const missing = await open().unembedded(owner, "m", 100);
    expect(missing.map(({ text }) => text)).toEqual([...cells.map(({ text }) => text), "A protein is a chain."]);
    await open().putVectors(
      owner,
      "m",
      missing.map(({ key }, n) => ({ key, vector: near(n) })),
    );
    expect(await open().unembedded(owner, "m", 100)).toEqual([]);
    const ask = async (n: number, sourceIds?: string[], model = "m") => {
      const hits = await open().nearest(owner, { model, vector: near(n), limit: 2, ...(sourceIds && { sourceIds }) });
      return hits.map((hit) => hit.passage.id);
    };
    expect((await ask(2))[0]).toBe("3");
    expect((await ask(3))[0]).toBe("9");
    expect(await ask(2, ["b"])).toEqual(["9"]);
    expect(await ask(2, undefined, "another")).toEqual([]);
    expect(await open().nearest(anOwner(), { model: "m", vector: near(2), limit: 2 })).toEqual([]);
    await open().put(owner, { id: "a", version: "2" }, cells.slice(0, 1));
    expect(await ask(2)).toEqual(["9"]);
    expect(await open().unembedded(owner, "m", 100)).toHaveLength(1);
  });

  test("finds text in other scripts and in languages without spaces", async () => {
    const owner = anOwner();
    await open().put(owner, { id: "a", version: "1" }, [
      passage("ja", "細胞は生命の基本単位である。"),
      passage("el", "Η φωτοσύνθεση γίνεται στα φύλλα."),
      passage("fr", "La photosynthèse a lieu dans les feuilles."),
    ]);
    expect(await find(owner, "細胞とは")).toEqual(["ja"]);
    expect(await find(owner, "φωτοσυνθεση")).toEqual(["el"]);
    expect(await find(owner, "photosynthese feuilles")).toEqual(["fr"]);
  });
}
