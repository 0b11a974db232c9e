import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser.ts";
import { aCard, aDeck, aPage, aText } from "#tests/kit/changes.ts";
import { aStudent } from "#tests/kit/seat.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/server-process.ts";

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  browser = await openBrowser();
  server = await startServerProcess();
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** Runs in the browser: the worker has every file and answers for this page. */
const isKept = async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
};

test("with the server gone the app reloads, a page that was opened stands there, and what is written goes out later", async () => {
  const { student, user } = await aStudent(browser, server.origin);
  const pageId = await aPage(user, "Genes and proteins");
  await aText(user, pageId, "A codon names an amino acid.");
  await aDeck(user, pageId, [aCard("codon", "What does a codon name?")]);
  await student.open("/home");
  await student.reads("Hello, Ada");
  await student.page.waitForFunction(isKept, { polling: 200 });
  await student.open(`/page/${pageId}`);
  await student.reads("A codon names an amino acid.");
  await server.kill();

  // In the tunnel.
  await student.page.reload();
  await student.reads("A codon names an amino acid.");
  await student.open("/home");
  await student.reads("Hello, Ada");
  await student.open(`/page/${pageId}`);
  await student.reads("A codon names an amino acid.");
  await student.page.locator("::-p-text(A codon names an amino acid.)").click();
  await student.page.keyboard.press("End");
  await student.page.keyboard.type(" Three letters each.");
  await student.page.reload();
  await student.reads("Three letters each.");

  // Out of it.
  await server.start();
  await student.page.reload();
  await student.reads("Three letters each.");
  await expect
    .poll(async () => JSON.stringify(await user.client.pages.getPage({ id: pageId })), { timeout: 20_000 })
    .toContain("Three letters each.");
  await student.leave();
}, 120_000);
