import { zipSync } from "fflate";
import { expect, test, vi } from "vitest";
import { ownedBy } from "#api/store/owned-store.ts";
import { changeImport } from "#api/library/import-store.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { aChange, aText, send } from "#tests/store/changes.ts";
import { madePdf } from "#tests/pdf/made-pdf.ts";
import { aNotionExport, anObsidianVault, aZip, PIXEL } from "./made-notes.ts";

const importNotes = (user: TestUser, bytes: Uint8Array, name = "Export-5f0c.zip") =>
  user.client.library.importNotes({}, [{ field: "file", name, file: new Blob([Buffer.from(bytes)]) }]);

const aPdf = (text: string) => madePdf([[{ x: 72, y: 72, text }]]);

async function pagesOf(user: TestUser) {
  const { content } = await user.client.pages.getContent({});
  const standing = content.pages.filter((page) => !page.archived);
  return new Map(
    await Promise.all(
      standing.map(async (page) => [page.title, await user.client.pages.getPage({ id: page._id })] as const),
    ),
  );
}

const textOf = (component: Component) =>
  component.type === "text" ? `${component.content.subType}: ${plainText(component.content.text)}` : component.type;

function tagsIn(components: readonly Component[] = []) {
  const runs = components.flatMap((c) => (c.type === "text" ? c.content.text : []));
  return runs.flatMap(({ reference, content }) =>
    reference?.kind === "page_tag" ? [{ to: reference.target, words: content }] : [],
  );
}

test("a Notion export is imported with pages, folders, links, table and picture; importing again changes nothing", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const report = await importNotes(ada, aNotionExport());
  expect(report).toMatchObject({ kind: "notion", state: "done", pages: 4, known: 0, files: 1, folders: 3 });
  expect(report.losses).toMatchObject([{ what: "broken_links", count: 1 }]);
  const pages = await pagesOf(ada);
  expect([...pages.keys()].toSorted()).toEqual(["ATP", "Biology", "Osmosis", "Terms"]);
  const biology = pages.get("Biology");
  const osmosis = pages.get("Osmosis");
  const terms = pages.get("Terms");
  expect(biology?.components.map(textOf)).toEqual([
    "normal: Owner: Ada Tags: exam, spring",
    "normal: Read Osmosis and the table first.",
    "block_quote: 💡 Membranes let some things through.",
    "image",
    "list_checkbox_checked: Chapter 1",
    "list_checkbox_unchecked: Chapter 2",
    "normal: See also Osmosis and what is gone.",
  ]);
  const ids = [osmosis?.page._id, terms?.page._id];
  expect(tagsIn(biology?.components).map(({ to }) => to)).toEqual([...ids, osmosis?.page._id]);
  expect(osmosis?.components.map(({ type }) => type)).toEqual(["text", "text", "code_block", "equation"]);
  const { folders } = await ada.client.library.listFolders({});
  const top = folders.find(({ _id }) => _id === report.folderId);
  expect(top?.title).toBe("Export-5f0c");
  const inside = folders.find(({ title }) => title === "Biology");
  expect(top?.items).toMatchObject([{ item_type: "folder", item_id: inside?._id }]);
  expect(inside?.items.map(({ item_type }) => item_type)).toEqual(["folder", "page", "page"]);

  const secondImport = await importNotes(ada, aNotionExport());
  expect(secondImport).toMatchObject({ pages: 0, known: 4, files: 0, state: "done" });
  expect(await pagesOf(ada)).toEqual(pages);
  expect((await ada.client.library.listFolders({})).folders.map(({ items }) => items.length)).toEqual(
    folders.map(({ items }) => items.length),
  );
});

