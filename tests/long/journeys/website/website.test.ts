import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { openStudent, takePicture, type Student } from "#tests/kit/student.ts";
import { aCourse, buildSiteKitOnce } from "#tests/website/aids.ts";
import { openCanary } from "#tests/website/hostile-site.ts";
import {
  openFromDisk,
  pressInSite,
  saveDownloadsIn,
  waitForSiteFrame,
  unpack,
  useSite,
  waitForFile,
  waitForSite,
} from "#tests/website/site-in-browser.ts";

await buildSiteKitOnce();
const { browser, server } = await startBrowserAndServer({ DEFAULT_PLAN: "PLUS" });

test("a student makes a site from notes and a deck, previews it and changes the order of its sections", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  await aCourse(user);
  try {
    await student.open("/website");
    await student.waitForText("No website yet");
    expect(await student.checkScreen("websites-empty")).toEqual([]);
    await student.press("button", "New website");
    await student.waitForText("What kind of website?");
    await student.waitForText("Genes and proteins");
    expect(await student.checkScreen("website-make")).toEqual([]);
    await student.press("checkbox", "Genes and proteins");
    await student.press("checkbox", "Genes");
    await student.type("Title", "Genes for my group");
    await student.press("button", "Make the website");
    await student.waitForText("Preview ready");
    await waitForSite(student, "Genes for my group");
    await waitForSite(student, "names one amino acid");
    expect(await student.checkScreen("website-made")).toEqual([]);

    await student.press("button", "Move “Summary” down");
    await student.waitForText("Changed");
    await waitForSite(student, "Glossary");
  } finally {
    await student.close();
  }
});

/** Replaces the line of the open file that contains these words. */
async function retypeLine({ page }: Student, words: string, text: string): Promise<void> {
  const line = await page.waitForSelector(`::-p-xpath(//div[contains(@class,'cm-line')][contains(., '${words}')])`);
  await line?.click();
  await page.keyboard.press("Home");
  await page.keyboard.down("Shift");
  await page.keyboard.press("End");
  await page.keyboard.up("Shift");
  await page.keyboard.type(text);
}

/** Opens a file in the code view. */
async function chooseFile({ page }: Student, path: string): Promise<void> {
  await page.locator(`::-p-xpath(//nav//button[span[text()='${path}']])`).click();
  await page.waitForSelector(`[aria-label="Text of ${path}"]`);
}

/** A study guide that was made through the API, open in the browser. */
async function openStudyGuide() {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page, deck } = await aCourse(user);
  const { _id: id } = await user.client.website.createProject({ name: "" });
  await user.client.website.makeSite({ id, kind: "study_guide", title: "Genes", sourceIds: [page, deck] });
  await student.open(`/website/${id}`);
  await waitForSite(student, "Genes");
  // A narrow screen shows one pane at a time; here it is the site.
  await student.page.setViewport({ width: 360, height: 740 });
  await student.press("radio", "Preview");
  await student.page.setViewport({ width: 1360, height: 860 });
  // Where the site is shown beside the tabs, one tab is still chosen.
  await student.page.waitForSelector('.website-tabs input[value="make"]:checked');
  return { student, user, id };
}

