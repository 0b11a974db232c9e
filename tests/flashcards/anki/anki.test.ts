import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { ulid } from "ulid";
import { describe, expect, test } from "vitest";
import type { Review } from "#shared/study/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, deckComponent, deckContent, send } from "#tests/store/changes.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { aCollection, aNewPackage, aNote, aPackage } from "./made-anki.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);

const importPackage = (user: TestUser, bytes: Uint8Array, name = "biology.apkg", pageId?: string) =>
  user.client.flashcards.importDecks(pageId === undefined ? {} : { pageId }, [
    { field: "file", name, file: new Blob([Buffer.from(bytes)]) },
  ]);

async function deckOf(user: TestUser, componentId: string) {
  const { component } = await user.client.pages.getComponent({ id: componentId });
  if (component.type !== "flash_cards") throw new Error("this is a deck");
  return component;
}

const PNG = Buffer.from(
  "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082",
  "hex",
);

test("a package is imported with cards, tags, pictures, answers and dates; importing again changes nothing", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const crt = Math.floor(NOW / 1000) - 100 * 86_400;
  const collection = aCollection({
    crt,
    notes: [
      aNote({
        fields: ['What is <b>ATP</b>?<br><img src="cell one (1).png">', "Energy &amp; more \\(x^2\\)"],
        tags: "bio cell",
        card: { type: 2, queue: 2, due: 105, ivl: 20, factor: 2300, reps: 4, lapses: 1 },
        reviews: [
          { at: NOW - 40 * DAY_MS, ease: 3 },
          { at: NOW - 15 * DAY_MS, ease: 4 },
        ],
      }),
      aNote({ fields: ["A new card", "not yet seen"], card: { queue: -1 } }),
    ],
  });
  const bytes = aPackage(collection, { "cell one (1).png": PNG });
  const report = await importPackage(ada, bytes);
  expect(report).toMatchObject({ cards: 2, media: 1, reviews: 2, losses: [] });
  const [listed] = report.decks;
  if (!listed) throw new Error("one deck came");
  const deck = await deckOf(ada, listed.componentId);
  const [first, second] = deck.content.cards;
  expect(first).toMatchObject({ answer: "Energy & more $x^2$", tags: ["bio", "cell"] });
  expect(first?.question).toMatch(/^What is ATP\?\n!\[\]\(\/v1\/files\/[0-9a-f]+\.png\)$/);
  expect(second).toMatchObject({ question: "A new card", isSuspended: true });
  const fileId = /files\/([^)]+)/.exec(first?.question ?? "")?.[1] ?? "";
  expect(Buffer.from(await (await ada.client.uploads.getFile({ fileId })).arrayBuffer())).toEqual(PNG);
  const { schedules, studiedToday } = await ada.client.study.getDeckSchedule({ componentId: listed.componentId });
  expect(schedules).toHaveLength(1);
  expect(schedules[0]).toMatchObject({
    cardId: first?.id,
    dueAt: (crt + 105 * 86_400) * 1000,
    stability: 20,
    scheduledDays: 20,
    reps: 4,
    lapses: 1,
    state: "review",
  });
  expect(studiedToday).toBe(0);
  expect(await importPackage(ada, bytes)).toMatchObject({ cards: 0, decks: [{ added: 0, known: 2 }] });
  expect((await deckOf(ada, listed.componentId)).version).toBe(deck.version);
  expect((await ada.client.study.getDeckSchedule({ componentId: listed.componentId })).schedules).toEqual(schedules);
});

test("a card edited or deleted here stays so when its package is imported again", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const bytes = aPackage(aCollection({ notes: [aNote({ fields: ["one", "1"] }), aNote({ fields: ["two", "2"] })] }));
  const { decks } = await importPackage(ada, bytes);
  const id = decks[0]?.componentId ?? "";
  const { content, version } = await deckOf(ada, id);
  const newContent = { ...content, cards: content.cards.slice(0, 1).map((card) => ({ ...card, answer: "mine" })) };
  await send(ada, aChange("component_content_update", id, { newContent }, { baseVersion: version }));
  await importPackage(ada, bytes);
  expect((await deckOf(ada, id)).content.cards).toEqual(newContent.cards);
});