test("an Obsidian vault is imported with links, aliases, tags, callouts and embeds, and a report lists what was left out", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const report = await importNotes(ada, anObsidianVault(), "vault.zip");
  expect(report).toMatchObject({ kind: "obsidian", pages: 3, files: 1, decks: 1, folders: 2 });
  expect(Object.fromEntries(report.losses.map(({ what, count }) => [what, count]))).toEqual({
    broken_links: 1,
    refused_files: 1,
    unsupported_files: 1,
  });
  expect(report.losses.find(({ what }) => what === "broken_links")?.examples).toEqual(["Nowhere yet"]);
  const pages = await pagesOf(ada);
  const index = pages.get("Index")?.components;
  expect(index?.map(textOf)).toEqual([
    "normal: Tags: biology, exam",
    "normal: Also called: Start here, Home",
    "normal: created: 2026-01-04",
    "normal: Begin with Osmosis, then the powerhouse and Osmosis > Water. Back to start here; Nowhere yet is still to be written.",
    "block_quote: Exam",
    "block_quote: Twelve questions, no notes.",
    "block_quote: Tip",
    "block_quote: Sleep.",
    "image",
    "normal: Osmosis",
    "normal: Not a link: [[code]]  and the end.",
  ]);
  const idOf = (title: string) => pages.get(title)?.page._id;
  const targets = ["Osmosis", "Mitochondria", "Osmosis", "Index", "Osmosis"].map(idOf);
  expect(tagsIn(index).map(({ to }) => to)).toEqual(targets);
  expect(tagsIn(pages.get("Osmosis")?.components)).toEqual([{ to: idOf("Index"), words: "Back" }]);
  const { folders } = await ada.client.library.listFolders({});
  expect(folders.map(({ title }) => title).toSorted()).toEqual(["Cells", "My vault"]);
  // The imported words can be found in their new locations.
  const { found } = await searchIndexed(ada, { q: "powerhouse" });
  expect(found).toMatchObject([{ pageId: idOf("Index") }]);
});

test("folders of Markdown and HTML are imported together; scripts of web pages are dropped", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const document = aPdf("Osmosis is the movement of water.");
  const report = await importNotes(
    ada,
    aZip({
      "a.md": "# First\n\nSee [second](sub/b.html) and ![paper](sub/paper.pdf)\n\n![far](https://example.org/x.png)",
      "sub/b.html":
        '<html><head><title>Second</title><script>alert(1)</script></head><body><h1>Second</h1><p onclick="steal()">Some <b>bold</b> <a href="../a.md">back</a> <a href="javascript:alert(1)">no</a></p><ul><li>One<ul><li>Two</li></ul></li></ul><pre><code class="language-js">let x;</code></pre><hr><img src="p.png" onerror="x()"></body></html>',
      "sub/p.png": PIXEL,
      "sub/paper.pdf": document,
      "loose.png": PIXEL,
      "notes.txt": "Only words.",
    }),
    "course.zip",
  );
  expect(report).toMatchObject({ kind: "markdown", pages: 4, files: 3, folders: 2, links: 2 });
  expect(report.losses.map(({ what }) => what).toSorted()).toEqual(["remote_pictures", "scripts"]);
  const pages = await pagesOf(ada);
  const [first, second] = [pages.get("First"), pages.get("Second")];
  expect(first?.components.map(textOf)).toEqual(["normal: See second and", "image", "normal: far"]);
  expect(second?.components.map(textOf)).toEqual([
    "normal: Some bold back no",
    "list_unordered: One",
    "list_unordered: Two",
    "code_block",
    "divider",
    "image",
  ]);
  expect(JSON.stringify(second?.components)).not.toMatch(/alert|steal|onerror|javascript/);
  expect(tagsIn(second?.components)).toEqual([{ to: first?.page._id, words: "back" }]);
  expect(pages.get("Other files")?.components.map(({ type }) => type)).toEqual(["image"]);
});

test("one click undoes an import, including pages edited since; it can be imported again", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { _id: id } = await importNotes(ada, anObsidianVault());
  const own = await aText(ada, (await pagesOf(ada)).get("Index")?.page._id ?? "", "Mine.");
  expect((await ada.client.library.listImports({})).imports).toMatchObject([{ _id: id, pages: 3, removedAt: null }]);
  const { import: undone } = await ada.client.library.undoImport({ id });
  expect(undone.removedAt).not.toBeNull();
  expect((await pagesOf(ada)).size).toBe(0);
  expect((await ada.client.library.listFolders({})).folders).toEqual([]);
  expect((await ada.client.library.undoImport({ id })).import).toEqual(undone);
  const secondImport = await importNotes(ada, anObsidianVault());
  expect(secondImport).toMatchObject({ pages: 3, known: 0, folders: 2 });
  const index = (await pagesOf(ada)).get("Index");
  expect(index?.components.map(({ _id }) => _id)).toContain(own);
});

