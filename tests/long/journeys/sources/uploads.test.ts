import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer";
import sharp from "sharp";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pdfCitation } from "#shared/citations.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { noise } from "#tests/kit/random.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aCard, aChange, aDeck, aPage as aPageOf, anAnnotation, send } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { madeDocx, madePptx, wordParagraph } from "#tests/pdf/made-office.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const MB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function aFile(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const picture = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: "#2f5d50" } })
    .png()
    .toBuffer();

const aFilm = (sizeBytes: number) =>
  Buffer.concat([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2", "latin1"), noise(sizeBytes - 24)]);

interface World {
  server: ServerProcess;
  student: Student;
  user: TestUser;
  outside: string;
}

async function aWorld(): Promise<World> {
  const web = createServer((request, response) => {
    if (request.url !== "/cell.png") return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": "image/png" }).end(pixel);
  });
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  const server = await startServerProcess({ FETCH_ALLOW_HOSTS: host });
  const { student, user } = await registerStudent(browser, server.origin);
  onTestFinished(async () => {
    await student.close();
    await server.dispose();
    web.close();
  });
  await student.open("/home");
  await student.waitForText("New page");
  return { server, student, user, outside: `http://${host}` };
}

async function aPage(student: Student): Promise<void> {
  await student.press("button", "New page");
  await student.type("Page title", "Genes");
  await student.page.locator('::-p-aria([name="Page text"])').wait();
}

async function pick(student: Student, paths: string[]): Promise<void> {
  await student.press("button", "Page menu");
  const [chooser] = await Promise.all([student.page.waitForFileChooser(), student.press("menuitem", "Upload file")]);
  await chooser.accept(paths);
}

/** Runs in the browser: drops a file on the page, or pastes it from the clipboard. */
function dropOrPaste(gesture: string, name: string, base64: string) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type: "image/png" }));
  if (gesture === "drop") {
    const init = { dataTransfer: data, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("dragover", init));
    document.body.dispatchEvent(new DragEvent("drop", init));
  } else
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}

/** Takes a photo as on a touch device, whose camera app returns one JPEG. */
async function takePhoto(student: Student): Promise<void> {
  const { page } = student;
  const session = await page.createCDPSession();
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
  // The page detects a touch device when it is rendered.
  await page.reload();
  await waitForPictures(page, 4);
  await page.evaluate(() => {
    Object.assign(HTMLInputElement.prototype, {
      click(this: HTMLInputElement) {
        Object.assign(globalThis, { askedFor: [this.accept, this.getAttribute("capture"), this.multiple] });
        HTMLElement.prototype.click.call(this);
      },
    });
  });
  await student.press("button", "Page menu");
  const [chooser] = await Promise.all([page.waitForFileChooser(), student.press("menuitem", "Take a photo")]);
  expect(await page.evaluate("globalThis.askedFor")).toEqual(["image/*", "environment", false]);
  await chooser.accept([
    aFile(
      "image.jpg",
      await sharp(await picture())
        .jpeg()
        .toBuffer(),
    ),
  ]);
}

const waitForPictures = (page: Page, count: number) =>
  page.waitForFunction((n) => document.querySelectorAll("img.file-picture").length === n, { polling: 100 }, count);

test("files can be picked, dropped, pasted, linked and photographed, several at once", async () => {
  const { student, outside } = await aWorld();
  await aPage(student);
  const pdf = aFile("genes.pdf", await tinyPdf([["A codon names one amino acid."]]).bytes());
  await pick(student, [pdf, aFile("cell.png", pixel), aFile("notes.txt", Buffer.from("only words"))]);
  await student.waitForText('File type "text/plain" is not supported. Please upload a PDF or image file.');
  await student.page.locator('::-p-aria([name="Make flashcards"][role="button"])').wait();
  await waitForPictures(student.page, 1);
  expect(await student.checkScreen("uploads-refused")).toEqual([]);
  await student.press("button", "Remove notes.txt from the list");
  await student.page.evaluate(dropOrPaste, "drop", "dropped.png", pixel.toString("base64"));
  await waitForPictures(student.page, 2);
  await student.page.evaluate(dropOrPaste, "paste", "pasted.png", pixel.toString("base64"));
  await waitForPictures(student.page, 3);

  await student.press("button", "Page menu");
  await student.press("menuitem", "Upload from a link");
  await student.type("Link to an image, PDF or video", `${outside}/missing.png`);
  await student.press("button", "Add");
  await student.waitForText("This address answered with status 404 instead of a file.");
  expect(await student.checkScreen("uploads-link")).toEqual([]);
  await student.type("Link to an image, PDF or video", `${outside}/cell.png`);
  await student.press("button", "Add");
  await waitForPictures(student.page, 4);
  await takePhoto(student);
  await waitForPictures(student.page, 5);
});