test("decks are imported onto the named page or a page of their own; another account's page returns 404", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const bytes = aPackage(aCollection({ notes: [aNote({ fields: ["one", "1"] })] }));
  const pageId = await aPage(ada);
  await expect(importPackage(eve, bytes, "a.apkg", pageId)).rejects.toMatchObject({ code: "not_found" });
  expect(await importPackage(ada, bytes, "a.apkg", pageId)).toMatchObject({ pageId });
  const own = await importPackage(eve, bytes, "Kidneys.apkg");
  expect((await eve.client.pages.getPage({ id: own.pageId })).page.title).toBe("Kidneys");
  expect(own.decks[0]?.componentId).not.toBe((await importPackage(ada, bytes, "a.apkg")).decks[0]?.componentId);
});

/** The changes after `seq`, or the latest number without one. */
async function readChanges({ client }: TestUser, after?: number) {
  const leaving = new AbortController();
  const stream = client.sync.followChanges(after === undefined ? {} : { after }, { signal: leaving.signal });
  const { value } = await stream.next();
  leaving.abort();
  if (value?.type !== "changes") throw new Error("no changes came");
  return value;
}

test("importing its package restores a deleted deck, and open browsers learn of it", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const bytes = aPackage(aCollection({ notes: [aNote({ fields: ["one", "1"] })] }));
  const { decks } = await importPackage(ada, bytes);
  const { componentId = "", pageId = "" } = decks[0] ?? {};
  await send(ada, aChange("component_delete", componentId, { pageId }));
  const { seq } = await readChanges(ada);
  await importPackage(ada, bytes);
  expect((await deckOf(ada, componentId)).content.cards).toHaveLength(1);
  expect((await readChanges(ada, seq)).changes).toContainEqual({ kind: "page", ids: [pageId, componentId] });
});

test("scripts in fields and templates are dropped, and external pictures aren't loaded", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const note = aNote({
    fields: [
      '<script>alert(1)</script>What <img src="https://evil.example/x.png"> <img src=x onerror=alert(1)> is it?',
      '<iframe src="javascript:alert(1)">no</iframe><a href="javascript:alert(2)">this</a><svg onload=alert(3)>',
    ],
  });
  const template = {
    question: "<style>.x{}</style>{{Front}}<script>fetch('/v1')</script>",
    answer: "{{FrontSide}}<hr>{{Back}}",
  };
  const report = await importPackage(ada, aPackage(aCollection({ notes: [note], template })));
  const [card] = (await deckOf(ada, report.decks[0]?.componentId ?? "")).content.cards;
  expect(card?.question).toBe("What [x] is it?");
  expect(card?.answer).toBe("this");
  expect(report.losses.map(({ what }) => what).toSorted()).toEqual(["missing_media", "scripts"]);
});

test("media are typed by content, and a path-traversal name is only a name", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const fields = ['<img src="../../etc/passwd"> <img src="page.png">', "![x](/v1/files/another.png)"];
  const media = { "../../etc/passwd": PNG, "page.png": Buffer.from("<html><script>alert(1)</script>") };
  const report = await importPackage(ada, aPackage(aCollection({ notes: [aNote({ fields })] }), media));
  expect(report.media).toBe(1);
  expect(report.losses).toMatchObject([{ what: "refused_media", count: 1, examples: ["page.png"] }]);
  const [card] = (await deckOf(ada, report.decks[0]?.componentId ?? "")).content.cards;
  expect(card?.question).toMatch(/^!\[\]\(\/v1\/files\/[0-9a-f]+\.png\) \[page\.png\]$/);
});

/** A file that begins like a picture and then has only zeros. */
const aBomb = () => Buffer.concat([PNG, new Uint8Array(40 * 1024 * 1024)]);

/** Makes the directory of a zip declare a size that is too small. */
function declareSmallSize(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bytes.writeUInt32LE(4096, entry + 24);
  return bytes;
}

