import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, test } from "vitest";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { type TestApi, type TestUser, startApi } from "#tests/kit/api.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const hasCorpus = existsSync(join(corpus, "pdf"));
// oxlint-disable-next-line no-console -- Reports in the test output what is skipped.
if (!hasCorpus) console.log(`PDF corpus: skipped, no corpus at ${corpus}`);

const MB = 1024 * 1024;
const filesIn = (folder: string, pattern: RegExp): string[] =>
  existsSync(join(corpus, folder))
    ? readdirSync(join(corpus, folder))
        .filter((name) => pattern.test(name))
        .map((name) => join(corpus, folder, name))
    : [];

const MUST_BE_ACCEPTED = /^(?:good|scan|\d\d-)/u;

/** All files that must be accepted, and every fifth of the others: `tests/long/corpus-sweep.ts` sends all. */
const sampleOf = (paths: readonly string[]): string[] =>
  paths.filter((path, index) => MUST_BE_ACCEPTED.test(basename(path)) || index % 5 === 0);

interface Answer {
  path: string;
  name: string;
  status: number;
  ms: number;
  body: { component?: { _id: string }; code?: string; message?: string };
}

async function send(api: TestApi, user: TestUser, path: string, name = basename(path)): Promise<Answer> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(readFileSync(path))]), name);
  const startedAt = performance.now();
  const response = await fetch(`${api.origin}/v1/pages/upload/image_component`, {
    method: "POST",
    headers: { authorization: `Bearer ${user.token}` },
    body: form,
  });
  const body = (await response.json()) as Answer["body"];
  return { path, name, status: response.status, ms: performance.now() - startedAt, body };
}

/** The memory in use after a garbage collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

const REFUSALS = new Set(["invalid_pdf", "invalid_file", "unsupported_file_type", "timed_out"]);
const isSpecified = ({ status, body }: Answer): boolean =>
  status === 200 ? body.component !== undefined : [400, 408].includes(status) && REFUSALS.has(body.code ?? "");

describe.skipIf(!hasCorpus)("uploading the corpus", () => {
  test("every PDF is accepted or refused with its message, no text of a good one is lost, and no memory is leaked", async () => {
    const api = await startApi();
    const ada = await api.newUser({ plan: "ULTIMATE" });
    await send(api, ada, join(corpus, "pdf/tiny_pdf.pdf"));
    const before = usedBytes();
    const answers: Answer[] = [];
    for (const path of sampleOf(filesIn("pdf", /./u)))
      answers.push(await send(api, ada, path, `${basename(path)}.pdf`));
    for (const path of filesIn("textbook", /\.pdf$/u)) answers.push(await send(api, ada, path));

    expect(answers.length).toBeGreaterThan(40);
    expect(answers.filter((answer) => !isSpecified(answer))).toEqual([]);
    expect(answers.filter(({ ms }) => ms > 10_000)).toEqual([]);
    const mustBeTaken = answers.filter(({ name }) => MUST_BE_ACCEPTED.test(name));
    expect(mustBeTaken.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { body } of mustBeTaken) await ada.client.pdf.getPassages({ id: body.component?._id ?? "" });
    closeParsers();
    // Measured before pdf.js reads the same files in this process, because that also uses memory.
    expect(usedBytes() - before).toBeLessThan(60 * MB);
    for (const answer of mustBeTaken) expect(await recallOf(ada, answer), answer.name).toBeGreaterThanOrEqual(0.98);
    expect((await fetch(`${api.origin}/v1/openapi.json`)).status).toBe(200);
  }, 180_000);

  test("images and office files are accepted or refused with their message, whatever their names", async () => {
    const api = await startApi();
    // Two accounts, because of the rate limit for one account.
    const [ada, bea] = [await api.newUser({ plan: "ULTIMATE" }), await api.newUser({ plan: "ULTIMATE" })];
    const answers: Answer[] = [];
    for (const path of sampleOf(["image", "office", "text"].flatMap((folder) => filesIn(folder, /./u)))) {
      answers.push(await send(api, ada, path), await send(api, bea, path, "renamed.pdf"));
    }

    expect(answers.filter((answer) => !isSpecified(answer))).toEqual([]);
  }, 60_000);
});

/** The share of the letters found by pdf.js alone that are also in the passages. */
async function recallOf(user: TestUser, { path, body }: Answer): Promise<number> {
  const { passages } = await user.client.pdf.getPassages({ id: body.component?._id ?? "" });
  const found = countLetters(passages.map(({ text }) => text));
  const wanted = countLetters(await bareText(path));
  let all = 0;
  let accepted = 0;
  for (const [letter, count] of wanted) {
    all += count;
    accepted += Math.min(count, found.get(letter) ?? 0);
  }
  return all === 0 ? 1 : accepted / all;
}

async function bareText(path: string): Promise<string[]> {
  const folder = join(process.cwd(), "node_modules/pdfjs-dist/");
  const task = getDocument({
    data: new Uint8Array(readFileSync(path)),
    cMapUrl: `${folder}cmaps/`,
    standardFontDataUrl: `${folder}standard_fonts/`,
    verbosity: 0,
  });
  const document = await task.promise;
  const texts: string[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    for (const item of items) if ("str" in item) texts.push(item.str);
  }
  await task.destroy();
  return texts;
}

/** Counts letters, but not the stroke (kashida) that stretches an Arabic word. */
function countLetters(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [letter] of text.matchAll(/(?!\u0640)[\p{L}\p{N}]/gu)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return counts;
}

test.skipIf(!hasCorpus)("Arabic words stretched to the width of a line are read correctly", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { body } = await send(api, ada, join(corpus, "pdf", "good_right_to_left_02.pdf"));
  const { passages } = await ada.client.pdf.getPassages({ id: body.component?._id ?? "" });
  const text = passages.map((passage) => passage.text).join(" ");
  expect(text).toMatch(/\p{Script=Arabic}{3}/u);
  expect(text).not.toContain("\u0640");
});