async function limitUploadSpeed(page: Page, bytesPerSecond: number): Promise<void> {
  await page.emulateNetworkConditions({ upload: bytesPerSecond, download: -1, latency: 0 });
}

/** Runs in the browser: how far the first upload of the list has come, in percent. */
const readProgress = () => {
  const bar = document.querySelector<HTMLElement>('.upload-list [role="progressbar"]');
  return bar ? (100 * Number(bar.ariaValueNow)) / Number(bar.ariaValueMax) : -1;
};
const waitForProgress = (page: Page, percent: number) =>
  page.waitForFunction(`(${readProgress.toString()})() >= ${percent}`, { polling: 100 });

test("a large upload can be paused and resumed, survives a lost connection and a reload, and arrives whole", async () => {
  const { server, student } = await aWorld();
  const film = aFilm(24 * MB);
  await student.open("/content/all");
  await student.waitForText("All content");
  await limitUploadSpeed(student.page, 6 * MB);
  await student.press("button", "Upload");
  const [chooser] = await Promise.all([
    student.page.waitForFileChooser(),
    student.press("menuitem", "From this device"),
  ]);
  await chooser.accept([aFile("Lecture 9.mp4", film)]);
  await waitForProgress(student.page, 15);
  await student.press("button", "Pause Lecture 9.mp4");
  await student.waitForText("Paused at");
  expect(await student.checkScreen("uploads-paused")).toEqual([]);
  await student.press("button", "Resume Lecture 9.mp4");
  await waitForProgress(student.page, 30);
  await student.page.setOfflineMode(true);
  await student.waitForText("Offline. The upload resumes on its own");
  await student.page.setOfflineMode(false);
  await limitUploadSpeed(student.page, 6 * MB);
  await waitForProgress(student.page, 50);
  await student.page.reload();
  await student.waitForText("Lecture 9.mp4");
  await student.page.emulateNetworkConditions(null);
  await student.waitForText("Uploaded");
  expect(await student.checkScreen("uploads-done")).toEqual([]);

  const token = await student.page.evaluate(() => /lamplight_token=([^;]+)/.exec(document.cookie)?.[1] ?? "");
  const headers = { authorization: `Bearer ${decodeURIComponent(token)}` };
  const { content } = (await (await fetch(`${server.origin}/v1/auth/get_content`, { headers })).json()) as {
    content: { components: { fileId: string }[] };
  };
  expect(content.components).toHaveLength(1);
  const bytes = await (await fetch(`${server.origin}/v1/files/${content.components[0]?.fileId}`, { headers })).bytes();
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(createHash("sha256").update(film).digest("hex"));
});

