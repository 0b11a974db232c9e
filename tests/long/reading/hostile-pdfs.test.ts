import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readDocument } from "#api/documents/document-reader.ts";
import type { FromParser } from "#api/documents/process/parser-messages.ts";
import { ParserProcess, textParser } from "#api/documents/process/parser-process.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { saveFault } from "#api/pdf/store.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { madePdf, pdfOfStreams } from "#tests/pdf/made-pdf.ts";

const text = (content: string) => deflateSync(Buffer.from(`BT /regular 12 Tf 72 700 Td ${content} ET`));

async function outcomeOf(bytes: Uint8Array, signal?: AbortSignal): Promise<unknown> {
  const texts: string[] = [];
  try {
    for await (const { passages } of readDocument("pdf", bytes, signal ? { signal } : {})) {
      texts.push(...passages.map((passage) => passage.text));
    }
    return texts;
  } catch (error) {
    return error;
  }
}

const good = () => madePdf([[{ x: 60, y: 100, text: "All is well." }]]);

test.each([
  [
    "hundreds of megabytes of blanks",
    () => pdfOfStreams([deflateSync(Buffer.alloc(500 * 1024 * 1024, 32), { level: 1 })]),
  ],
  [
    "a bomb inside a bomb",
    () => {
      const inner = deflateSync(Buffer.alloc(500 * 1024 * 1024, 32), { level: 1 });
      return pdfOfStreams([deflateSync(inner)], { filter: "[/FlateDecode/FlateDecode]" });
    },
  ],
  ["a million pieces of text", () => pdfOfStreams([text("(Hello) Tj ".repeat(1_000_000))])],
  ["one endless word", () => pdfOfStreams([text(`(${"a".repeat(50_000_000)}) Tj`)])],
  ["nested brackets", () => pdfOfStreams([text("[".repeat(1_000_000))])],
])(
  "a file of %s ends after eight seconds with an error or a result, and the next file is read",
  async (_, make) => {
    const outcome = await outcomeOf(make());

    if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ fault: expect.stringMatching(/too_large|timeout/u) });
    expect(await outcomeOf(good())).toEqual(["All is well."]);
  },
  // Eight seconds of work can take much longer on a busy machine.
  120_000,
);

const sendTo = async ({ client }: TestUser, bytes: Uint8Array) => {
  const file = new Blob([new Uint8Array(bytes)]);
  return (await client.uploads.uploadImageComponent({}, [{ field: "file", file, name: "a.pdf" }])).component._id;
};
const tookTooLong = {
  code: "timed_out",
  status: 408,
  message: "The request took too long. Please try again with a smaller file.",
};

test("a file that took too long to parse reports it everywhere it is used", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const bytes = good();
  const content = { blobKey: createHash("sha256").update(bytes).digest("hex"), kind: "pdf" as const };
  await saveFault(ownedBy(api.deps.store, ada.userId), content, { fault: "timeout", now: 1 });
  const id = await sendTo(ada, bytes);

  await expect(ada.client.pdf.getPassages({ id })).rejects.toMatchObject(tookTooLong);
  expect(await ada.client.pdf.getReading({ id })).toMatchObject({
    state: "failed",
    message: "Reading this file took too long. Please upload it in smaller parts.",
  });
  const asked = { pdfComponents: [{ componentId: id }] };
  await expect(ada.client.flashcards.generateCards(asked, [])).rejects.toMatchObject({
    code: "bad_input",
    message: tookTooLong.message,
  });
});

test("a file that needs too much memory to parse reports it everywhere it is used", async () => {
  const small = new ParserProcess({ ...textParser, heapMb: 16 });
  const source = new Uint8Array(pdfOfStreams([text("(Hello) Tj ".repeat(300_000))]));
  const request = { type: "read" as const, id: 1, kind: "pdf" as const, source, from: 1, to: 1 };
  const answers: FromParser[] = [];
  for await (const answer of small.request(request, undefined)) answers.push(answer);
  expect(answers.at(-1)).toEqual({ type: "failed", id: 1, fault: "too_large" });

  const api = await startApi();
  const ada = await api.newUser();
  const bytes = good();
  const content = { blobKey: createHash("sha256").update(bytes).digest("hex"), kind: "pdf" as const };
  await saveFault(ownedBy(api.deps.store, ada.userId), content, { fault: "too_large", now: 1 });
  const id = await sendTo(ada, bytes);
  const message = "This file needs too much memory to read. Please upload it in smaller parts.";
  const refusal: unknown = await ada.client.pdf.getPassages({ id }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "too_large", status: 413, message });
  expect(toFailureMessage(refusal)?.message).toBe(message);
  expect(await ada.client.pdf.getReading({ id })).toMatchObject({ state: "failed", message });
  const asked = { pdfComponents: [{ componentId: id }] };
  await expect(ada.client.flashcards.generateCards(asked, [])).rejects.toMatchObject({ code: "bad_input", message });
});

test("cancelled parsing ends at once", async () => {
  const outcome = await outcomeOf(good(), AbortSignal.abort(new Error("called off")));

  expect(outcome).toMatchObject({ message: "called off" });
});

test("many files at once are parsed in turn by a few workers", async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(good())));

  expect(all).toEqual(Array.from({ length: 12 }, () => ["All is well."]));
});
