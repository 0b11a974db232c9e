import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { expect } from "vitest";
import { ownFolder } from "#tests/store/own-folder.ts";
import { readPrinted } from "#tests/kit/pdf/printed-text.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

/** The content of the journey's session. */
interface SessionContent {
  title: string;
  fact: string;
  /** One of two sentences that disagree. */
  side: string;
  source: string;
  notes: string;
  /** What the student wrote into a section. */
  addition: string;
}

async function openMenu({ page }: Student): Promise<void> {
  await page.locator(".research-head button[aria-haspopup]").click();
}

/** Saves the session in a format from the menu, and reads the file. */
async function save(student: Student, folder: string, { item, ending }: { item: string; ending: string }) {
  await openMenu(student);
  await student.press("menuitem", item);
  const file = `Protein-factories.${ending}`;
  await expect.poll(() => readdirSync(folder)).toContain(file);
  return readFileSync(join(folder, file), "utf8");
}

/** Saves the session as Markdown, and its sources for LaTeX and reference managers. */
export async function saveSession(student: Student, content: SessionContent): Promise<void> {
  const folder = ownFolder();
  const session = await student.page.createCDPSession();
  await session.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  const markdown = await save(student, folder, { item: "Export as Markdown", ending: "md" });
  expect(markdown.startsWith(`# ${content.title}\n`)).toBe(true);
  expect(markdown).toMatch(new RegExp(String.raw`${content.fact} \[\^\d+\]`, "u"));
  expect(markdown).toMatch(new RegExp(String.raw`\[\^\d+\]: ${content.source}\. .*“${content.fact}”`, "u"));
  expect(markdown).toMatch(new RegExp(String.raw`disagree\*\*[\s\S]*> - ${content.side}`, "u"));
  for (const words of [content.addition, content.notes]) expect(markdown).toContain(words);
  const bibtex = await save(student, folder, { item: "Export sources as BibTeX", ending: "bib" });
  expect(bibtex).toMatch(new RegExp(String.raw`@misc\{source\d+,\s+title = \{${content.source}\}`, "u"));
  const csl = await save(student, folder, { item: "Export sources as CSL-JSON", ending: "json" });
  expect(JSON.parse(csl)).toContainEqual(expect.objectContaining({ type: "document", title: content.source }));
}

/** Prints the session: paper has the result, the sources and the student's own words, but no controls. */
export async function printSession(student: Student, content: SessionContent): Promise<void> {
  const { page } = student;
  await page.evaluate(() => {
    window.print = () => void (document.body.dataset["printed"] = "yes");
  });
  await openMenu(student);
  await student.press("menuitem", "Print or save as PDF");
  await page.waitForSelector('body[data-printed="yes"]');
  const paper = await page.pdf({ format: "A4" });
  const shots = process.env["SCREENSHOTS"];
  if (shots) writeFileSync(join(shots, "research-printed.pdf"), paper);
  const words = await readPrinted(paper);
  for (const shown of Object.values(content)) expect(words).toContain(shown);
  const controls = ["Add a question", "Make flashcards", "Show what was read", "More actions", "Check again"];
  for (const control of [...controls, "All content", "Skip to content"]) expect(words).not.toContain(control);
}

/** Shares the session: a visitor sees the checked result and its sources, and nothing that the student wrote. */
export async function shareSession(student: Student, browser: Browser, content: SessionContent): Promise<void> {
  await openMenu(student);
  await student.press("menuitem", "Share");
  await student.press("radio", "Anyone with the link");
  await student.waitForText("Anyone with the link can view it");
  const link = new URL(await student.page.$eval("dialog input[readonly]", (input) => input.value));
  await student.page.keyboard.press("Escape");
  const visitor = await openStudent(browser, link.origin);
  await visitor.open(link.pathname);
  for (const shown of [content.title, content.fact, "These two sources disagree", content.side, content.source])
    await visitor.waitForText(shown);
  const screen = await visitor.readScreen();
  for (const own of [content.notes, content.addition]) expect(screen).not.toContain(own);
  expect(await visitor.page.$$(".research-follow-up, textarea")).toEqual([]);
  expect(await visitor.checkScreen("research-shared")).toEqual([]);
  await visitor.close();
}