/** Uploads the kinds of sources that the test does not pick: one has cards and a highlight, and one cannot be read. */
async function uploadOtherKinds(user: TestUser): Promise<void> {
  const pageId = await aPageOf(user, "Genetics");
  const upload = async (bytes: Uint8Array, name: string) => {
    const file = new Blob([new Uint8Array(bytes)]);
    return (await user.client.uploads.uploadImageComponent({ pageId }, [{ field: "file", file, name }])).component._id;
  };
  await upload(madeDocx(wordParagraph("A codon names one amino acid.")), "Essay.docx");
  await upload(madePptx([{ title: "Codons", bullets: ["Three letters"] }]), "Slides.pptx");
  await upload((await picture()).subarray(0, 30), "Torn photo.png");
  const chapter = await upload(await tinyPdf([["A codon names one amino acid."]]).bytes(), "Chapter.pdf");
  const citation = pdfCitation(chapter, 1, "A codon names one amino acid.");
  await aDeck(user, pageId, [
    { ...aCard("one"), citation },
    { ...aCard("two"), citation },
  ]);
  const annotation = anAnnotation(ulid(), chapter);
  await send(user, aChange("annotation_put", annotation._id, { annotation }));
  const { component } = await user.client.video.createVideoComponent({ url: "https://videos.example.org/cells.mp4" });
  const captions = [{ field: "file", file: new Blob(["WEBVTT\n\n00:00.000 --> 00:04.000\nHello"]), name: "talk.vtt" }];
  await user.client.video.uploadCaptions({ id: component._id, language: "en" }, captions);
}

/** Runs in the browser: the text in the row of a source. */
const readRow = (title: string) =>
  [...document.querySelectorAll<HTMLElement>(".source-row")].find((row) =>
    row.querySelector(".list-name")?.textContent?.startsWith(title),
  )?.innerText ?? "";
async function waitForRowText(page: Page, title: string, words: string): Promise<void> {
  const hasWords = `(${readRow.toString()})(${JSON.stringify(title)}).includes(${JSON.stringify(words)})`;
  await page.waitForFunction(hasWords, { polling: 100 });
}

test("every upload is listed under Sources with its thumbnail, its reading progress and what was made from it", async () => {
  const { student, user } = await aWorld();
  const { page } = student;
  await student.open("/knowledge");
  await student.waitForText("No sources yet");
  expect(await student.checkScreen("knowledge-empty")).toEqual([]);
  const lines = Array.from({ length: 24 }, (_, i) => `A codon is a sequence of three nucleotides, ${i}.`);
  const drawn = aFile("board.png", await picture());
  const pdf = aFile("Genes and proteins.pdf", await tinyPdf([lines, lines]).bytes());
  await student.press("button", "Upload");
  const [chooser] = await Promise.all([
    student.page.waitForFileChooser(),
    student.press("menuitem", "From this device"),
  ]);
  await chooser.accept([pdf, drawn, aFile("Lecture.mp4", aFilm(MB))]);
  await student.waitForText("3 sources");
  await student.waitForText("Ready");
  await student.page.waitForFunction(() => document.querySelectorAll(".source-picture img").length === 2, {
    polling: 100,
  });
  await uploadOtherKinds(user);
  await student.open("/knowledge");
  await student.waitForText("8 sources");
  await waitForRowText(page, "Essay", "Word");
  // A document is listed under the heading it begins with.
  await waitForRowText(page, "Codons", "1 slide");
  await waitForRowText(page, "board", "Text in images not recognised yet");
  await waitForRowText(page, "Chapter", "2 cards");
  await waitForRowText(page, "Chapter", "1 highlight");
  await waitForRowText(page, "cells", "Transcript ready");
  await waitForRowText(page, "Lecture", "No transcript yet");
  await waitForRowText(page, "Lecture", "Nothing made from it yet");
  await student.press("button", "Recognise text in Torn photo");
  await waitForRowText(page, "Torn photo", "could not be recognised");
  expect(await student.checkScreen("knowledge")).toEqual([]);
  await student.press("button", "Try again: recognise text in Torn photo");
  await waitForRowText(page, "Torn photo", "could not be recognised");

  await student.press("radio", "Videos");
  await student.waitForText("2 sources");
  await student.press("radio", "Documents");
  await student.waitForText("4 sources");
  await student.type("Filter by title", "nothing of that name");
  await student.waitForText("No matches");
  expect(await student.checkScreen("knowledge-none")).toEqual([]);
  await student.press("button", "Clear filter");
  await student.waitForText("8 sources");
  await waitForRowText(page, "board", "Text in images not recognised yet");
  await page.setOfflineMode(true);
  await student.press("button", "Recognise text in board");
  await student.waitForText("Couldn't connect to the server.");
  expect(await student.checkScreen("knowledge-offline")).toEqual([]);
});
