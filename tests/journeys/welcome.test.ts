import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();

const NOTES = `# The cell
The ribosome is the part of the cell that joins amino acids into proteins.
The nucleus holds the DNA of the cell and is bounded by a double membrane.

Osmosis is the movement of water across a membrane that lets water pass and little else.`;

/** Runs in the browser: whether a passage is highlighted. */
const isHighlighted = () => [...CSS.highlights.values()].some((lit) => [...lit].some((range) => !range.collapsed));

const readFocusedName = ({ page }: Student) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");

/** Presses Tab until the name of the focused element begins with this text. */
async function tabTo(student: Student, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await student.page.keyboard.press("Tab");
    if ((await readFocusedName(student)).startsWith(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}; it ended at ${await readFocusedName(student)}`);
}

test("onboarding leads a new student by keyboard to a first page with cards, without the sample content", async () => {
  const student = await openStudent(browser, server.origin);
  const faults: string[] = [];
  const look = async (name: string) => faults.push(...(await student.checkScreen(name)));
  const { keyboard } = student.page;
  await student.open("/register");
  await student.type("Name", "Ada");
  await student.type("Email", "ada@example.org");
  await student.type("Password", PASSWORD);
  await student.press("button", "Create account");
  await student.waitForText("What do you want to learn first?");
  await look("welcome-1");
  await student.open("/home");
  await student.waitForText("Welcome, Ada");
  await tabTo(student, "Choose a file");
  await tabTo(student, "Paste notes");
  await keyboard.press("Enter");
  await student.waitForText("Your first notes");
  await student.type("Title", "Cells");
  await tabTo(student, "");
  await keyboard.sendCharacter(NOTES);
  await look("welcome-2");
  await tabTo(student, "Create page");
  await keyboard.press("Enter");
  await student.page.waitForFunction(() => location.pathname.startsWith("/page/"));
  await student.waitForText("The ribosome is the part of the cell");
  await student.page.waitForSelector(".cite-badge");
  await look("welcome-page");

  await student.open("/home");
  await student.waitForText("Explore the “Sample” folder");
  await look("welcome-home");
  const sample = await student.page.$$eval("a", (links) =>
    links.map(({ href }) => href).find((href) => href.includes("sample-notes")),
  );
  await student.open(new URL(sample ?? "").pathname.split("/").slice(0, 3).join("/"));
  await student.waitForText("Most of what we forget");
  await student.page.locator(".cite-badge").click();
  await student.page.waitForFunction(isHighlighted);
  await look("welcome-sample");
  await student.open("/home");
  await student.press("button", "Remove sample");
  await student.waitForText("Sample removed");
  await student.page.waitForFunction(() => !document.body.innerText.includes("Explore the “Sample” folder"));
  await student.page.reload();
  await student.waitForText("Cells");
  await student.page.waitForFunction(() => !document.body.innerText.includes("How memory works"));
  expect(faults).toEqual([]);
  await student.close();
});

/** From "Start studying" on the landing page; the file chosen in the system's dialog counts as one. */
const MAX_CLICKS = 7;

test("a new student with a chapter grades the first card within seven clicks", async () => {
  const student = await openStudent(browser, server.origin);
  let clicks = 0;
  const press = async (role: string, name: string) => {
    clicks += 1;
    await student.press(role, name);
  };
  await student.open("/");
  await press("link", "Start studying");
  await student.type("Name", "Grace");
  await student.type("Email", "grace@example.org");
  await student.type("Password", PASSWORD);
  await press("button", "Create account");
  await student.waitForText("What do you want to learn first?");
  const [chooser] = await Promise.all([student.page.waitForFileChooser(), press("button", "Choose a file")]);
  clicks += 1;
  const path = join(mkdtempSync(join(tmpdir(), "lamplight-")), "genes-and-proteins.pdf");
  writeFileSync(path, await ownChapter());
  await chooser.accept([path]);
  // All cards may be made before the button can be pressed. The page with its deck is already open then.
  await student.page.waitForSelector(
    "::-p-xpath(//button[normalize-space()='Study the first cards'] | //a[normalize-space()='Study'])",
  );
  const isStillMaking = !new URL(student.page.url()).pathname.startsWith("/page/");
  if (isStillMaking) await press("button", "Study the first cards").catch(() => press("link", "Study"));
  else await press("link", "Study");
  await student.page.waitForFunction(() => location.pathname.includes("/study/"));
  await student.waitForText("Show answer");
  await student.page.keyboard.press("Space");
  await student.waitForText("Good");
  await student.page.keyboard.press("3");
  await student.page.waitForFunction(() => /\b2 of \d+/.test(document.body.innerText));
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
  await student.close();
});