const hostile: [string, () => Uint8Array, string][] = [
  ["an empty file", () => new Uint8Array(1), "invalid_file"],
  ["a text", () => Buffer.from("front,back\n1,2\n"), "invalid_file"],
  ["a zip without a collection", () => zipSync({ "a.txt": new Uint8Array(3) }), "invalid_file"],
  ["a collection that is none", () => zipSync({ "collection.anki2": new Uint8Array(5000) }), "invalid_file"],
  ["half a collection", () => aPackage(aCollection({ notes: [aNote({})] }).subarray(0, 9000)), "invalid_file"],
  ["a bomb", () => zipSync({ "collection.anki2": new Uint8Array(60 * 1024 * 1024) }, { level: 6 }), "too_large"],
  [
    "ten thousand and one files",
    () =>
      zipSync(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [String(at), new Uint8Array()])), {
        level: 0,
      }),
    "too_large",
  ],
  [
    "a collection with a view that never ends",
    () => aPackage(aCollection({ notes: [], trick: "endless" })),
    "invalid_file",
  ],
  [
    "a collection whose text makes itself up",
    () => aPackage(aCollection({ notes: [aNote({})], trick: "made_up" })),
    "invalid_file",
  ],
  [
    "a collection that a module makes up",
    () => aPackage(aCollection({ notes: [aNote({})], trick: "virtual" })),
    "invalid_file",
  ],
  ["a bomb of the newer form", () => aNewPackage(new Uint8Array(60 * 1024 * 1024)), "too_large"],
  [
    "a picture of the newer form that is a bomb",
    () => aNewPackage(aCollection({ notes: [aNote({ fields: ['<img src="a.png">', "?"] })] }), { "a.png": aBomb() }),
    "too_large",
  ],
  [
    "a package of a form that is not known yet",
    () => zipSync({ meta: Uint8Array.of(8, 9), "collection.anki2": aCollection({ notes: [aNote({})] }) }),
    "invalid_file",
  ],
  [
    "a package whose form is half a number",
    () => zipSync({ meta: Uint8Array.of(8, 0x80), "collection.anki2": aCollection({ notes: [aNote({})] }) }),
    "invalid_file",
  ],
  [
    "a collection of the newer form that is not packed",
    () => zipSync({ "collection.anki21b": aCollection({ notes: [aNote({})] }) }),
    "invalid_file",
  ],
  [
    "a collection of the newer form that is no collection",
    () => aNewPackage(Buffer.from("SQLite format 4")),
    "invalid_file",
  ],
  ["a bomb that says it is small", () => declareSmallSize(zipSync({ "collection.anki2": aBomb() })), "invalid_file"],
  ["a package cut short", () => aPackage(aCollection({ notes: [aNote({})] })).slice(0, -30), "invalid_file"],
];

test.each(hostile)(
  "%s is refused with a message, and the next package imports",
  async (_, make, code) => {
    const api = await startApi();
    const ada = await api.newUser();
    await expect(importPackage(ada, make())).rejects.toMatchObject({ code });
    expect(await importPackage(ada, aPackage(aCollection({ notes: [aNote({})] })))).toMatchObject({ cards: 1 });
  },
  60_000,
);

/** Broken media lists of the newer package format, before compression. */
const lists: [string, () => Uint8Array][] = [
  ["names more than fits", () => Buffer.alloc(8_000_000, Buffer.from([10, 0]))],
  ["ends within a name", () => Uint8Array.of(10, 100, 10, 90, 97)],
  ["is no list", () => Buffer.from("<html>no</html>")],
  ["names a place outside", () => Uint8Array.of(10, 7, 10, 5, ...Buffer.from("../.."))],
];

test.each(lists)("if the media list of a newer package %s, the cards are imported without media", async (_, list) => {
  const api = await startApi();
  const ada = await api.newUser();
  const note = aNote({ fields: ['<img src="cell.png"> is what?', "a cell"] });
  const packed = { ...unzipSync(aNewPackage(aCollection({ notes: [note] }), { "cell.png": PNG })) };
  const report = await importPackage(ada, zipSync({ ...packed, media: zstdCompressSync(list()) }));
  expect(report).toMatchObject({ cards: 1, media: 0, losses: [{ what: "missing_media", examples: ["cell.png"] }] });
});

test("a package with too many cards is imported in part, with the number left out", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const notes = Array.from({ length: 50_500 }, (_, at) => aNote({ fields: [`Question ${at}`, `Answer ${at}`] }));
  const report = await importPackage(ada, aPackage(aCollection({ notes })));
  expect(report.cards).toBe(50_000);
  expect(report.losses).toMatchObject([{ what: "too_many_cards", count: 500 }]);
  expect(report.decks.length).toBeGreaterThan(4);
}, 120_000);

