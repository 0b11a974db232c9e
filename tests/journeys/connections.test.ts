import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aGoogle } from "#tests/kit/servers/google.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { freePort, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { tinyPdf } from "#tests/kit/tiny-pdf.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const lecture = () => tinyPdf([["The ribosome reads the messenger three bases at a time."]]).bytes();

test("a student connects Google Drive, imports a file, reads it, and disconnects", async () => {
  const port = await freePort();
  const google = await aGoogle(
    [
      { id: "pdf", name: "Ribosomes.pdf", mimeType: "application/pdf", bytes: await lecture() },
      { id: "doc", name: "Notes of week 3", mimeType: "application/vnd.google-apps.document", bytes: await lecture() },
      { id: "form", name: "Evaluation", mimeType: "application/vnd.google-apps.form", bytes: new Uint8Array(0) },
    ],
    `http://127.0.0.1:${port}`,
  );
  const server = await startServerProcess({ ...google.env, PORT: String(port), DEFAULT_PLAN: "PLUS" });
  const { student } = await registerStudent(browser, server.origin, { email: "ada@example.org" });
  const { page } = student;
  try {
    await student.open("/home");
    await student.press("button", "Account of Ada");
    await student.press("menuitem", "Connections");
    await student.waitForText("Connect Google Drive");
    expect(await student.checkScreen("connections-none")).toEqual([]);
    await student.press("button", "Connect Google Drive");
    await student.waitForText("Connected as ada@gmail.example");
    await student.waitForText("Notes of week 3");
    expect(new URL(page.url()).pathname).toBe("/connections");
    expect(await student.checkScreen("connections-drive")).toEqual([]);
    await student.press("button", "Import Ribosomes.pdf");
    await student.waitForText("Imported.");
    expect(await student.checkScreen("connections-imported")).toEqual([]);
    await student.press("link", "Open Ribosomes.pdf");
    await page.waitForFunction(() => document.querySelector(".textLayer")?.textContent.includes("ribosome"));
    await student.open("/connections");
    await student.press("button", "Disconnect Google Drive");
    await student.waitForText("Connect Google Drive");
    await student.open("/oauth/google/callback?error=access_denied&state=drive.x");
    await student.waitForText("You didn't allow access.");
    expect(await student.checkScreen("connections-refused")).toEqual([]);
  } finally {
    await student.close();
    await server.dispose();
  }
});
