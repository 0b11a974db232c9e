import { beforeAll, expect, test } from "vitest";
import { unzipSync } from "fflate";
import { termOf } from "#api/website/document/cards.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCourse, buildSiteKitOnce, LINES, readPreview } from "./aids.ts";

beforeAll(buildSiteKitOnce);

const api = await startApi({ forFile: true });

async function aSite(kind: "study_guide" | "timeline" | "portfolio" = "study_guide") {
  const ada = await api.newUser();
  const { page, deck } = await aCourse(ada);
  const { _id: id } = await ada.client.website.createProject({ name: "" });
  const state = await ada.client.website.makeSite({ id, kind, title: "Genes", sourceIds: [page, deck] });
  return { ada, id, state, page, deck };
}

test("a study guide is made from notes and a deck, and each line names its source", async () => {
  const { state } = await aSite();
  const sections = state.document?.sections ?? [];
  const itemsOf = (wanted: string) => sections.find(({ kind }) => kind === wanted)?.items ?? [];
  expect(state.document).toMatchObject({ kind: "study_guide", title: "Genes" });
  expect(sections.map(({ kind }) => kind)).toEqual(["summary", "glossary", "flashcards", "quiz", "sources"]);
  const lines = sections.filter(({ kind }) => kind !== "sources").flatMap(({ items }) => items);
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) expect(line.citation).toMatch(/^(page|flashcard)_citation:/);
  for (const { text } of itemsOf("summary")) expect(LINES).toContain(text);
  expect(itemsOf("flashcards").find(({ id }) => id === "codon")).toMatchObject({
    text: "What is a codon?",
    answer: "the answer to codon",
  });
  for (const { options, answer } of itemsOf("quiz")) expect(options).toContain(answer);
  expect(itemsOf("glossary").map(({ text }) => text)).toContain("Codon");
  expect(state.project.name).toBe("Genes");
});

test("a timeline has the dated sentences in the order of their dates", async () => {
  const { state } = await aSite("timeline");
  const timeline = state.document?.sections.find(({ kind }) => kind === "timeline");
  expect(timeline?.items.map(({ when, text }) => [when, text])).toEqual([
    ["1869", LINES[5]],
    ["1953", LINES[3]],
  ]);
});

test.each([
  ["What is a codon?", "three nucleotides", "Codon"],
  ["What is the process of removing introns and reconnecting exons called?", "splicing", "Splicing"],
  ["What are price indices for the 200 items combined into?", "an overall index", undefined],
  ["What is the Producer Price Index based on?", "prices of supplies", undefined],
  ["A ____ is a covalently closed circle.", "chromosome", undefined],
])("the term that the question %s asks for is in the glossary", (text, answer, term) => {
  expect(termOf({ text, answer })).toBe(term);
});

test("a portfolio shows the notes as they were written", async () => {
  const { state } = await aSite("portfolio");
  const [pages] = state.document?.sections ?? [];
  expect(pages?.items.map(({ text }) => text)).toEqual(["Genes and proteins", ...LINES]);
  // This includes the heading at the beginning of the notes.
  const citations = pages?.items.map(({ citation, label }) => [citation, label]) ?? [];
  for (const [citation, label] of citations)
    expect([citation, label]).toEqual([expect.stringMatching(/^page_citation:/), "Genes and proteins"]);
  expect(citations[0]).toEqual(citations[1]);
});

test("the forms change the document, and restoring a checkpoint creates a new one", async () => {
  const { ada, id, state } = await aSite();
  const before = state.checkpoints[0]?._id ?? "";
  const [first, second] = state.document?.sections ?? [];
  if (!first || !second) throw new Error("the site has no sections");
  const edited = await ada.client.website.editSite({
    id,
    edits: [
      { type: "set_title", title: "Biology", subtitle: "Chapter 15" },
      { type: "set_theme", theme: { accent: "plum", font: "sans" } },
      { type: "move_section", sectionId: first.id, by: 1 },
      { type: "rename_section", sectionId: second.id, title: "Words" },
      { type: "remove_item", sectionId: first.id, itemId: first.items[0]?.id ?? "" },
    ],
  });
  expect(edited.document).toMatchObject({ title: "Biology", subtitle: "Chapter 15", theme: { accent: "plum" } });
  expect(edited.document?.sections.slice(0, 2).map(({ title }) => title)).toEqual(["Words", "Summary"]);
  expect(edited.document?.sections[1]?.items).toHaveLength(first.items.length - 1);
  const restored = await ada.client.website.restoreCheckpoint({ id, checkpointId: before });
  expect(restored.document).toEqual(state.document);
  expect(restored.checkpoints.map(({ reason }) => reason)).toEqual(["restored", "edited", "made", "created"]);
});