test("an exported deck can be imported by another student with schedules and answers", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pageId = await aPage(ada);
  const cloze = { kind: "cloze" as const, cloze: { text: "The {{c1::nucleus}} holds {{c2::DNA}}.", index: 2 } };
  const cards = [
    { ...aCard("card-1"), tags: ["bio"], question: 'a < b & "c"\n$x^2$' },
    { ...aCard("card-2"), ...cloze, question: "The nucleus holds ____.", answer: "DNA" },
    { ...aCard("card-3"), isSuspended: true },
  ];
  const componentId = await aDeck(ada, pageId, cards);
  const reviews = [NOW - 20 * DAY_MS, NOW - 9 * DAY_MS].map((reviewedAt, at): Review => {
    const named = { _id: ulid(), cardId: "card-1", componentId, mode: "study" as const };
    return { ...named, grade: at === 0 ? 4 : 3, reviewedAt, durationMs: 4000 };
  });
  for (const review of reviews) await send(ada, aChange("review_add", componentId, review));
  const ownSchedule = (await ada.client.study.getDeckSchedule({ componentId })).schedules[0];
  const file = await ada.client.flashcards.exportDeck({ componentId });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const report = await importPackage(eve, bytes);
  expect(report).toMatchObject({ cards: 3, reviews: 2, losses: [] });
  const importedId = report.decks[0]?.componentId ?? "";
  const importedCards = (await deckOf(eve, importedId)).content.cards;
  expect(importedCards.map(({ question, answer }) => [question, answer])).toEqual([
    ['a < b & "c"\n$x^2$', "the answer to card-1"],
    ["The nucleus holds ____.", "DNA"],
    ["card-3?", "the answer to card-3"],
  ]);
  expect(importedCards).toMatchObject([{ tags: ["bio"] }, { cloze: cloze.cloze }, { isSuspended: true }]);
  const [importedSchedule] = (await eve.client.study.getDeckSchedule({ componentId: importedId })).schedules;
  if (!ownSchedule || !importedSchedule) throw new Error("both were studied");
  expect(importedSchedule.stability).toBeCloseTo(ownSchedule.stability, 3);
  expect(importedSchedule.difficulty).toBeCloseTo(ownSchedule.difficulty, 2);
  expect(Math.abs(importedSchedule.dueAt - ownSchedule.dueAt)).toBeLessThan(DAY_MS);
  await expect(eve.client.flashcards.exportDeck({ componentId })).rejects.toMatchObject({ code: "not_found" });
});

test("decks whose titles are equal, or become equal when numbered, are exported under names of their own", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pageId = await aPage(ada);
  for (const title of ["Genes", "Genes", "Genes (2)", "genes"]) {
    const id = ulid();
    const { component, parentId } = deckComponent(id, pageId);
    const named = { ...component, content: deckContent([aCard(ulid())], title) };
    await send(ada, aChange("component_create", id, { component: named, parentId }));
  }
  const file = await ada.client.flashcards.exportDecks({});
  const { decks } = await importPackage(eve, new Uint8Array(await file.arrayBuffer()), "all.colpkg");
  expect(new Set(decks.map(({ title }) => title.toLowerCase())).size).toBe(4);
});

test("all decks are exported as one collection of either format and import again with their cards", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await expect(ada.client.flashcards.exportDecks({})).rejects.toMatchObject({ code: "not_found" });
  const pageId = await aPage(ada);
  await aDeck(ada, pageId, [aCard("one"), aCard("both")]);
  await aDeck(ada, pageId, [aCard("two"), aCard("both")]);
  for (const form of ["old", "new"] as const) {
    const eve = await api.newUser();
    const file = await ada.client.flashcards.exportDecks({ form });
    const report = await importPackage(eve, new Uint8Array(await file.arrayBuffer()), "all.colpkg");
    expect(report.decks.map(({ title }) => title).toSorted()).toEqual(["Genes", "Genes (2)"]);
    expect(report.losses).toEqual([]);
    const reimported = await Promise.all(report.decks.map(({ componentId }) => deckOf(eve, componentId)));
    const asked = reimported.map(({ content }) => content.cards.map(({ question }) => question).toSorted());
    expect(asked).toHaveLength(2);
    expect(asked).toEqual(
      expect.arrayContaining([
        ["both?", "one?"],
        ["both?", "two?"],
      ]),
    );
    await expect((await api.newUser()).client.flashcards.exportDecks({ form })).rejects.toMatchObject({
      code: "not_found",
    });
  }
});

