import { expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import type { Student } from "#tests/kit/student.ts";
import { aCourse, haveSiteKit } from "#tests/website/aids.ts";

await haveSiteKit();
const { browser, server } = await startBrowserAndServer({ DEFAULT_PLAN: "PLUS" });

/** Waits until the site in the preview says these words. */
async function waitForSite(student: Student, words: string): Promise<void> {
  const read = async () => {
    const frame = student.page.frames().find((one) => /\/[\w-]{22}\//.test(one.url()));
    return frame === undefined ? "" : frame.evaluate(() => document.body.innerText).catch(() => "");
  };
  await expect.poll(read, { timeout: 30_000 }).toContain(words);
}

test("a student makes a site from notes and a deck, looks at it and changes the order of its sections", async () => {
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
    await student.waitForText("Online");
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