test("a page edited here stays unchanged when its note is imported again", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await importNotes(ada, aZip({ "a.md": "Words." }));
  const [page] = (await pagesOf(ada)).values();
  await send(ada, aChange("page_update", page?.page._id ?? "", { title: "My own title" }));
  expect(await importNotes(ada, aZip({ "a.md": "Words." }))).toMatchObject({ pages: 0, known: 1 });
  expect([...(await pagesOf(ada)).keys()]).toEqual(["My own title"]);
});

test("another account's imports are not visible, and each account imports its own copy", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { _id } = await importNotes(ada, anObsidianVault());
  expect((await eve.client.library.listImports({})).imports).toEqual([]);
  await expect(eve.client.library.undoImport({ id: _id })).rejects.toMatchObject({ code: "not_found" });
  expect(await importNotes(eve, anObsidianVault())).toMatchObject({ pages: 3, known: 0 });
  expect((await pagesOf(ada)).size).toBe(3);
});

test("a cancelled import keeps what it imported, continues when repeated, and can be removed", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const notes = aZip(Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`n${n}.md`, `Note number ${n}`])));
  const stopper = new AbortController();
  const sent = [{ field: "file", name: "many.zip", file: new Blob([Buffer.from(notes)]) }];
  const events = ada.client.library.importNotes.stream({}, sent, { signal: stopper.signal });
  const read = async () => {
    for await (const event of events) if (event.type === "progress" && event.done > 2) stopper.abort();
  };
  await expect(read()).rejects.toMatchObject({ reason: "aborted" });
  const stopped = await vi.waitFor(async () => {
    const [first] = (await ada.client.library.listImports({})).imports;
    expect(first?.state).toBe("stopped");
    return first;
  }, 20_000);
  const imported = stopped?.pages ?? 0;
  expect(imported).toBeGreaterThan(2);
  expect(imported).toBeLessThan(120);
  expect((await pagesOf(ada)).size).toBe(imported);
  const whole = await importNotes(ada, notes, "many.zip");
  expect(whole).toMatchObject({ state: "done", pages: 120, known: 0 });
  // Undoing the import also removes what was imported before it was cancelled.
  expect((await ada.client.library.listImports({})).imports.map(({ _id }) => _id)).toEqual([whole._id]);
  await ada.client.library.undoImport({ id: whole._id });
  expect((await pagesOf(ada)).size).toBe(0);
});

/** Imports some notes as a server does that is killed before the others: its record stays `running`. */
async function importWithKilledServer(api: TestApi, user: TestUser, bytes: Uint8Array) {
  const { _id } = await importNotes(user, bytes, "vault.zip");
  await changeImport(ownedBy(api.deps.store, user.userId), _id, { state: "running" });
  return _id;
}

const twoNotes = aZip({ "a.md": "One.", "b.md": "Two." });

test("an import whose server was killed is continued by the next import of the same archive", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await importWithKilledServer(api, ada, aZip({ "a.md": "One." }));
  api.clock.advance(86_400_000);
  const whole = await importNotes(ada, twoNotes, "vault.zip");
  expect(whole).toMatchObject({ state: "done", pages: 2, known: 0 });
  expect((await ada.client.library.listImports({})).imports).toEqual([whole]);
});

test("undoing a killed import leaves the pages that a later import has taken over", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const killed = await importWithKilledServer(api, ada, aZip({ "a.md": "One.", "old.md": "Only in the first." }));
  // Resumed at once, when the server cannot know yet that the first import has ended.
  api.clock.advance(60_000);
  const whole = await importNotes(ada, twoNotes, "vault.zip");
  api.clock.advance(86_400_000);
  await ada.client.library.undoImport({ id: killed });
  expect([...(await pagesOf(ada)).keys()].toSorted()).toEqual(["a", "b"]);
  await ada.client.library.undoImport({ id: whole._id });
  expect((await pagesOf(ada)).size).toBe(0);
});

test("files that no note shows are on one page, whose title is in the student's language", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await ada.client.user.savePreferences({ appearance: { language: "de" } });
  const lecture = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(200)]);
  const report = await importNotes(ada, aZip({ "a.md": "One.", "lecture.ogg": lecture, "photo.png": PIXEL }));
  expect(report).toMatchObject({ files: 2, losses: [] });
  const components = (await pagesOf(ada)).get("Weitere Dateien")?.components;
  expect(components?.map(({ type }) => type)).toEqual(["video", "image"]);
});