test("a deck in the new format keeps schedules, pictures and two answers of the same moment", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { url } = await ada.client.flashcards.addCardPicture({}, [
    { field: "file", name: "con: ..?.png", file: new Blob([PNG]) },
  ]);
  const pageId = await aPage(ada);
  const componentId = await aDeck(ada, pageId, [
    { ...aCard("card-1"), questionImage: url, question: "one\u001ftwo\u0000 ![x](anki:%zz)" },
    aCard("card-2"),
  ]);
  const named = { componentId, mode: "study" as const, grade: 4 as const, reviewedAt: NOW - 9 * DAY_MS };
  for (const cardId of ["card-1", "card-2"])
    await send(ada, aChange("review_add", componentId, { ...named, _id: ulid(), cardId, durationMs: 10 }));
  const ownSchedules = (await ada.client.study.getDeckSchedule({ componentId })).schedules;
  const file = await ada.client.flashcards.exportDeck({ componentId, form: "new" });
  const report = await importPackage(eve, new Uint8Array(await file.arrayBuffer()));
  expect(report).toMatchObject({ cards: 2, reviews: 2, media: 1 });
  const { content, _id } = await deckOf(eve, report.decks[0]?.componentId ?? "");
  expect(content.cards[0]?.question).toMatch(/^onetwo .*!\[\]\(\/v1\/files\/[0-9a-f]+\.png\)$/s);
  const importedSchedules = (await eve.client.study.getDeckSchedule({ componentId: _id })).schedules;
  expect(importedSchedules.map(({ stability }) => stability.toFixed(2))).toEqual(
    ownSchedules.map(({ stability }) => stability.toFixed(2)),
  );
});

describe("packages of the corpus", () => {
  const folder = corpusFolder("anki");
  // A suite without tests is an error, so without a corpus it has one skipped test.
  test.skipIf(folder === undefined).each(folder ? readdirSync(folder) : ["no corpus"])(
    "%s imports or is refused with a message",
    async (name) => {
      const api = await startApi();
      const ada = await api.newUser();
      const bytes = readFileSync(join(folder ?? "", name));
      const outcome = await importPackage(ada, bytes, name).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(name).toMatch(/corrupt/);
        expect(outcome).toMatchObject({ code: "invalid_file" });
        return;
      }
      const report = outcome as Awaited<ReturnType<typeof importPackage>>;
      process.stdout.write(
        `${name}: ${JSON.stringify({ cards: report.cards, media: report.media, reviews: report.reviews, losses: report.losses.map(({ what, count }) => `${what} ${count}`) })}\n`,
      );
      expect(report.cards).toBeGreaterThan(0);
      expect((await importPackage(ada, bytes, name)).cards).toBe(0);
      for (const { componentId } of report.decks) {
        const before = (await deckOf(ada, componentId)).content.cards;
        const out = await ada.client.flashcards.exportDeck({ componentId });
        const eve = await api.newUser();
        const reimported = await importPackage(eve, new Uint8Array(await out.arrayBuffer()));
        const after = (await deckOf(eve, reimported.decks[0]?.componentId ?? "")).content.cards;
        const words = (cards: typeof before) =>
          cards.map(({ question }) => question.replaceAll(/\(\/v1[^)]*\)/g, "")).toSorted();
        expect(words(after)).toEqual(words(before));
      }
    },
    60_000,
  );
});

