import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aGoogle } from "#tests/kit/servers/google.ts";
import { aStudent } from "#tests/kit/browser/seat.ts";
import { freePort, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { tinyPdf } from "#tests/kit/tiny-pdf.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const lecture = () => tinyPdf([["The ribosome reads the messenger three bases at a time."]]).bytes();

test("a student connects Google Drive at its issuer, imports a file, reads it, and disconnects", async () => {
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
  const { student } = await aStudent(browser, server.origin, { email: "ada@example.org" });
  const { page } = student;
  try {
    await student.open("/home");
    await student.press("button", "Account of Ada");
    await student.press("menuitem", "Connections");
    await student.reads("Connect Google Drive");
    expect(await student.look("connections-none")).toEqual([]);
    await student.press("button", "Connect Google Drive");
    await student.reads("Connected as ada@gmail.example");
    await student.reads("Notes of week 3");
    expect(new URL(page.url()).pathname).toBe("/connections");
    expect(await student.look("connections-drive")).toEqual([]);
    await student.press("button", "Import Ribosomes.pdf");
    await student.reads("Imported.");
    expect(await student.look("connections-imported")).toEqual([]);
    await student.press("link", "Open Ribosomes.pdf");
    await page.waitForFunction(() => document.querySelector(".textLayer")?.textContent.includes("ribosome"));
    await student.open("/connections");
    await student.press("button", "Disconnect Google Drive");
    await student.reads("Connect Google Drive");
    await student.open("/oauth/google/callback?error=access_denied&state=drive.x");
    await student.reads("You didn't allow access.");
    expect(await student.look("connections-refused")).toEqual([]);
  } finally {
    await student.leave();
    await server.dispose();
  }
});