test("a preview is built, served under a secret address with its headers, and follows each change", async () => {
  const { ada, id } = await aSite();
  const { devServer } = await ada.client.website.startPreview({ id });
  expect(devServer).toMatchObject({ status: "online", faults: [], build: 1 });
  expect(devServer.dev_url).toMatch(/^http:\/\/localhost:\d+\/[\w-]{22}\/$/);
  const { headers, text } = await readPreview(devServer.dev_url);
  const base = devServer.dev_url?.slice(0, -1) ?? "";
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^sandbox allow-scripts allow-forms allow-modals allow-downloads; default-src 'none'; /);
  for (const part of [
    `script-src ${base}/ 'sha256-`,
    `connect-src ${base}/;`,
    "form-action 'none'",
    "frame-src 'none'",
  ])
    expect(policy).toContain(part);
  expect(policy).not.toContain("allow-same-origin");
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    vary: "Sec-Fetch-Dest, Accept-Encoding",
  });
  expect(text).toContain("RTCPeerConnection");
  expect(text.indexOf("RTCPeerConnection")).toBeLessThan(text.indexOf("site.js"));
  for (const file of ["site.js", "kit.js"])
    expect((await readPreview(devServer.dev_url, file)).text.startsWith("(function () {\n  if (typeof window")).toBe(
      true,
    );
  for (const file of ["", "site.js", "kit.js", "kit.css"]) {
    const packed = await readPreview(devServer.dev_url, file);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect((await readPreview(devServer.dev_url, file, "identity")).text).toBe(packed.text);
  }
  await ada.client.website.editSite({ id, edits: [{ type: "set_title", title: "Renamed", subtitle: "" }] });
  expect((await readPreview(devServer.dev_url, "site.js")).text).toContain("Renamed");
  await ada.client.website.stopPreview({ id });
  expect((await readPreview(devServer.dev_url)).status).toBe(404);
});

test("files of /public/ are served by their names, but no script, which would have no prelude", async () => {
  const { ada, id } = await aSite();
  for (const name of ["notes.txt", "extra.js"])
    await ada.client.website.putSiteFile({ id, path: `/public/${name}`, text: "void 0;" });
  const { devServer } = await ada.client.website.startPreview({ id });
  expect((await readPreview(devServer.dev_url, "notes.txt")).status).toBe(200);
  expect((await readPreview(devServer.dev_url, "extra.js")).status).toBe(404);
});

test("a site opened in its own tab is in the frame of a page without scripts", async () => {
  const { ada, id } = await aSite();
  const { devServer } = await ada.client.website.startPreview({ id });
  const response = await fetch(devServer.dev_url ?? "", { headers: { "sec-fetch-dest": "document" } });
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain(`frame-src ${new URL(devServer.dev_url ?? "").origin}`);
  expect(policy).not.toContain("script-src");
  expect(policy).not.toContain("sandbox");
  const text = await response.text();
  expect(text).toContain('sandbox="allow-scripts allow-forms allow-modals allow-downloads"');
  expect(text).not.toContain("<script");
});

test("if a change does not build, the last good preview stays, and the error names file and line", async () => {
  const { ada, id } = await aSite();
  const { devServer } = await ada.client.website.startPreview({ id });
  const broken = await ada.client.website.putSiteFile({ id, path: "/src/main.tsx", text: "const a = 1;\nconst = ;\n" });
  expect(broken.devServer).toMatchObject({ status: "offline", build: 1, dev_url: devServer.dev_url });
  expect(broken.devServer.faults).toMatchObject([{ path: "/src/main.tsx", line: 2 }]);
  expect(broken.checkpoints[0]).toMatchObject({ reason: "code", isGood: false });
  expect((await readPreview(devServer.dev_url, "site.js")).status).toBe(200);
  const { faults } = await ada.client.website.checkSite({ id });
  expect(faults).toEqual(broken.devServer.faults);
});

