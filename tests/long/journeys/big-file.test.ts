import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { noise } from "#tests/kit/random.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const MB = 1024 * 1024;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Runs in the browser: the progress of the upload, in percent. */
const readProgress = () => {
  const bar = document.querySelector<HTMLElement>('.upload-list [role="progressbar"]');
  return bar ? (100 * Number(bar.ariaValueNow)) / Number(bar.ariaValueMax) : -1;
};

test("a video of 200 MB is uploaded completely and once, despite a lost connection and a killed server", async () => {
  const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const film = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2", "latin1"), noise(200 * MB - 24)]);
  const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
  const path = join(folder, "Lecture 9.mp4");
  writeFileSync(path, film);
  const waitForProgress = (percent: number) =>
    page.waitForFunction(`(${readProgress.toString()})() >= ${percent}`, { polling: 50, timeout: 90_000 });
  try {
    await student.open("/content/all");
    await student.waitForText("All content");
    // Slow enough to interrupt the upload in the middle.
    await page.emulateNetworkConditions({ upload: 20 * MB, download: -1, latency: 0 });
    await student.press("button", "Upload");
    const [chooser] = await Promise.all([page.waitForFileChooser(), student.press("menuitem", "From this device")]);
    await chooser.accept([path]);
    await waitForProgress(30);
    await page.setOfflineMode(true);
    await student.waitForText("Offline. The upload resumes on its own");
    await page.setOfflineMode(false);
    await page.emulateNetworkConditions({ upload: 20 * MB, download: -1, latency: 0 });
    await waitForProgress(60);
    await server.kill();
    await server.start();
    await page.emulateNetworkConditions(null);
    await student.waitForText("Uploaded");
    const { sources } = await user.client.library.listSources({});
    expect(sources.map(({ sizeBytes }) => sizeBytes)).toEqual([film.length]);
    const { component } = await user.client.pages.getComponent({ id: sources[0]?.componentId ?? "" });
    if (component.type !== "video") throw new Error("the upload is not a video");
    const stored = await user.client.uploads.getFile({ fileId: component.content.file.id });
    const bytes = new Uint8Array(await stored.arrayBuffer());
    expect(hashOf(bytes)).toBe(hashOf(film));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await student.close();
    await server.dispose();
  }
});
