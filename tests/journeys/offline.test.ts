import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch.ts";
import { v1 } from "#shared/contract/v1.ts";
import { openBrowser } from "#tests/kit/browser.ts";
import { aCard, aDeck, aPage, aText } from "#tests/kit/changes.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/server-process.ts";
import { sitDown } from "#tests/kit/student.ts";

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
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
  const email = `${ulid().toLowerCase()}@example.org`;
  const { token } = await clientFor().auth.register({ name: "Ada", email, password: "a lamp upon the desk" });
  const client = clientFor(token);
  const pageId = await aPage({ client }, "Genes and proteins");
  await aText({ client }, pageId, "A codon names an amino acid.");
  await aDeck({ client }, pageId, [aCard("codon", "What does a codon name?")]);
  const student = await sitDown(browser, server.origin);
  await student.page
    .browserContext()
    .setCookie({ name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" });
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
    .poll(async () => JSON.stringify(await client.pages.getPage({ id: pageId })), { timeout: 20_000 })
    .toContain("Three letters each.");
  await student.leave();
}, 120_000);
