import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { screenPath } from "#shared/screens.ts";
import { madeDocx, madePptx, wordParagraph } from "#tests/pdf/made-office.ts";
import { aPage } from "#tests/store/changes.ts";
import { type Scene, upload } from "./scene.ts";

export async function takeReader({ student, pdfId, take }: Scene): Promise<void> {
  await student.open(screenPath("pdf", { slug: pdfId }));
  await student.page.waitForSelector(".textLayer span");
  await take("documents/reader");
}

/** A picture of selected words in a document with the actions for them. */
export async function takeHighlights({ student, pdfId, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("pdf", { slug: pdfId }));
  await page.waitForSelector(".textLayer span");
  await page.keyboard.press("/");
  await page.waitForSelector("search input");
  await page.keyboard.type("reading frame");
  await page.waitForSelector(".pdf-find-now");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".pdf-selection");
  await take("documents/highlight");
}

export async function takeUpload({ student, words, take }: Scene): Promise<void> {
  await student.open(screenPath("home", {}));
  await student.press("button", words.uploads.add);
  await student.waitForText(words.uploads.from_link);
  await take("documents/upload");
}

const SCANNED = ["Osmosis is the movement of water", "through a membrane from a dilute", "to a concentrated solution."];

/** A page that is a picture, as a scanner makes it. */
async function aScan(): Promise<Uint8Array> {
  const lines = SCANNED.map((line, at) => `<text x="70" y="${130 + at * 46}">${line}</text>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="840" height="560" font-family="serif" font-size="32"><rect width="840" height="560" fill="#f6f3ea"/><g transform="rotate(-1 420 280)" fill="#222"><text x="70" y="70" font-weight="bold">Osmosis</text>${lines}</g></svg>`;
  const scan = await PDFDocument.create();
  const picture = await scan.embedPng(await sharp(Buffer.from(svg)).png().toBuffer());
  scan.addPage([840, 560]).drawImage(picture, { x: 0, y: 0, width: 840, height: 560 });
  return scan.save();
}

/** Pictures of the list of sources with files of each kind, and of a scanned page before text recognition. */
export async function takeKinds({ user, student, words, take }: Scene): Promise<void> {
  const { page } = student;
  const pageId = await aPage(user, "Membranes");
  await upload({ user, pageId }, await aScan(), "osmosis-scan.pdf");
  const essay = madeDocx(wordParagraph("Active transport") + wordParagraph("It moves ions against the gradient."));
  await upload({ user, pageId }, essay, "Essay on transport.docx");
  const slides = madePptx([
    { title: "Membranes", bullets: ["Two layers of lipids"] },
    { title: "Channels", bullets: ["Let ions through"] },
  ]);
  await upload({ user, pageId }, slides, "Lecture 4.pptx");
  await student.open(screenPath("knowledge", {}));
  await student.waitForText(words.sources.recognise);
  await page.waitForFunction(() => document.querySelectorAll(".source-row").length >= 4);
  await take("documents/sources");
  await student.type(words.sources.search, "osmosis");
  await page.waitForFunction(() => document.querySelectorAll(".source-row").length === 1);
  await take("documents/scan");
}

const CAPTIONS = `WEBVTT

00:00.000 --> 00:01.500
Photosynthesis is the process by which plants

00:01.500 --> 00:03.000
convert light energy into sugar.

00:03.000 --> 00:05.000
Chlorophyll is the green pigment that absorbs light.

00:05.000 --> 00:08.000
It absorbs red and blue light and reflects green.
`;

/** Runs in the browser: records a drawn slide as a video. */
const recordSlide = async () => {
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 360;
  const context = canvas.getContext("2d");
  if (!context) return "";
  const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: "video/webm" });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
  const ended = new Promise((done) => recorder.addEventListener("stop", done));
  recorder.start();
  for (let at = 0; at < 80; at += 1) {
    context.fillStyle = "#f4f7f1";
    context.fillRect(0, 0, 640, 360);
    context.fillStyle = "#1f6b45";
    context.font = "bold 34px sans-serif";
    context.fillText("Photosynthesis", 40, 80);
    context.font = "22px sans-serif";
    context.fillText("light + water + carbon dioxide", 40, 150);
    context.fillText("→ sugar + oxygen", 40, 190);
    context.fillRect(40, 320, 7 * at, 6);
    await new Promise((done) => setTimeout(done, 100));
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  return btoa([...bytes].map((byte) => String.fromCodePoint(byte)).join(""));
};

/** A picture of a video with its transcript. */
export async function takeVideo({ user, student, take }: Scene): Promise<void> {
  const { page } = student;
  const film = Buffer.from(await page.evaluate(recordSlide), "base64");
  const pageId = await aPage(user, "Lecture 9");
  const files = [{ field: "file", file: new Blob([film]), name: "Lecture 9.webm" }];
  const id = (await user.client.uploads.uploadVideoComponent({ pageId }, files)).component._id;
  const captions = [{ field: "file", file: new Blob([CAPTIONS]), name: "lecture.vtt" }];
  await user.client.video.uploadCaptions({ id, language: "en" }, captions);
  await student.open(screenPath("video", { slug: id }));
  await student.waitForText("convert light energy into sugar.");
  await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 2);
  await take("documents/video");
}
