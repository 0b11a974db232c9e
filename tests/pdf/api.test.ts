import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TestApi, type TestUser, startApi } from "#tests/kit/api.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const hasCorpus = existsSync(join(corpus, "textbook"));
// oxlint-disable-next-line no-console -- Says in the test output that these tests are skipped.
if (!hasCorpus) console.log(`PDF uploads: skipped, no corpus at ${corpus}`);

const CHAPTER = "15-genes-and-proteins.pdf";
const readChapter = () => readFile(join(corpus, "textbook", CHAPTER));

async function upload(user: TestUser, bytes: Uint8Array, name: string, input = {}) {
  const file = new Blob([new Uint8Array(bytes)]);
  const { component } = await user.client.uploads.uploadImageComponent(input, [{ field: "file", file, name }]);
  if (component.type !== "image") throw new Error("not an image component");
  return component;
}

const askData = (api: TestApi, user: TestUser, componentId: string, headers = {}) =>
  fetch(`${api.origin}/v1/pdf_component/data?componentId=${componentId}`, {
    headers: { authorization: `Bearer ${user.token}`, ...headers },
  });

const readCorpusPdf = (name: string) => readFile(join(corpus, "pdf", name));

describe.skipIf(!hasCorpus)("an uploaded PDF", () => {
  test("becomes an image component whose file id ends in .pdf, on a listed page", async () => {
    const api = await startApi();
    const ada = await api.newUser();

    const component = await upload(ada, await readChapter(), `C:\\notes\\${CHAPTER}`);

    expect(component.content).toMatchObject({ file: { name: CHAPTER }, title: "Genes and Proteins" });
    expect(component.content.file.id).toMatch(/\.pdf$/u);
    const { content } = await ada.client.pages.getContent({});
    expect(content.pages.map(({ _id }) => _id)).toContain(component.pageId);
  });

  test("returns its passages, all of them or those of a page range", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const { _id: id } = await upload(ada, await readChapter(), CHAPTER);

    const all = await ada.client.pdf.getPassages({ id });
    const some = await ada.client.pdf.getPassages({ id, from: 2, to: 3 });

    expect(all.pageCount).toBe(18);
    expect(all.passages[0]?.text).toBe("Genes and Proteins");
    expect(some.passages).toEqual(all.passages.filter(({ locator: { page } }) => page === 2 || page === 3));
    await expect(ada.client.pdf.getPassages({ id, from: 3, to: 2 })).rejects.toMatchObject({ code: "bad_input" });
  });

  test("is parsed once: after a restart its passages are the same, even without the file", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const { _id: id } = await upload(ada, await readChapter(), CHAPTER);
    const before = await ada.client.pdf.getPassages({ id });

    await api.stop();
    await rm(join(api.dataDir, "files"), { recursive: true });
    const restarted = await startApi({ dataDir: api.dataDir });
    const after = await restarted.clientFor(ada.token).pdf.getPassages({ id });

    expect(after).toEqual(before);
  });

  test("is served byte for byte, in full and in ranges, with headers that forbid scripts", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const bytes = await readChapter();
    const { _id } = await upload(ada, bytes, CHAPTER);

    const whole = await askData(api, ada, _id);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    expect(whole.headers.get("content-type")).toBe("application/pdf");
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(whole.headers.get("content-security-policy")).toContain("default-src 'none'");

    const part = await askData(api, ada, _id, { range: "bytes=100-199" });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 100-199/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
    expect((await askData(api, ada, _id, { range: `bytes=${bytes.length}-` })).status).toBe(416);
  });

  test("is not found for another account", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const eve = await api.newUser();
    const component = await upload(ada, await readChapter(), CHAPTER);
    const refused = { code: "not_found" };

    await expect(eve.client.pdf.getPdfData({ componentId: component._id })).rejects.toMatchObject(refused);
    await expect(eve.client.pdf.getPassages({ id: component._id })).rejects.toMatchObject(refused);
    await expect(eve.client.uploads.getFile({ fileId: component.content.file.id })).rejects.toMatchObject(refused);
    await expect(upload(eve, await readChapter(), CHAPTER, { pageId: component.pageId })).rejects.toMatchObject(
      refused,
    );
    await expect(upload(eve, await readChapter(), CHAPTER, { componentId: component._id })).rejects.toMatchObject({
      code: "already_exists",
    });
    await expect(eve.client.pdf.getPdfData({})).rejects.toMatchObject({ code: "bad_input" });
  });

  test("sent twice under one component id creates one component", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const componentId = "01HZZZZZZZZZZZZZZZZZZZZZZZ";

    const first = await upload(ada, await readChapter(), CHAPTER, { componentId });
    const second = await upload(ada, await readChapter(), CHAPTER, { componentId });

    expect(second).toEqual(first);
  });

  test("sent several times at once under one component id creates one component and counts once", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const componentId = "01HZZZZZZZZZZZZZZZZZZZZZZZ";
    const bytes = await readCorpusPdf("tiny_pdf.pdf");

    const made = await Promise.all([1, 2, 3].map(() => upload(ada, bytes, "a.pdf", { componentId })));

    expect(new Set(made.map(({ content }) => content.file.id)).size).toBe(1);
    expect((await ada.client.user.getUsage({})).fileUploads).toBe(1);
  });
});

