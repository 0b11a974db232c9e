import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";
import { anObsidianVault } from "#tests/library/made-notes.ts";

const { browser, server } = await startBrowserAndServer();
const folder = await mkdtemp(join(tmpdir(), "lamplight-notes-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The titles in the list of all content, and those under each heading of the expanded sidebar. */
async function readContentAndSidebar(student: Student): Promise<Record<string, string[]>> {
  await student.open("/content/all");
  await student.waitForText("Mitochondria");
  return student.page.evaluate(() => {
    const parts: Record<string, string[]> = {};
    const addTitle = (part: string, element: Element) => {
      (parts[part] ??= []).push(element.textContent ?? "");
    };
    for (const each of document.querySelectorAll(".content-words > :first-child")) addTitle("everything", each);
    parts["everything"]?.sort();
    for (const section of document.querySelectorAll(".sidebar:not(.sidebar-small) .sidebar-section"))
      for (const label of section.querySelectorAll(".sidebar-label"))
        addTitle(section.querySelector("h2")?.textContent ?? "", label);
    return parts;
  });
}

/** The parts of the search dialog that can be scrolled on a phone, where the list does not fit. */
async function listScrollersOnPhone({ page }: Student): Promise<string[]> {
  const before = page.viewport();
  await page.setViewport({ width: 360, height: 500 });
  const found = await page.evaluate(() => {
    const list = document.querySelector(".search-list");
    // As many results as fill any screen.
    const option = list?.querySelector("[role=option]");
    const copies = Array.from({ length: 30 }, () => option?.cloneNode(true) ?? "");
    list?.append(...copies);
    const scrollers = [...document.querySelectorAll(".dialog, .dialog-content, .search-list")].filter(
      (part) =>
        getComputedStyle(part).overflow.includes("auto") &&
        (part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth),
    );
    for (const copy of copies) if (copy instanceof Element) copy.remove();
    return scrollers.map(({ className }) => className);
  });
  await page.setViewport(before);
  return found;
}

test("a vault is imported, found despite a typo, found in another browser, and removed with one click", async () => {
  const faults: string[] = [];
  const path = join(folder, "vault.zip");
  await writeFile(path, anObsidianVault());
  const { student: ada, user } = await registerStudent(browser, server.origin);
  await ada.open("/content/all");
  await ada.waitForText("Nothing here yet");
  await ada.press("button", "Import notes");
  await ada.waitForText("Import notes from Notion");
  faults.push(...(await ada.checkScreen("import-empty")));
  const input = await ada.page.waitForSelector('input[aria-label="Choose zip"]');
  await input?.uploadFile(path);
  await ada.waitForText("Imported 3 pages.");
  faults.push(...(await ada.checkScreen("import-report")));
  await ada.press("button", "Open folder");
  await ada.waitForText("Index");
  faults.push(...(await ada.checkScreen("import-folder")));

  await ada.page.keyboard.down("Control");
  await ada.page.keyboard.press("k");
  await ada.page.keyboard.up("Control");
  await ada.page.locator('::-p-aria([role="combobox"])').fill("powerhuose");
  await ada.waitForText("the powerhouse");
  faults.push(...(await ada.checkScreen("search-dialog")));
  expect(await listScrollersOnPhone(ada)).toEqual(["search-list"]);
  await ada.page.keyboard.press("Enter");
  await ada.waitForText("Twelve questions");
  // Opening is recorded once the page is idle; leaving it before would record nothing.
  const opened = async () => (await user.client.pages.getContent({})).content.pages.some((page) => page.lastOpened);
  await expect.poll(opened).toBe(true);

  await ada.open("/content/all");
  await ada.press("button", "Expand sidebar");
  await ada.waitForText("Recents");
  // Folders load after pages.
  await expect.poll(async () => (await readContentAndSidebar(ada))["Folders"] ?? []).toContain("My vault");
  const expected = await readContentAndSidebar(ada);
  const secondBrowser = await openStudent(browser, server.origin);
  await secondBrowser.open("/login");
  await secondBrowser.type("Email", user.email);
  await secondBrowser.type("Password", PASSWORD);
  await secondBrowser.press("button", "Sign in");
  await secondBrowser.waitForText("Hello");
  await expect.poll(() => readContentAndSidebar(secondBrowser)).toEqual(expected);
  faults.push(...(await secondBrowser.checkScreen("content")));
  await secondBrowser.open("/logout");
  await secondBrowser.waitForText("Sign in");
  await secondBrowser.close();

  await ada.open("/settings");
  await ada.press("button", "Import notes");
  await ada.waitForText("Earlier imports");
  faults.push(...(await ada.checkScreen("import-earlier")));
  await ada.press("button", "Undo import: vault.zip");
  await ada.waitForText("Its pages are in the trash.");
  await ada.open("/content/all");
  await ada.press("radio", "Trash");
  await ada.waitForText("Mitochondria");
  expect(faults).toEqual([]);
});

/** Drags one element onto another, with the events that a browser sends. */
async function drag({ page }: Student, from: string, to: string): Promise<void> {
  const [dragged, over] = [await page.waitForSelector(from), await page.waitForSelector(to)];
  await page.evaluate(
    async (source, target) => {
      const dataTransfer = new DataTransfer();
      const dispatch = async (at: Element | null, type: string) => {
        at?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
        await new Promise(requestAnimationFrame);
      };
      await dispatch(source, "dragstart");
      await dispatch(target, "dragover");
      await dispatch(target, "drop");
      await dispatch(source, "dragend");
    },
    dragged,
    over,
  );
}

const titles = ({ page }: Student) =>
  page.$$eval(".content-words > :first-child", (all) => all.map(({ textContent }) => textContent ?? ""));

/** The row with this title in a list or in the sidebar. */
const row = (kind: "content-item" | "folder-item" | "sidebar-folder", name: string) =>
  `::-p-xpath(//*[contains(@class,"${kind}")][.//a[normalize-space()="${name}"]])`;

const sidebarRow = (name: string) => `::-p-xpath(//li[not(contains(@class,"sidebar-folder"))][a[@title="${name}"]])`;

test("folders accept dragged items and other folders, offer six colours, and remember whether they are collapsed", async () => {
  const faults: string[] = [];
  const { student: ada, user } = await registerStudent(browser, server.origin);
  for (const title of ["Osmosis", "Kinetics", "Enzymes"]) {
    const pageId = await aPage(user, title);
    await aText(user, pageId, `What is known of ${title.toLowerCase()}.`);
    if (title === "Enzymes") await aDeck(user, pageId, [aCard("codon"), aCard("site")]);
  }
  await ada.open("/content/all");
  await ada.waitForText("Kinetics");
  await ada.press("button", "Expand sidebar");

  // The list is sorted and filtered, and two selected items are put into a new folder.
  await ada.page.select("select", "title");
  expect(await titles(ada)).toEqual(["Enzymes", "Genes", "Kinetics", "Osmosis"]);
  await ada.press("radio", "Decks");
  await ada.waitForText("1 item");
  await ada.press("radio", "Pages");
  await ada.waitForText("3 items");
  await ada.press("checkbox", "Select Kinetics");
  await ada.press("checkbox", "Select Osmosis");
  await ada.waitForText("2 selected");
  faults.push(...(await ada.checkScreen("content-selected")));
  await ada.press("button", "Add to folder");
  await ada.type("New folder", "Biology");
  await ada.press("button", "Create folder");
  await ada.waitForText("Added to Biology");
  await ada.page.locator(row("sidebar-folder", "Biology")).wait();

  // An item is dragged onto the folder in the sidebar.
  await ada.press("button", "Clear selection");
  await drag(ada, row("content-item", "Enzymes"), row("sidebar-folder", "Biology"));
  await ada.page.locator(".sidebar-inside ::-p-text(Enzymes)").wait();
  // A collapsed folder stays collapsed after a reload.
  await ada.press("button", "Collapse Biology");
  await expect
    .poll(async () => (await user.client.library.listFolders({})).folders.map((shown) => shown.is_expanded))
    .toEqual([false]);
  await ada.page.reload();
  await ada.press("button", "Expand Biology");
  await ada.page.locator(".sidebar-inside ::-p-text(Enzymes)").wait();

  await ada.page.locator(".sidebar-folder ::-p-text(Biology)").click();
  await ada.page.waitForSelector(".folder-item");
  await ada.press("button", "Folder menu");
  await ada.press("menuitem", "Colour");
  for (const color of ["Black", "Red", "Blue", "Purple", "Pink", "Green"]) {
    await ada.page.locator(`.folder-colors ::-p-text(${color})`).click();
    await ada.page.waitForSelector(`.folder-colors [data-color="${color.toUpperCase()}"] input:checked`);
  }
  faults.push(...(await ada.checkScreen("folder-colour")));
  await ada.press("button", "Close");
  // A subfolder accepts items by drag and from the menu.
  await ada.press("button", "Folder menu");
  await ada.press("menuitem", "New subfolder");
  await ada.waitForText("This folder is empty");
  await ada.page.locator(".folder-title input").fill("Cells");
  await ada.page.keyboard.press("Enter");
  await ada.page.locator(row("sidebar-folder", "Cells")).wait();
  await ada.page.locator(".sidebar-folder ::-p-text(Biology)").click();
  await ada.page.locator(row("folder-item", "Cells")).wait();
  await drag(ada, row("folder-item", "Osmosis"), row("folder-item", "Cells"));
  await ada.waitForText("1 item");
  await ada.press("button", "More actions for Kinetics");
  await ada.press("menuitem", "Move to folder");
  await ada.waitForText("Choose a folder");
  faults.push(...(await ada.checkScreen("folder-move")));
  await ada.page.locator(".folder-picker ::-p-text(Cells)").click();
  await ada.waitForText("2 items");
  faults.push(...(await ada.checkScreen("folder")));
  await expect
    .poll(async () =>
      (await user.client.library.listFolders({})).folders.map(({ title, items }) => [title, items.length]),
    )
    .toEqual(
      expect.arrayContaining([
        ["Biology", 2],
        ["Cells", 2],
      ]),
    );
  const { folders } = await user.client.library.listFolders({});
  expect(folders.find(({ title }) => title === "Biology")).toMatchObject({ color: "GREEN", is_expanded: true });

  // Folders can be nested, but not inside themselves, neither by drag nor from the menu.
  await ada.press("button", "New folder");
  await ada.waitForText("This folder is empty");
  await ada.page.locator(".folder-title input").fill("Term one");
  await ada.page.keyboard.press("Enter");
  await ada.page.locator(row("sidebar-folder", "Term one")).wait();
  await drag(ada, sidebarRow("Biology"), sidebarRow("Term one"));
  await ada.page.locator(row("folder-item", "Biology")).wait();
  await drag(ada, sidebarRow("Term one"), sidebarRow("Biology"));
  await ada.waitForText("A folder can't be moved into itself.");
  await ada.press("button", "Folder menu");
  await ada.press("menuitem", "Move to folder");
  await ada.waitForText("Choose a folder");
  expect(await ada.page.$$(".folder-picker li")).toHaveLength(0);
  await ada.page.keyboard.press("Escape");
  const listFolders = async () => (await user.client.library.listFolders({})).folders;
  await expect
    .poll(async () => Object.fromEntries((await listFolders()).map(({ title, items }) => [title, items.length])))
    .toEqual({ Biology: 2, Cells: 2, "Term one": 1 });
  expect(faults).toEqual([]);
  await ada.close();
});

const pinned = ({ page }: Student) =>
  page.$$eval(".sidebar-section", (all) => {
    const section = all.find((candidate) => candidate.querySelector("h2")?.textContent === "Pinned");
    return [...(section?.querySelectorAll(".sidebar-label") ?? [])].map(({ textContent }) => textContent ?? "");
  });

/** Chooses from the menu of an item in the list. */
async function choose(student: Student, title: string, action: string): Promise<void> {
  await student.press("button", `More actions for ${title}`);
  await student.press("menuitem", action);
}

test("pins can be reordered, a failed pin or unpin is rolled back, and deleted items can be restored", async () => {
  const faults: string[] = [];
  const { student: ada, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Osmosis");
  await aText(user, pageId, "Water moves.");
  const deckId = await aDeck(user, pageId, [aCard("codon")]);
  const file = new Blob([new Uint8Array(await ownChapter())], { type: "application/pdf" });
  await user.client.uploads.uploadImageComponent({ pageId }, [{ field: "file", file, name: "chapter.pdf" }]);
  await ada.open(`/page/${pageId}`);
  await ada.waitForText("Water moves.");
  await ada.open("/content/all");
  await ada.waitForText("Genes");
  await ada.press("button", "Expand sidebar");

  await choose(ada, "Osmosis", "Pin");
  await expect.poll(() => pinned(ada)).toEqual(["Osmosis"]);
  await choose(ada, "Genes", "Pin");
  await expect.poll(() => pinned(ada)).toEqual(["Osmosis", "Genes"]);
  await ada.press("button", "More actions for pin Genes");
  await ada.press("menuitem", "Move pin up");
  await expect.poll(() => pinned(ada)).toEqual(["Genes", "Osmosis"]);
  await expect
    .poll(async () => (await user.client.library.getFavorites({})).favorites.map(({ data }) => data))
    .toMatchObject([{ componentType: "flash_cards" }, { title: "Osmosis" }]);

  // Offline, pinning and unpinning are rolled back with a message.
  await ada.page.setOfflineMode(true);
  await choose(ada, "chapter", "Pin");
  await ada.waitForText("Failed to pin, please try again");
  await expect.poll(() => pinned(ada)).toEqual(["Genes", "Osmosis"]);
  await choose(ada, "Osmosis", "Remove pin");
  await ada.waitForText("Failed to remove pin, please try again");
  await expect.poll(() => pinned(ada)).toEqual(["Genes", "Osmosis"]);
  await ada.page.setOfflineMode(false);
  await ada.page.reload();
  await ada.waitForText("Recents");
  await expect.poll(() => pinned(ada)).toEqual(["Genes", "Osmosis"]);

  // Items can also be pinned and unpinned from their own screens.
  const fileId = (await user.client.pages.getContent({})).content.components.find(({ type }) => type === "image")?._id;
  const chooseOnScreen = async (path: string, menu: string, item: string) => {
    const [, kind] = path.split("/");
    await ada.open(path);
    await ada.press("button", menu);
    faults.push(...(await ada.checkScreen(`pin-${kind}`)));
    await ada.press("menuitem", item);
  };
  const pinnedTitles = async () =>
    (await user.client.library.getFavorites({})).favorites.map(({ data }) => data.title ?? data.name);
  await chooseOnScreen(`/pdf/${fileId}`, "View options", "Pin to sidebar");
  await expect.poll(pinnedTitles).toEqual(["Genes", "Osmosis", "chapter"]);
  await chooseOnScreen(`/pdf/${fileId}`, "View options", "Remove pin");
  await chooseOnScreen(`/page/${pageId}`, "Page menu", "Remove pin");
  await expect.poll(pinnedTitles).toEqual(["Genes"]);
  await chooseOnScreen(`/page/${pageId}`, "Page menu", "Pin to sidebar");
  await expect.poll(pinnedTitles).toEqual(["Genes", "Osmosis"]);
  await chooseOnScreen(`/page/${pageId}/flashcard/${deckId}`, "Deck menu", "Remove pin");
  await expect.poll(pinnedTitles).toEqual(["Osmosis"]);
  await chooseOnScreen(`/page/${pageId}/flashcard/${deckId}`, "Deck menu", "Pin to sidebar");
  await ada.open("/content/all");
  await ada.waitForText("Recents");
  await expect.poll(() => pinned(ada)).toEqual(["Osmosis", "Genes"]);

  // Each deletion shows a notice; deleting an item removes its pin.
  await choose(ada, "Genes", "Delete");
  await ada.waitForText("Delete flashcards?");
  await ada.press("button", "Delete");
  await ada.waitForText("Flashcards deleted");
  await expect.poll(() => pinned(ada)).toEqual(["Osmosis"]);
  await ada.press("button", "Undo");
  await ada.waitForText("Flashcards restored");
  await choose(ada, "chapter", "Delete");
  await ada.waitForText("PDF deleted");
  await ada.press("radio", "Trash");
  await ada.press("button", "Restore chapter");
  await ada.waitForText("PDF restored");
  await ada.waitForText("Trash is empty");
  await ada.press("radio", "All");
  await choose(ada, "Osmosis", "Delete");
  await ada.waitForText("Page deleted");
  await ada.press("radio", "Trash");
  await ada.waitForText("1 item");
  faults.push(...(await ada.checkScreen("trash")));
  await ada.press("button", "Restore Osmosis");
  await ada.waitForText("Page restored");
  await ada.press("radio", "All");
  await ada.waitForText("3 items");
  expect(faults).toEqual([]);
  await ada.close();
});
