import { ulid } from "ulid";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch.ts";
import { v1 } from "#shared/contract/v1.ts";
import { openBrowser } from "#tests/kit/browser.ts";
import { aPage } from "#tests/kit/changes.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/server-process.ts";
import { sitDown } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/tiny-pdf.ts";

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

const SUBJECTS = ["ribosome", "nucleus", "membrane", "vacuole"];
const lecture = (pages: number) =>
  tinyPdf(
    Array.from({ length: pages }, (_, i) => {
      const subject = SUBJECTS[i % SUBJECTS.length] ?? "";
      return [
        `The ${subject} on page ${i + 1} carries out ${i + 3} steps of the work of a cell.`,
        `Every ${subject} is built from proteins that a cell keeps in store.`,
        `Heat above ${i + 40} degrees stops the ${subject} within minutes.`,
      ];
    }),
  );

test("a document is summed up beside its pages, and each statement lights the passage that it stands on", async () => {
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
  const email = `${ulid().toLowerCase()}@example.org`;
  const { token } = await clientFor().auth.register({ name: "Ada", email, password: "a lamp upon the desk" });
  const client = clientFor(token);
  const pageId = await aPage({ client }, "Cells");
  const files = [{ field: "file", file: lecture(12), name: "lecture.pdf" }];
  const { component } = await client.pages.uploadImageComponent({ pageId }, files);
  const student = await sitDown(browser, server.origin);
  await student.page
    .browserContext()
    .setCookie({ name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" });
  await student.open(`/pdf/${component._id}`);
  await student.press("button", "Show or hide the side panel");
  await student.press("tab", "Summary");
  await student.reads("Sum up this document");
  expect(await student.look("pdf-summary-empty")).toEqual([]);
  await student.press("button", "Sum up this document");
  await student.reads("Pages 11 to 12");
  await student.reads("Put the key points on the page");
  expect(await student.look("pdf-summary")).toEqual([]);
  await student.page.locator(".pdf-point .cite-badge").click();
  await student.page.waitForSelector(".pdf-page .lit, .pdf-lit, .lit");
  expect(await student.look("pdf-summary-lit")).toEqual([]);
  // On a phone the panel lies over the pages, and makes room for what it shows.
  await student.page.setViewport({ width: 360, height: 740 });
  await student.page.locator(".pdf-point .cite-badge").click();
  await student.page.waitForFunction(() => document.querySelector(".pdf-side") === null);
  await student.look("pdf-summary-phone");
  await student.page.setViewport({ width: 1360, height: 860 });
  await student.press("button", "Show or hide the side panel");
  await student.press("tab", "Summary");
  await student.press("button", "Put the key points on the page");
  await student.reads("The key points stand at the end of the page");
  await student.open(`/page/${pageId}`);
  await student.reads("Key points of lecture");
  await student.reads("p. 1");
  await student.look("pdf-summary-inserted");
  await student.leave();
});