test("a file of the archive that cannot be unpacked is reported as unreadable, not as missing", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const archive = Buffer.from(
    aZip({ "a.md": "![A cell](cell.png)", "cell.png": Buffer.concat([PIXEL, Buffer.alloc(500)]) }),
  );
  // The content follows the name in the file's header; no block of deflate begins with 0xff.
  archive[archive.indexOf("cell.png") + "cell.png".length] = 0xff;
  const report = await importNotes(ada, archive);
  expect(report).toMatchObject({ pages: 1, losses: [{ what: "unreadable_files", count: 1, examples: ["cell.png"] }] });
});

test("an archive on which the reader fails is refused, and the log says where without the notes' text", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const logged = vi.spyOn(api.deps.log, "error").mockReturnValue(undefined);
  const tooDeep = aZip({ [`${"secret/".repeat(9_000)}n.md`]: "Secret words." });
  await expect(importNotes(ada, tooDeep)).rejects.toMatchObject({ code: "invalid_file" });
  expect(logged.mock.calls).toEqual([
    [
      {
        requestId: expect.any(String) as string,
        trace: expect.stringMatching(/^RangeError\n[^]*notes-tree/) as string,
      },
      "the notes reader failed",
    ],
  ]);
  expect(JSON.stringify(logged.mock.calls)).not.toMatch(/secret/i);
});

const bomb = () => zipSync({ "a.md": new Uint8Array(40 * 1024 * 1024) });
const manyEntries = () => aZip(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`${n}.md`, ""])));

test.each([
  ["a file that isn't a zip", () => Buffer.from("not a zip at all"), "invalid_file", /not a zip/],
  ["an empty file", () => Buffer.from(""), "invalid_file", /not a zip/],
  ["half a zip", () => aNotionExport().slice(0, 300), "invalid_file", /not a zip/],
  ["a zip with a parent path", () => aZip({ "../../etc/cron.d/x.md": "x" }), "invalid_file", /outside itself/],
  ["a zip with a drive path", () => aZip({ "C:\\Windows\\x.md": "x" }), "invalid_file", /outside itself/],
  ["a zip with an absolute path", () => aZip({ "/etc/passwd.md": "x" }), "invalid_file", /outside itself/],
  ["a zip bomb", bomb, "too_large", /too large when unpacked/],
  ["a zip with a bomb inside", () => aZip({ "part.zip": bomb() }), "too_large", /too large when unpacked/],
  ["too many files", manyEntries, "too_large", /too large when unpacked/],
  ["an empty zip", () => aZip({ ".DS_Store": "x", "__MACOSX/._a.md": "x" }), "invalid_file", /no notes/],
])(
  "%s is refused with a message, and nothing is imported",
  async (_name, bytes, code, words) => {
    const api = await startApi();
    const ada = await api.newUser();
    const refused = await importNotes(ada, bytes()).catch(
      (error: unknown) => error as { code: string; message: string },
    );
    expect(refused).toMatchObject({ code, message: expect.stringMatching(words) as string });
    expect((await ada.client.library.listImports({})).imports).toEqual([]);
    expect((await pagesOf(ada)).size).toBe(0);
  },
  60_000,
);

test("files beyond the daily upload limit are listed and can be imported another day", async () => {
  const api = await startApi();
  const ada = await api.newUser({ plan: "FREE" });
  const [one, two] = [aPdf("One."), aPdf("Two.")];
  const notes = aZip({ "a.md": "![one](one.pdf)\n\n![two](two.pdf)\n\nWords.", "one.pdf": one, "two.pdf": two });
  const report = await importNotes(ada, notes);
  expect(report).toMatchObject({
    pages: 1,
    files: 1,
    losses: [{ what: "uploads_used_up", count: 1, examples: ["two.pdf"] }],
  });
  api.clock.advance(86_400_000);
  expect(await importNotes(ada, notes)).toMatchObject({ pages: 0, known: 1, files: 1, losses: [] });
  const page = (await pagesOf(ada)).get("a");
  expect(page?.components.map(({ type }) => type)).toEqual(["image", "image", "text"]);
});
