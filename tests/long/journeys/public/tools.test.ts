import { mkdtempSync, writeFileSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { strToU8, zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { PASSWORD, registerAccount } from "#tests/kit/account.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { answerReference } from "#tests/kit/servers/reference-services.ts";
import { allowServiceWorkers, openStudent, type Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

allowServiceWorkers();

const services = createServer(answerReference);
await new Promise<void>((done) => services.listen(0, "127.0.0.1", done));
afterAll(() => {
  services.close();
  services.closeAllConnections();
});
const servicesHost = `127.0.0.1:${(services.address() as AddressInfo).port}`;
const { browser, server } = await startBrowserAndServer({
  CITATION_LOOKUPS: "doi,isbn,url",
  FETCH_ALLOW_HOSTS: servicesHost,
  CROSSREF_URL: `http://${servicesHost}`,
  OPENLIBRARY_URL: `http://${servicesHost}`,
  YOUTUBE_BASE_URL: `http://${servicesHost}`,
});
const folder = mkdtempSync(join(tmpdir(), "lamplight-tools-"));

const LINES = [
  "Transcription is the process by which RNA polymerase copies a gene into RNA.",
  "A promoter is a DNA sequence onto which the transcription machinery binds.",
  "Spliceosomes remove introns from the pre-mRNA before it leaves the nucleus.",
  "The ribosome is the part of the cell that joins amino acids into proteins.",
  "Osmosis is the movement of water across a membrane that lets water pass.",
];

async function chooseFile({ page }: Student, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const input = await page.waitForSelector("input[type=file]");
  await input?.uploadFile(path);
}

/** Opens a tool and waits until it can be used. */
async function openTool(student: Student, path: string): Promise<void> {
  await student.open(path);
  await student.page.waitForSelector("#tool[data-ready]");
}

/** A file of the corpus, or the fallback if there is no corpus. */
const corpusFile = async (kind: string, name: string, makeFallback: () => Promise<Uint8Array>): Promise<Uint8Array> => {
  const path = corpusFiles(kind).find((file) => file.endsWith(name));
  return path === undefined ? makeFallback() : readFile(path);
};
const aTinyPdf = async (lines: string[]) => new Uint8Array(await tinyPdf([lines]).arrayBuffer());

const isResult = () =>
  document.querySelectorAll(".tool-card").length > 1 && document.querySelector(".tool-phase p") !== null;

/** Runs in the browser: whether the list has the focus and begins in the upper half of the viewport. */
const isResultInView = () => {
  const result = document.querySelector(".tool-result");
  const { top } = result?.getBoundingClientRect() ?? { top: Number.NaN };
  // Scrolling ends at a whole pixel, but the list may begin at a fraction of a pixel.
  return document.activeElement === result && top > -1 && top < innerHeight / 2;
};

/** Runs in the browser: whether the list begins in the upper 60% of the viewport. */
const isResultSeen = () => {
  const { top } = document.querySelector(".tool-result")?.getBoundingClientRect() ?? { top: Number.NaN };
  return top >= 0 && top < innerHeight * 0.6;
};

/** Runs in the browser: whether the name of the set has more than one line and is completely visible. */
const isNameWhole = () => {
  const name = document.querySelector(".tool-title");
  if (!name) return false;
  const isWrapped = name.clientHeight > 2 * Number.parseFloat(getComputedStyle(name).lineHeight);
  return isWrapped && name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight;
};

/** Runs in the browser: whether everything that reads a file and makes cards was loaded. */
const hasLoaded = (parts: string[]) => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  return parts.every((part) => loaded.some((name) => name.includes(part)));
};

/** Goes offline once the page has loaded what it needs, before anything on it was touched. */
async function goOffline({ page }: Student, parts: string[]): Promise<void> {
  await page.waitForFunction(hasLoaded, {}, parts);
  await page.waitForNetworkIdle();
  await page.setOfflineMode(true);
}

/** Runs in the browser: whether the worker that makes cards was loaded. */
const hasCardMaker = () => performance.getEntriesByType("resource").some(({ name }) => name.includes("/cards-worker-"));

/** Waits until a file of this kind is complete in the folder. */
async function waitForDownload(ending: string): Promise<Buffer> {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = (await readdir(folder)).find((name) => name.endsWith(ending));
    if (found !== undefined) return readFile(join(folder, found));
    await pause(100);
  }
  throw new Error(`No file ending in ${ending} was downloaded`);
}

async function allowDownloads({ page }: Student): Promise<void> {
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: folder,
    browserContextId: page.browserContext().id ?? "",
  });
}