describe.skipIf(!hasCorpus)("a bad upload", () => {
  test("is reported as empty, damaged, truncated or encrypted", async () => {
    const api = await startApi();
    const ada = await api.newUser();

    await expect(upload(ada, new Uint8Array(), "a.pdf")).rejects.toMatchObject({
      code: "invalid_file",
      message: "The file is empty. Please select a valid file.",
    });
    await expect(upload(ada, await readCorpusPdf("gen_junk_before_header.pdf"), "a.pdf")).rejects.toMatchObject({
      code: "invalid_pdf",
      message: "This file doesn't appear to be a valid PDF. Please ensure it's not corrupted.",
    });
    await expect(upload(ada, await readCorpusPdf("gen_truncated_header_only.pdf"), "a.pdf")).rejects.toMatchObject({
      code: "invalid_pdf",
      message: "This appears to be a PDF file. Please ensure it's a valid PDF and try again.",
    });
    await expect(upload(ada, await readCorpusPdf("password-example.pdf"), "a.pdf")).rejects.toMatchObject({
      code: "invalid_pdf",
      data: { reason: "encrypted" },
    });
  });

  test("names an unsupported type in the error", async () => {
    const api = await startApi();
    const ada = await api.newUser();

    await expect(upload(ada, new TextEncoder().encode("<svg/>"), "drawing.svg")).rejects.toMatchObject({
      code: "unsupported_file_type",
      message: 'File type "svg" is not supported. Please upload a PDF or image file.',
    });
  });

  test("returns bad_input for a form without a file", async () => {
    const api = await startApi();
    const ada = await api.newUser();

    await expect(ada.client.uploads.uploadImageComponent({}, [])).rejects.toMatchObject({ code: "bad_input" });
  });
});

describe.skipIf(!hasCorpus)("the limits of the free plan", () => {
  test("allow one document a day, not counting refused uploads", async () => {
    const api = await startApi();
    const ada = await api.newUser({ plan: "FREE" });
    const refused = { code: "limit_reached", status: 402, data: { limit: "fileUploads" } };

    await expect(upload(ada, await readCorpusPdf("password-example.pdf"), "a.pdf")).rejects.toMatchObject({
      code: "invalid_pdf",
    });
    await upload(ada, await readChapter(), CHAPTER);
    await expect(upload(ada, await readChapter(), CHAPTER)).rejects.toMatchObject({
      ...refused,
      message: "You've used all 1 uploads today. Upgrade to Ultimate for unlimited uploads!",
    });
    expect((await ada.client.user.getUsage({})).fileUploads).toBe(1);

    api.clock.advance(86_400_000);
    await upload(ada, await readChapter(), CHAPTER);
  });

  test("accept exactly as many concurrent uploads as are left", async () => {
    const api = await startApi();
    const ada = await api.newUser({ plan: "FREE" });
    const bytes = await readCorpusPdf("tiny_pdf.pdf");

    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => upload(ada, bytes, "a.pdf")));

    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await ada.client.user.getUsage({})).fileUploads).toBe(1);
  });

  test("refuse a file over 10 MB with the plan's size", async () => {
    const api = await startApi();
    const ada = await api.newUser({ plan: "FREE" });
    const large = Buffer.concat([await readChapter(), Buffer.alloc(11 * 1024 * 1024)]);

    await expect(upload(ada, large, CHAPTER)).rejects.toMatchObject({
      code: "too_large",
      status: 413,
      message: expect.stringMatching(
        /^Your 11[.\d]*MB file exceeds the 10MB limit for free users\. Please upgrade to upload larger files\.$/u,
      ),
    });
  });

  test("don't count images", async () => {
    const api = await startApi();
    const ada = await api.newUser({ plan: "FREE" });

    const png = await readFile(join(corpus, "image/text_typewriter.png"));
    await upload(ada, png, "a.png");

    expect((await ada.client.user.getUsage({})).fileUploads).toBe(0);
  });
});
