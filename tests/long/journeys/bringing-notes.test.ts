import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { hostileNotes, hostileWords, watchHostile } from "#tests/flashcards/anki/hostile-cards.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { openTab } from "#tests/kit/student.ts";
import { aNotionExport, anObsidianVault } from "#tests/library/made-notes.ts";

const { browser, server } = await startBrowserAndServer();
const folder = await mkdtemp(join(tmpdir(), "lamplight-notes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const TERM_NOTES = 600;

/** A term's simple notes, which are added to the few notes of the sample that use every feature. */
const termNotes = (nameOf: (n: number) => string) =>
  Object.fromEntries(
    Array.from({ length: TERM_NOTES }, (_, n) => [nameOf(n), strToU8(`# Note ${n}\n\nWhat was said in hour ${n}.\n`)]),
  );

const notionId = (n: number) => n.toString(16).padStart(32, "0");

function aTermInNotion(): Uint8Array {
  const [[part, inner] = ["part.zip", new Uint8Array()]] = Object.entries(unzipSync(aNotionExport()));
  return zipSync({ [part]: zipSync({ ...unzipSync(inner), ...termNotes((n) => `Note ${n} ${notionId(n + 1)}.md`) }) });
}

const aTermInObsidian = () =>
  zipSync({ ...unzipSync(anObsidianVault()), ...termNotes((n) => `My vault/Hours/Note ${n}.md`) });

/** Runs in the browser: whether some notes are imported, but not all. */
const isUnderWay = () => {
  const [, done, total] = /(\d+) of (\d+) notes/.exec(document.body.innerText) ?? [];
  return done !== undefined && Number(done) > 0 && Number(done) < Number(total);
};

test.each([
  {
    from: "Notion",
    name: "notion.zip",
    made: aTermInNotion,
    own: ["Biology", "Osmosis", "ATP"],
    lost: "1 link to a note missing from the archive",
  },
  {
    from: "Obsidian",
    name: "vault.zip",
    made: aTermInObsidian,
    own: ["Index", "Osmosis", "Mitochondria"],
    lost: "1 file of an unsupported type",
  },
])(
  "an import of a term's notes from $from resumes after its tab was closed, and one click removes it",
  async ({ from, name, made, own, lost }) => {
    const path = join(folder, name);
    await writeFile(path, made());
    const { student: ada, user } = await registerStudent(browser, server.origin);
    await ada.open("/content/all");
    await ada.press("button", "Import notes");
    const input = await ada.page.waitForSelector('input[aria-label="Choose zip"]');
    await input?.uploadFile(path);
    await ada.page.waitForFunction(isUnderWay, { timeout: 90_000, polling: 50 });
    const context = ada.page.browserContext();
    await ada.page.close();

    const back = await openTab(context, server.origin);
    await back.open("/content/all");
    await back.waitForText(`Resuming an interrupted import: ${name}`);
    await back.press("button", "Show");
    await back.page.locator(".import-report").setTimeout(120_000).wait();
    await back.waitForText(lost);
    const faults = await back.checkScreen(`import-resumed-${from}`);

    const titles = async (isDeleted: boolean) => {
      const { content } = await user.client.pages.getContent({});
      return content.pages.filter(({ archived }) => archived === isDeleted).map(({ title }) => title);
    };
    const imported = await titles(false);
    expect(imported).toEqual(expect.arrayContaining([...own, "Note 0", `Note ${TERM_NOTES - 1}`]));
    expect(imported.filter((title) => title.startsWith("Note ")).toSorted()).toEqual(
      Array.from({ length: TERM_NOTES }, (_, n) => `Note ${n}`).toSorted(),
    );

    await back.press("button", "Undo import");
    await back.waitForText("Import undone. Its pages are in the trash.");
    expect(await titles(false)).toEqual([]);
    expect((await titles(true)).toSorted()).toEqual(imported.toSorted());
    expect(faults).toEqual([]);
    await back.close();
  },
);

test("hostile notes of web pages and Markdown run no script and load nothing on their pages", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const file = new Blob([Buffer.from(hostileNotes())]);
  await user.client.library.importNotes({}, [{ field: "file", name: "hostile.zip", file }]);
  const { content } = await user.client.pages.getContent({});
  const findEscapes = watchHostile(student.page, { mayLink: true });
  for (const [n, word] of hostileWords.entries())
    for (const title of [`Web ${n}`, `Text ${n}`]) {
      const { _id: id } = content.pages.find((page) => page.title === title) ?? { _id: "" };
      await student.open(`/page/${id}`);
      await student.waitForText(word);
      expect([title, await findEscapes()]).toEqual([title, []]);
    }
  await student.close();
});