test("starring and unstarring cards is idempotent, in one call, and for the owner only", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pageId = await aPage(ada);
  const componentId = await aDeck(ada, pageId, [aCard("one"), aCard("two")]);
  const change = (user: TestUser, ...requests: { cardId: string; action: "add" | "remove" }[]) =>
    user.client.flashcards.changeCardFavourites({ pageId, componentId, requests });
  const add = ["one", "two", "gone"].map((cardId) => ({ cardId, action: "add" as const }));
  await change(ada, ...add);
  const { favorites } = await change(ada, ...add);
  expect(favorites.map(({ cardId }) => cardId).toSorted()).toEqual(["one", "two"]);
  expect(favorites[0]).toMatchObject({ userId: ada.userId, componentId });
  await change(ada, { cardId: "one", action: "remove" }, { cardId: "one", action: "remove" });
  expect((await ada.client.flashcards.listCardFavourites({})).favorites.map(({ cardId }) => cardId)).toEqual(["two"]);
  await expect(change(eve, ...add)).rejects.toMatchObject({ code: "not_found" });
  expect((await eve.client.flashcards.listCardFavourites({})).favorites).toEqual([]);
});

/** The package as Anki exports it after one review of a card and with one new note. */
function studiedInAnki(bytes: Uint8Array, cardId: string, at: number): Uint8Array {
  const { "collection.anki21": collection, ...rest } = unzipSync(bytes);
  const path = join(ownFolder(), "collection.anki2");
  writeFileSync(path, collection ?? rest["collection.anki2"] ?? new Uint8Array());
  const db = new DatabaseSync(path);
  db.prepare(
    `INSERT INTO revlog (id, cid, usn, ease, ivl, lastIvl, factor, time, type)
      SELECT ?, c.id, -1, 3, 30, 9, 2500, 4000, 1 FROM cards c JOIN notes n ON n.id = c.nid WHERE n.guid = ?`,
  ).run(at, cardId);
  db.prepare("UPDATE notes SET guid = 'written-in-anki', id = id + 1000 WHERE guid = ?").run("card-9");
  db.prepare("UPDATE cards SET nid = nid + 1000 WHERE nid + 1000 IN (SELECT id FROM notes)").run();
  db.close();
  return zipSync({ ...rest, [collection ? "collection.anki21" : "collection.anki2"]: readFileSync(path) });
}

test("a deck that was exported, studied in Anki and imported again updates the deck it came from", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const cloze = { kind: "cloze" as const, cloze: { text: "The {{c1::nucleus}} holds DNA.", index: 1 } };
  const cards = [
    aCard("card-1"),
    { ...aCard("card-2"), ...cloze, question: "The ____ holds DNA.", answer: "nucleus", groupId: "note-2" },
    aCard("card-3"),
    aCard("card-9"),
  ];
  const componentId = await aDeck(ada, pageId, cards);
  const first = { _id: ulid(), cardId: "card-1", componentId, mode: "study" as const };
  await send(ada, aChange("review_add", componentId, { ...first, grade: 3, reviewedAt: NOW - 20 * DAY_MS }));
  const exported = await ada.client.flashcards.exportDeck({ componentId });
  const bytes = studiedInAnki(new Uint8Array(await exported.arrayBuffer()), "card-1", NOW - 5 * DAY_MS);
  // Meanwhile the student edited one card in the original deck and deleted another.
  const { content, version } = await deckOf(ada, componentId);
  const [one, two, , nine] = content.cards;
  const edited = [{ ...one, question: "Edited here" }, two, nine];
  await send(
    ada,
    aChange(
      "component_content_update",
      componentId,
      { newContent: { ...content, cards: edited } },
      { baseVersion: version },
    ),
  );
  const report = await importPackage(ada, bytes, "back.apkg", pageId);
  expect(report.decks).toMatchObject([{ componentId, pageId, added: 1 }]);
  expect(report).toMatchObject({ cards: 1, reviews: 1 });
  const after = (await deckOf(ada, componentId)).content.cards;
  expect(after.map(({ question }) => question)).toEqual(["Edited here", "The ____ holds DNA.", "card-9?", "card-9?"]);
  const { schedules } = await ada.client.study.getDeckSchedule({ componentId });
  expect(schedules.find(({ cardId }) => cardId === "card-1")).toMatchObject({
    reps: 2,
    lastReviewedAt: NOW - 5 * DAY_MS,
  });
  expect(await importPackage(ada, bytes, "back.apkg", pageId)).toMatchObject({ cards: 0, reviews: 0 });
  const { content: all } = await ada.client.pages.getContent({});
  expect(all.components.filter(({ type }) => type === "flash_cards")).toHaveLength(1);
});