test("cards of a PDF are made offline, show their sentence, and can be downloaded for Anki and saved to a new account", async () => {
  const student = await openStudent(browser, server.origin);
  const { page } = student;
  await allowDownloads(student);
  await openTool(student, "/tools/pdf-to-flashcards");
  await goOffline(student, ["/read-pdf-", "/pdf.worker.min-", "/cards-worker-", "/download-cards-"]);
  // A chapter of twenty pages.
  const chapter = await corpusFile("textbook", "07-cellular-respiration.pdf", () => aTinyPdf(LINES));
  await chooseFile(student, "cells.pdf", chapter);
  await page.waitForFunction(isResult);
  const secondChapter = await corpusFile("textbook", "08-photosynthesis.pdf", () => aTinyPdf(LINES.slice(0, 4)));
  // On a phone the cards are below the file field, so the page scrolls to them.
  await page.setViewport({ width: 360, height: 740 });
  await chooseFile(
    student,
    "again, lecture 7 of cell biology for medical students, revised in November.pdf",
    secondChapter,
  );
  await student.waitForText("from again");
  await page.waitForFunction(isResultInView);
  await page.waitForFunction(isNameWhole);
  await page.setViewport({ width: 1360, height: 860 });
  await page.waitForFunction(isResult);
  await page.setOfflineMode(false);

  await page.locator(".tool-card .cite-badge").click();
  await page.waitForFunction(() => /Page \d+ says/.test(document.body.innerText));
  expect(await student.checkScreen("site-tool-cards")).toEqual([]);
  await student.press("button", "Anki");
  const anki = await waitForDownload(".apkg");
  const bob = await registerAccount(server.origin, { name: "Bob" });
  const sent = { field: "file", name: "cells.apkg", file: new Blob([new Uint8Array(anki)]) };
  const imported = await bob.client.flashcards.importDecks({}, [sent]);
  expect([imported.cards > 1, imported.losses]).toEqual([true, []]);
  await student.press("button", "Remove card 1");
  await student.press("button", "Undo");

  await student.type("Name of the set", "Cells");
  await student.press("button", "Keep them");
  await student.waitForText("Create account");
  await student.type("Name", "Ada");
  await student.type("Email", "ada@example.org");
  await student.type("Password", PASSWORD);
  await student.press("button", "Create account");
  await student.waitForText("on the new page “Cells”");
  expect(await student.checkScreen("welcome-with-cards")).toEqual([]);
  await student.press("button", "Open the page");
  await student.waitForText("Add card");
  await student.close();
});

/** Saves the cards of a tool to a new account. */
async function saveToNewAccount(student: Student, email: string): Promise<void> {
  await student.type("Name of the set", "Bile");
  await student.press("button", "Keep them");
  await registerWith(student, email);
  await student.waitForText("on the new page “Bile”");
}

async function registerWith(student: Student, email: string): Promise<void> {
  await student.waitForText("Create account");
  await student.type("Name", "Grace");
  await student.type("Email", email);
  await student.type("Password", PASSWORD);
  await student.press("button", "Create account");
}

