import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { renderPage, openForRendering } from "#api/documents/ocr/rasters.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { madePdf } from "#tests/pdf/made-pdf.ts";

const SENTENCES = [
  "Photosynthesis is the process by which plants turn light into sugar.",
  "Osmosis is the movement of water across a membrane.",
];

/** A picture of printed text, as a scanner makes it. */
async function pictureOf(text: string): Promise<Buffer> {
  const document = await openForRendering(new Uint8Array(madePdf([[{ x: 60, y: 100, text, size: 14 }]])));
  const { image } = await renderPage(document, 1);
  await document.loadingTask.destroy();
  return image;
}

/** A PDF with one picture per page; `turned` rotates the pages by this many degrees. */
async function scanOf(pictures: readonly Buffer[], { turned = 0 } = {}): Promise<Uint8Array> {
  const scan = await PDFDocument.create();
  for (const picture of pictures) {
    const image = await scan.embedPng(picture);
    const page = scan.addPage([612, 792]);
    page.drawImage(image, { x: 0, y: 0, width: 612, height: 792 });
    if (turned) page.setRotation({ type: "degrees", angle: turned } as Parameters<typeof page.setRotation>[0]);
  }
  return scan.save();
}

async function upload(user: TestUser, bytes: Uint8Array, name: string): Promise<string> {
  const file = new Blob([new Uint8Array(bytes)]);
  const { component } = await user.client.uploads.uploadImageComponent({}, [{ field: "file", file, name }]);
  return component._id;
}

/** Waits for text recognition by following the log of its jobs, because no endpoint waits for it. */
async function waitForRecognition({ deps }: TestApi, user: TestUser): Promise<string[]> {
  const jobs = await deps.jobs.list(user.userId, "recognition", 0);
  const progress: string[] = [];
  for (const { _id } of jobs)
    for await (const { event } of deps.jobs.follow(user.userId, _id, 0, AbortSignal.timeout(120_000)))
      progress.push(JSON.stringify(event));
  return progress;
}

test("a scan reports that it needs text recognition, is recognised page by page, and reads like any PDF", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const id = await upload(ada, await scanOf(await Promise.all(SENTENCES.map(pictureOf))), "scan.pdf");
  expect((await ada.client.pdf.getPassages({ id })).passages).toEqual([]);
  expect(await ada.client.pdf.getReading({ id })).toMatchObject({
    state: "needs_ocr",
    pageCount: 2,
    textlessPages: 2,
    recognised: 0,
  });

  const asked = await ada.client.pdf.recogniseText({ id });
  const again = await ada.client.pdf.recogniseText({ id });
  const events = await waitForRecognition(api, ada);

  expect(["waiting", "running"]).toContain(asked.state);
  expect(["waiting", "running"]).toContain(again.state);
  expect(events).toEqual(['{"type":"page","page":1}', '{"type":"page","page":2}']);
  expect(await ada.client.pdf.getReading({ id })).toMatchObject({ state: "ready", recognised: 2 });
  const { passages } = await ada.client.pdf.getPassages({ id, from: 2, to: 2 });
  expect(passages.map(({ text }) => text)).toEqual([SENTENCES[1]]);
  const [x = 0, y = 0, width = 0, height = 0] = passages[0]?.locator.rect ?? [];
  // The position of the printed text in points: 60 from the left, its baseline 100 from the top.
  expect(Math.abs(x - 60)).toBeLessThan(4);
  expect(y).toBeLessThan(100);
  expect(y + height).toBeGreaterThan(99);
  expect(width).toBeGreaterThan(300);
});

test("after recognition, the text of a picture can be read, even if it is rotated, but only by its owner", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const eve = await api.newUser();
  const upright = await upload(ada, await pictureOf(SENTENCES[0] ?? ""), "board.png");
  const turned = await upload(ada, await scanOf([await pictureOf(SENTENCES[1] ?? "")], { turned: 90 }), "turned.pdf");
  for (const id of [upright, turned]) {
    await ada.client.pdf.getPassages({ id });
    await ada.client.pdf.recogniseText({ id });
  }
  await waitForRecognition(api, ada);

  expect((await ada.client.pdf.getPassages({ id: upright })).passages[0]?.text).toBe(SENTENCES[0]);
  expect((await ada.client.pdf.getPassages({ id: turned })).passages[0]?.text).toBe(SENTENCES[1]);
  for (const call of ["getReading", "recogniseText", "cancelRecognition"] as const)
    await expect(eve.client.pdf[call]({ id: upright })).rejects.toMatchObject({ code: "not_found" });
});

test("recognition can be cancelled and requested again, and continues after the finished pages", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const id = await upload(
    ada,
    await scanOf(await Promise.all([...SENTENCES, ...SENTENCES].map(pictureOf))),
    "scan.pdf",
  );
  await ada.client.pdf.getPassages({ id });
  await ada.client.pdf.recogniseText({ id });
  const [job] = await api.deps.jobs.list(ada.userId, "recognition", 0);
  await api.deps.jobs.follow(ada.userId, job?._id ?? "", 0, AbortSignal.timeout(60_000)).next();

  const cancelled = await ada.client.pdf.cancelRecognition({ id });
  await ada.client.pdf.recogniseText({ id });
  await waitForRecognition(api, ada);

  expect(cancelled.state).toBe("needs_ocr");
  expect(await ada.client.pdf.getReading({ id })).toMatchObject({ state: "ready", recognised: 4 });
  const texts = (await ada.client.pdf.getPassages({ id })).passages.map(({ text }) => text);
  expect(texts).toEqual([...SENTENCES, ...SENTENCES]);
});

test("a language that isn't installed is refused with a list of installed ones, and a document with text needs no recognition", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const picture = await upload(ada, await pictureOf("Hello"), "a.png");
  const typed = await upload(ada, madePdf([[{ x: 60, y: 100, text: "This page has a text layer." }]]), "typed.pdf");
  await ada.client.pdf.getPassages({ id: typed });

  await expect(ada.client.pdf.recogniseText({ id: picture, language: "../eng" })).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("eng"),
  });
  expect((await ada.client.pdf.getReading({ id: picture })).languages).toContain("eng");
  expect((await ada.client.pdf.recogniseText({ id: typed })).state).toBe("ready");
});

test("flashcards can be made from a picture of text without requesting recognition first", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const componentId = await upload(ada, await pictureOf(SENTENCES[0] ?? ""), "board.png");

  const { cards } = await ada.client.flashcards.generateCards({ pdfComponents: [{ componentId }] }, []);

  expect(cards.length).toBeGreaterThan(0);
  expect(cards[0]?.citation).toContain(componentId);
});