test("a student edits the code, compares with an earlier version and restores it", async () => {
  const { student } = await openStudyGuide();
  try {
    await student.press("radio", "Code");
    await chooseFile(student, "/site.json");
    expect(await student.checkScreen("website-code")).toEqual([]);
    await retypeLine(student, '"title": "Genes"', '"title": "Genes by hand",');
    await student.waitForText("Not saved yet");
    await student.press("button", "Save file");
    await student.press("radio", "Preview");
    await waitForSite(student, "Genes by hand");

    // If a file does not build, the last good site stays, and the error names the line.
    await student.press("radio", "Code");
    await chooseFile(student, "/src/main.tsx");
    await retypeLine(student, "renderSite(site);", "renderSite(site;");
    await student.press("button", "Save file");
    await student.waitForText("This version does not build");
    await student.page.waitForSelector(".cm-lint-marker-error");
    expect(await student.checkScreen("website-code-fault")).toEqual([]);
    await student.press("radio", "Preview");
    await waitForSite(student, "Genes by hand");

    await student.page.locator(".website-versions summary").click();
    expect(await student.checkScreen("website-versions")).toEqual([]);
    await student.press("button", "Compare Made: Genes");
    await student.waitForText("Genes by hand");
    expect(await student.checkScreen("website-compare")).toEqual([]);
    await student.press("button", "Close");
    await student.press("button", "Restore Made: Genes");
    await student.waitForText("Version restored");
    await student.waitForText("Restored: ");
    const heading = (await waitForSiteFrame(student, "Genes")).$eval("h1", ({ textContent }) => textContent);
    expect(await heading).toBe("Genes");
    await takePicture(student.page, "website-restored");
  } finally {
    await student.close();
  }
});

test("a visitor without an account studies a published site by its link, until it is unpublished", async () => {
  const { student } = await openStudyGuide();
  const visitor = await openStudent(browser, server.origin);
  try {
    await student.press("button", "Publish");
    await student.waitForText("Publish this website");
    expect(await student.checkScreen("website-publish")).toEqual([]);
    await student.press("button", "Publish this version");
    await student.waitForText("Published");
    // The notice is above the backdrop of the dialog, so it can be pressed.
    await student.press("button", "Dismiss");
    const field = await student.page.waitForSelector("dialog input[readonly]");
    const link = (await field?.evaluate((input) => input.value)) ?? "";
    expect(link).toMatch(new RegExp(`^${server.origin}/s/`));
    expect(await student.checkScreen("website-published")).toEqual([]);

    await visitor.open(new URL(link).pathname);
    await useSite(await waitForSiteFrame(visitor, "Genes"));
    expect(await visitor.checkScreen("website-visitor")).toEqual([]);

    await student.press("button", "Unpublish");
    await student.waitForText("Unpublished");
    await visitor.open(new URL(link).pathname);
    await visitor.waitForText("This link no longer works");
    expect(await visitor.checkScreen("website-ended")).toEqual([]);
  } finally {
    await visitor.close();
    await student.close();
  }
});

test("a downloaded site works from the disk, remembers its reader and makes no network requests", async () => {
  const { student, user, id } = await openStudyGuide();
  const canary = await openCanary();
  const folder = await mkdtemp(join(tmpdir(), "lamplight-export-"));
  try {
    const { text } = await user.client.website.getSiteFile({ id, path: "/src/main.tsx" });
    const hostile = `
fetch("${canary.out}/fetch").catch(() => { document.body.dataset.fetch = "refused"; });
new Image().src = "${canary.out}/image";
navigator.sendBeacon("${canary.out}/beacon", "x");
document.body.append(Object.assign(document.createElement("iframe"), { src: "${canary.out}/frame" }));
`;
    await user.client.website.putSiteFile({ id, path: "/src/main.tsx", text: `${text}${hostile}` });
    await saveDownloadsIn(student.page, folder);
    await student.press("button", "Download");
    await unpack(await readFile(await waitForFile(folder, ".zip")), folder);

    const disk = await openFromDisk(browser, join(folder, "index.html"));
    try {
      await disk.page.waitForSelector("body[data-fetch=refused]");
      await useSite(disk.page);
      await disk.page.reload();
      await pressInSite(disk.page, "link", "Cards");
      await disk.page.waitForSelector("::-p-text(7 to go)");
      expect(await disk.page.evaluate(() => typeof RTCPeerConnection)).toBe("undefined");
      expect(disk.crashes).toEqual([]);
      // The listener works, so it would have recorded a request.
      expect((await fetch(`${canary.out}/alive`)).ok).toBe(true);
      expect(canary.reached).toEqual(["/alive"]);
    } finally {
      await disk.close();
    }
  } finally {
    await rm(folder, { recursive: true });
    canary.close();
    await student.close();
  }
});