const aDocument = (lines: string[]) => {
  const text = lines.map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`).join("");
  const body = `<w:document xmlns:w="w"><w:body>${text}</w:body></w:document>`;
  return zipSync({ "word/document.xml": strToU8(body) });
};

const run = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (type: string, text: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;

test("slides, a Word file and pasted text become cards, and a broken file is refused with a message", async () => {
  const student = await openStudent(browser, server.origin);
  const { page } = student;
  const slide = `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape("title", run("Cells"))}${shape("body", LINES.map(run).join(""))}</p:spTree></p:cSld></p:sld>`;
  await openTool(student, "/tools/powerpoint-to-flashcards");
  await goOffline(student, ["/read-office-", "/cards-worker-"]);
  await chooseFile(student, "cells.pptx", zipSync({ "ppt/slides/slide1.xml": strToU8(slide) }));
  await page.waitForFunction(isResult);
  const lecture = await corpusFile("office", "GeomLec1.pptx", async () =>
    zipSync({ "ppt/slides/slide1.xml": strToU8(slide) }),
  );
  await chooseFile(student, "lecture.pptx", lecture);
  await student.waitForText("from lecture");
  await page.waitForFunction(isResult);
  await chooseFile(student, "report.docx", aDocument(LINES));
  await student.waitForText("from report");
  await page.waitForFunction(isResult);
  await page.setOfflineMode(false);
  await chooseFile(student, "broken.pptx", strToU8("not a zip"));
  await student.waitForText("This file could not be read");

  await openTool(student, "/tools/ai-flashcards");
  // The worker is loaded while the student types.
  await student.type("Your text", LINES.join(" "));
  await page.waitForFunction(hasCardMaker);
  await page.waitForNetworkIdle();
  await page.setOfflineMode(true);
  await student.press("button", "Make flashcards");
  await page.waitForFunction(isResult);
  await page.setOfflineMode(false);
  await saveToNewAccount(student, "grace@example.org");
  await student.close();
});

test("a video without captions shows a message, its pasted transcript becomes cards, and cards can be written by hand", async () => {
  const student = await openStudent(browser, server.origin);
  const { page } = student;
  await allowDownloads(student);
  await openTool(student, "/tools/youtube-to-flashcards");
  await student.type("YouTube address", "https://www.youtube.com/watch?v=abcdefghijk");
  await student.press("button", "Get the transcript");
  await student.waitForText("YouTube did not give us the captions.");
  await page.setOfflineMode(true);
  await student.press("button", "Get the transcript");
  await student.waitForText("Our server did not answer.");
  await page.setOfflineMode(false);
  await student.type("Or paste the transcript", LINES.map((line, at) => `0:0${at} ${line}`).join("\n"));
  await student.press("button", "Make flashcards");
  await page.waitForFunction(isResult);
  expect(await page.$$eval(".tool-card textarea", (fields) => fields.map(({ value }) => value).join())).not.toContain(
    "0:0",
  );

  await openTool(student, "/tools/flashcard-maker");
  await student.type("Question 1", "Where is bile made?");
  await student.type("Answer 1", "In the liver");
  await page.waitForNetworkIdle();
  await page.setOfflineMode(true);
  await student.type("Question 2", "Where is it stored?");
  await student.type("Answer 2", "In the gall bladder");
  // The browser's offline emulation also blocks downloads that need no network.
  await page.setOfflineMode(false);
  await student.press("button", "CSV");
  const saved = (await waitForDownload(".csv")).toString();
  expect(saved).toContain("Where is bile made?");
  expect(saved).toContain("In the gall bladder");
  await saveToNewAccount(student, "linus@example.org");
  await student.close();
});

/** A picture of printed lines. */
async function aPicture({ page }: Student): Promise<Uint8Array> {
  const picture = await page.evaluate((lines) => {
    const canvas = document.createElement("canvas");
    canvas.width = 1500;
    canvas.height = 520;
    const context = canvas.getContext("2d");
    if (!context) return "";
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "black";
    context.font = "34px serif";
    for (const [index, line] of lines.entries()) context.fillText(line, 40, 80 + index * 90);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  }, LINES);
  return Buffer.from(picture, "base64");
}

test("the text of a scanned page is recognised on the device, also without a network once the page has loaded", async () => {
  const student = await openStudent(browser, server.origin);
  const { page } = student;
  await openTool(student, "/tools/image-to-flashcards");
  const scan = await corpusFile("image", "text_linn.png", () => aPicture(student));
  await goOffline(student, ["/cards-worker-", "/worker.min-", "/tesseract-core-", "eng.traineddata.gz"]);
  await chooseFile(student, "page.png", scan);
  await page.waitForFunction(isResult, { timeout: 120_000 });
  await chooseFile(student, "again.png", scan);
  await page.waitForFunction(() => document.body.innerText.includes("from again"), { timeout: 120_000 });
  await page.setOfflineMode(false);
  expect(await student.checkScreen("site-tool-scan")).toEqual([]);
  await student.close();
});

/** Looks up a web page, an unknown DOI, a DOI whose lookup is cancelled, and a known DOI. */
async function lookUpReferences(student: Student): Promise<void> {
  const label = "DOI, ISBN, web address, BibTeX or RIS";
  await student.type(label, `http://${servicesHost}/article`);
  await student.press("button", "Cite");
  await student.waitForText("Why tides & moons agree");
  expect(await student.checkScreen("site-citations-address")).toEqual([]);
  await student.type(label, `http://${servicesHost}/gone`);
  await student.press("button", "Cite");
  await student.waitForText("Nothing was found for this.");
  await student.type(label, "978-0-306-40615-8");
  await student.press("button", "Cite");
  await student.waitForText("This is no DOI, ISBN, web address, BibTeX or RIS.");
  await student.type(label, "10.1038/nothing");
  await student.press("button", "Cite");
  await student.waitForText("Nothing was found for this.");
  expect(await student.checkScreen("site-citations-lookup")).toEqual([]);
  await student.type(label, "10.1038/never");
  await student.press("button", "Cite");
  await student.waitForText("Looking it up");
  await student.press("button", "Stop");
  await student.type(label, "10.1038/171737a0");
  await student.press("button", "Cite");
  await student.waitForText("Added to the list.");
  await student.waitForText("171(4356), 737–738.");
  expect(await student.checkScreen("site-citations-found")).toEqual([]);
  await student.page.waitForFunction(isResultSeen);
}