test("a path outside the site and a file that is too large are refused", async () => {
  const { ada, id } = await aSite();
  for (const path of [
    "/../etc/x.ts",
    "/src/../../x.ts",
    "src/main.tsx",
    "/a/%2e%2e/b.ts",
    "/a\u0000.ts",
    "/.env.ts",
    "/x.sh",
  ])
    await expect(ada.client.website.putSiteFile({ id, path, text: "" })).rejects.toMatchObject({ code: "bad_input" });
  const text = "a".repeat(512 * 1024);
  await expect(ada.client.website.putSiteFile({ id, path: "/a.txt", text: `${text}é` })).rejects.toMatchObject({
    status: 400,
  });
});

test("the export opens from the disk: the built site, its files and its sources", async () => {
  const { ada, id } = await aSite();
  const response = await ada.client.website.exportSite({ id });
  const entries = unzipSync(new Uint8Array(await response.arrayBuffer()));
  expect(Object.keys(entries)).toEqual(
    expect.arrayContaining([
      "index.html",
      "site.js",
      "kit.js",
      "kit.css",
      "source/site.json",
      "SOURCES.md",
      "README.md",
    ]),
  );
  const text = (name: string) => Buffer.from(entries[name] ?? []).toString();
  expect(text("index.html")).toContain("Content-Security-Policy");
  expect(text("SOURCES.md")).toContain("Genes and proteins");
});

test("every call about another account's project is answered as for a missing one", async () => {
  const { id, state } = await aSite();
  const { client } = await api.newUser();
  const checkpointId = state.checkpoints[0]?._id ?? "";
  for (const call of [
    () => client.website.getProject({ id }),
    () => client.website.startPreview({ id }),
    () => client.website.listWebsiteThreads({ id }),
    () => client.website.getSiteFile({ id, path: "/site.json" }),
    () => client.website.restoreCheckpoint({ id, checkpointId }),
    () => client.website.deleteProject({ id }),
  ])
    await expect(call()).rejects.toMatchObject({ code: "not_found" });
});

test("a deleted project is removed with its preview, and a name is generated only once", async () => {
  const { ada, id } = await aSite();
  const { devServer } = await ada.client.website.startPreview({ id });
  await ada.client.website.deleteProject({ id });
  expect((await readPreview(devServer.dev_url)).status).toBe(404);
  expect((await ada.client.website.listProjects({})).projects).toEqual([]);
  const unnamed = await ada.client.website.createProject({ name: "" });
  const part = { type: "text" as const, metadata: { text: "Please make a revision site for anatomy." } };
  const messages = [{ role: "user" as const, parts: [part] }];
  const { title } = await ada.client.website.generateProjectName({ id: unnamed._id, messages });
  expect(title).toBe("Revision site for anatomy");
  const thread = await ada.client.website.createWebsiteThread({ id: unnamed._id });
  const named = { id: unnamed._id, threadId: thread._id };
  expect(await ada.client.website.generateThreadTitle({ ...named, messages })).toEqual({ title: "" });
  const two = [...messages, { role: "assistant" as const, parts: [] }];
  expect(await ada.client.website.generateThreadTitle({ ...named, messages: two })).toEqual({ title });
  expect((await ada.client.website.listWebsiteThreads({ id: unnamed._id })).threads).toMatchObject([
    { thread_title: title },
  ]);
});

test("a comparison names each file that differs, with its changed lines", async () => {
  const { ada, id, state } = await aSite();
  const checkpointId = state.checkpoints[0]?._id ?? "";
  expect((await ada.client.website.compareCheckpoint({ id, checkpointId })).changes).toEqual([]);
  await ada.client.website.editSite({ id, edits: [{ type: "set_title", title: "Renamed", subtitle: "" }] });
  await ada.client.website.putSiteFile({ id, path: "/src/new.ts", text: "export const a = 1;\n" });
  const { changes } = await ada.client.website.compareCheckpoint({ id, checkpointId });
  expect(changes.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
    ["/site.json", "changed", 1, 1],
    ["/src/new.ts", "added", 1, 0],
  ]);
  const lines = changes[0]?.hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind !== "same");
  expect(lines?.map(({ kind, text }) => [kind, text.trim()])).toEqual([
    ["removed", '"title": "Genes",'],
    ["added", '"title": "Renamed",'],
  ]);
  const { client } = await api.newUser();
  await expect(client.website.compareCheckpoint({ id, checkpointId })).rejects.toMatchObject({ code: "not_found" });
});