test("references are formatted on the device, also offline, and are still there after a reload", async () => {
  const student = await openStudent(browser, server.origin);
  await openTool(student, "/tools/citation-generator");
  await student.type("Authors, one per line", "Darwin, Charles");
  await student.type("Title", "On the origin of species");
  await student.type("Date", "1859");
  await student.type("Publisher or institution", "John Murray");
  await student.press("button", "Add to the list");
  await student.waitForText("Darwin, C. (1859). On the origin of species. John Murray.");
  await lookUpReferences(student);
  await student.type("More styles", "nature genetics");
  await student.press("button", "Nature Genetics");
  await student.waitForText("Darwin, C. On the Origin of Species. (John Murray, 1859).");
  expect(await student.checkScreen("site-citations-found-style")).toEqual([]);
  await student.page.setOfflineMode(true);
  // The student opens a style of their own from a file.
  const style = await readFile("webapp/marketing/citations/styles/ieee.csl", "utf8");
  await chooseFile(
    student,
    "journal.csl",
    strToU8(style.replace(/<title>[^<]*<\/title>/, "<title>My journal</title>")),
  );
  await student.waitForText("C. Darwin, On the origin of species.");
  expect(await student.page.$eval("#tool select:has(option[value^=own])", (field) => field.value)).toBe(
    "own:My journal",
  );
  await chooseFile(student, "broken.csl", strToU8("<style></style>"));
  await student.waitForText("This is no citation style.");
  await student.page.select("#tool select:has(option[value^=own])", "apa");
  await student.type("Title", "The voyage of the Beagle");
  await student.press("button", "Add to the list");
  await student.waitForText("The voyage of the Beagle. (n.d.).");
  await student.type("DOI, ISBN, web address, BibTeX or RIS", "@book{zoo, title = {Zoonomia}, year = 1794}");
  await student.press("button", "Cite");
  await student.waitForText("Zoonomia. (1794).");
  await student.page.setOfflineMode(false);
  await student.page.reload();
  await student.waitForText("Darwin, C. (1859)");
  expect(await student.checkScreen("site-citations-filled")).toEqual([]);
  await student.close();
});

test("a study plan is restored from its link, gets the topics of a second exam, and becomes a calendar file and a page of a new account", async () => {
  const student = await openStudent(browser, server.origin);
  const { page } = student;
  await allowDownloads(student);
  const fragment =
    "name=Biology&start=2026-11-23&exam=2026-12-07&topics=Cells%0AGenetics+x2&hours=1+1+1+1+1+2+0&reviews=1" +
    "&name=Chemistry&exam=2026-12-14&topics=";
  await openTool(student, `/tools/study-schedule-generator#${fragment}`);
  await student.waitForText("14 hours on 12 days for 2 topics");
  await student.waitForText("Not in the plan yet: Chemistry.");
  await page.locator('::-p-aria([name="Exam 2"][role="group"]) textarea').fill("Acids");
  await student.waitForText("Exam: Chemistry");
  await student.press("button", "Calendar file");
  const calendar = (await waitForDownload(".ics")).toString();
  expect(calendar).toContain("SUMMARY:Exam: Biology");
  expect(calendar).toContain("SUMMARY:Exam: Chemistry");
  expect(await student.checkScreen("site-schedule-filled")).toEqual([]);
  await student.press("button", "Keep it");
  await registerWith(student, "mary@example.org");
  await student.waitForText("Your study plan is on the new page “Biology, Chemistry”.");
  await student.close();
});
