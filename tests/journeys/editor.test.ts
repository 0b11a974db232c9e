import { ulid } from "ulid";
import { expect, test } from "vitest";
import { pageCitation, webCitation } from "#shared/citations.ts";
import { aChange, aPage, aText, send } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { aQuestion, ask } from "#tests/kit/tutor.ts";

const { browser, server } = await startBrowserAndServer();

async function openPageWithThreeLines() {
  const { student, user: ada } = await registerStudent(browser, server.origin);
  const pageId = await aPage(ada);
  for (const text of ["First line.", "Second line.", "Third line."]) await aText(ada, pageId, text);
  const kineticsId = ulid();
  await ada.client.sync.sendChanges({
    payload: [aChange("page_create", kineticsId, { title: "Kinetics", createdAt: Date.now() })],
  });
  await student.open(`/page/${pageId}`);
  await student.waitForText("Third line.");
  return { student, ada, pageId, kineticsId };
}

const readLines = ({ page }: Student) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".page-text")].map((line) => line.textContent).filter((text) => text !== ""),
  );

const waitUntilSaved = ({ page }: Student) =>
  page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved", { polling: 100 });

/** Waits until the editor has the focus again. */
const waitForEditorFocus = ({ page }: Student) =>
  page.waitForFunction(() => document.activeElement?.classList.contains("page-document"), { polling: 50 });

/** Runs in the browser: whether the text of the focused element begins with this name. */
const isFocused = (wanted: string) => document.activeElement?.textContent.startsWith(wanted);

/** A menu combines letters typed within a second, even with those of the previous choice. The name is then typed again. */
async function choose(student: Student, name: string): Promise<void> {
  await waitForMenuItemFocus(student);
  for (;;) {
    await student.page.keyboard.type(name);
    if (await student.page.waitForFunction(isFocused, { timeout: 1500, polling: 50 }, name).catch(() => undefined))
      break;
  }
  await student.page.keyboard.press("Enter");
}

const waitForMenuItemFocus = ({ page }: Student) =>
  page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitem", { polling: 50 });

async function chord(
  { page }: Student,
  ...keys: ("Control" | "Alt" | "Shift" | "ArrowUp" | "ArrowDown" | "Enter" | "Home" | "End" | "d" | "z" | "/")[]
) {
  const last = keys.at(-1);
  for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
  if (last) await page.keyboard.press(last);
  for (const key of keys.slice(0, -1).toReversed()) await page.keyboard.up(key);
}

/** Runs in the browser, after the timers of the editor: whether the caret is at the end of the page. */
const isAtEnd = () =>
  new Promise<boolean>((resolve) => {
    setTimeout(() => {
      const [caret, last] = [getSelection(), [...document.querySelectorAll(".page-text")].at(-1)];
      if (!caret?.focusNode || !last?.contains(caret.focusNode)) return resolve(false);
      const rest = document.createRange();
      rest.selectNodeContents(last);
      rest.setStart(caret.focusNode, caret.focusOffset);
      return resolve(rest.toString() === "");
    }, 50);
  });

/** Tries again because the editor, a moment after it gets the focus, restores its selection and so undoes an earlier key. */
async function goToEnd(student: Student): Promise<void> {
  await student.page.focus(".page-document");
  for (let tries = 0; tries < 20; tries += 1) {
    await chord(student, "Control", "End");
    if (await student.page.evaluate(isAtEnd)) return;
  }
  throw new Error("the caret never reached the end of the page");
}

test("blocks can be moved, duplicated, converted, coloured and sent to another page by keyboard, and undo restores them", async () => {
  const { student, ada, pageId, kineticsId } = await openPageWithThreeLines();
  const { keyboard } = student.page;
  await student.page.focus(".page-document");
  await chord(student, "Alt", "Shift", "ArrowDown");
  expect(await readLines(student)).toEqual(["Second line.", "First line.", "Third line."]);
  await chord(student, "Control", "d");
  expect(await readLines(student)).toEqual(["Second line.", "First line.", "First line.", "Third line."]);
  await chord(student, "Control", "z");
  await chord(student, "Control", "/");
  await student.waitForText("Duplicate");
  expect(await student.checkScreen("page-block-menu")).toEqual([]);
  await choose(student, "Heading 1");
  await student.page.waitForSelector("h2.page-text");
  await waitForEditorFocus(student);
  await chord(student, "Control", "/");
  await choose(student, "Yellow");
  await student.page.waitForSelector('[data-highlight="yellow"]');
  await waitUntilSaved(student);

  await waitForEditorFocus(student);
  await chord(student, "Control", "/");
  await choose(student, "Move to");
  await student.waitForText("Kinetics");
  expect(await student.checkScreen("page-move")).toEqual([]);
  await student.type("Name", "kine");
  await keyboard.press("Enter");
  await student.waitForText("Moved to Kinetics.");
  expect(await readLines(student)).toEqual(["Second line.", "Third line."]);
  await waitUntilSaved(student);
  const moved = await ada.client.pages.getPage({ id: kineticsId });
  expect(moved.components).toHaveLength(1);

  await waitForEditorFocus(student);
  await chord(student, "Control", "z");
  await student.waitForText("First line.");
  await waitUntilSaved(student);
  const original = await ada.client.pages.getPage({ id: pageId });
  expect(original.components.map(({ _id }) => _id)).toContain(moved.components[0]?._id);
  expect((await ada.client.pages.getPage({ id: kineticsId })).components).toEqual([]);

  await student.open(`/page/${pageId}`);
  await student.waitForText("First line.");
  await student.page.focus(".page-document");
  await chord(student, "Control", "z");
  await student.page.waitForFunction(() => !document.querySelector("[data-highlight]"));
  await chord(student, "Control", "z");
  await chord(student, "Control", "z");
  await student.page.waitForFunction(
    () =>
      document.querySelector(".page-text")?.textContent === "First line." && !document.querySelector("h2.page-text"),
  );
  expect(await readLines(student)).toEqual(["First line.", "Second line.", "Third line."]);

  // On a phone, a finger on the handle drags the block, and a tap on the handle opens the block's menu.
  await student.page.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
  await student.waitForText("Third line.");
  await student.page.tap(".page-text");
  await dragByTouch(student, "Third line.");
  expect(await readLines(student)).toEqual(["Second line.", "Third line.", "First line."]);
  await waitUntilSaved(student);
  await student.page.tap(".block-handle-button");
  await student.waitForText("Duplicate");

  // A mouse on the handle drags a line with the line nested below it, and no toolbar covers the page afterwards.
  await student.page.setViewport({ width: 1280, height: 800 });
  await student.waitForText("Third line.");
  await placeCaretByClick(student, ".page-text::-p-text(Third line.)");
  await keyboard.press("Tab");
  await dragByMouse(student, "Second line.", ["lower", "First line."]);
  expect(await readLines(student)).toEqual(["First line.", "Second line.", "Third line."]);
  // The half of the line under the pointer decides, wherever in the line it is, and beside the text as well.
  await dragByMouse(student, "Second line.", ["upper", "First line."], "after the text");
  expect(await readLines(student)).toEqual(["Second line.", "Third line.", "First line."]);
  await dragByMouse(student, "Second line.", ["lower", "First line."], "in the margin");
  expect(await readLines(student)).toEqual(["First line.", "Second line.", "Third line."]);
  await student.page.waitForSelector("[role=toolbar]", { hidden: true });
  await student.close();
});

/** Clicks into a line and waits until the editor knows: it reads the caret when the browser reports the selection. */
async function placeCaretByClick({ page }: Student, selector: string): Promise<void> {
  const reported = await page.evaluateHandle(() => ({
    event: new Promise((resolve) => document.addEventListener("selectionchange", resolve, { once: true })),
  }));
  await page.click(selector);
  await reported.evaluate(async ({ event }) => void (await event));
}

/** Drags the current block below the line with this text. */
async function dragByTouch({ page }: Student, text: string): Promise<void> {
  const centerOf = async (selector: string) => {
    const box = await (await page.waitForSelector(selector, { visible: true }))?.boundingBox();
    if (!box) throw new Error(`${selector} is not on the screen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, bottom: box.y + box.height };
  };
  const from = await centerOf(".block-handle-button");
  const to = await centerOf(`.page-text::-p-text(${text})`);
  await page.touchscreen.touchStart(from.x, from.y);
  for (let step = 1; step <= 5; step += 1)
    await page.touchscreen.touchMove(from.x, from.y + ((to.bottom + 4 - from.y) * step) / 5);
  await page.waitForSelector(".block-drop-line");
  await page.touchscreen.touchEnd();
}

type Spot = "at the start" | "after the text" | "in the margin";

/** Drags the line with this text to a half of another, where the line between blocks must be shown. */
async function dragByMouse(
  { page }: Student,
  text: string,
  [half, other]: ["upper" | "lower", string],
  spot: Spot = "at the start",
): Promise<void> {
  const boxOf = async (selector: string) => {
    const box = await (await page.waitForSelector(selector, { visible: true }))?.boundingBox();
    if (!box) throw new Error(`${selector} is not on the screen`);
    return { ...box, middle: box.y + box.height / 2, bottom: box.y + box.height };
  };
  const [line, target] = [await boxOf(`.page-text::-p-text(${text})`), await boxOf(`.page-text::-p-text(${other})`)];
  await page.mouse.move(line.x + line.width / 2, line.middle, { steps: 4 });
  await page.waitForFunction(
    (y) => Math.abs((document.querySelector(".block-handle-button")?.getBoundingClientRect().y ?? 0) - y) < 24,
    { polling: 50 },
    line.middle,
  );
  const from = await boxOf(".block-handle-button");
  await page.mouse.move(from.x + from.width / 2, from.middle);
  await page.mouse.down();
  const x = {
    "at the start": target.x + 4,
    "after the text": target.x + target.width - 8,
    "in the margin": from.x + 8,
  };
  const y = half === "upper" ? target.y + 4 : target.bottom - 4;
  await page.mouse.move(x[spot], y, { steps: 12 });
  const shown = await boxOf(".block-drop-line");
  expect(Math.abs(shown.middle - (half === "upper" ? target.y : target.bottom))).toBeLessThan(6);
  expect(await page.$(".page-drop")).toBeNull();
  await page.mouse.up();
  await page.waitForSelector(".block-drop-line", { hidden: true });
}

/** Rates the last accepted completion as bad, with a reason, and shares its text. */
async function rateCompletion(student: Student): Promise<void> {
  expect(await student.checkScreen("page-completion-rating")).toEqual([]);
  await student.press("button", "Bad completion");
  await student.waitForText("What was wrong?");
  await student.type("Reason", "Too long");
  await student.press("checkbox", "Share this text with the people who run this server");
  await student.waitForText("that a body has because it moves.");
  await student.press("button", "Send");
  await student.waitForText("Thank you.");
  await student.press("button", "Close");
  await student.page.waitForFunction(() => !document.querySelector(".completion-rating"));
}

/** Checks that a swipe over a completion accepts nothing, and that a tap accepts all of it. */
async function checkCompletionByTouch(student: Student): Promise<void> {
  const { keyboard, touchscreen } = student.page;
  await keyboard.press("Enter");
  await keyboard.type("So kinetic energy is the");
  await student.page.waitForSelector(".page-completion");
  const box = await (await student.page.$(".page-completion"))?.boundingBox();
  if (!box) throw new Error("no completion is shown");
  const [x, y] = [box.x + 20, box.y + 8];
  await touchscreen.touchStart(x, y);
  await touchscreen.touchMove(x + 60, y);
  await touchscreen.touchEnd();
  expect((await readLines(student)).at(-1)).toMatch(/^So kinetic energy is the\s*energy that/);
  await student.page.waitForSelector(".page-completion");
  await touchscreen.tap(x, y);
  await student.page.waitForFunction(() => !document.querySelector(".page-completion"));
  expect((await readLines(student)).at(-1)).toBe("So kinetic energy is the energy that a body has because it moves.");
}

test("completions come from the student's pages; Tab accepts one, Ctrl+Right accepts a word, and Escape dismisses it", async () => {
  const { student, ada, kineticsId } = await openPageWithThreeLines();
  await aText(ada, kineticsId, "Kinetic energy is the energy that a body has because it moves.");
  // A line asks for a completion only once, so the sentence must be indexed before the line is typed.
  await searchIndexed(ada, { q: "kinetic energy" });
  const { keyboard } = student.page;
  await goToEnd(student);
  await keyboard.press("Enter");
  await keyboard.type("Kinetic energy is the");
  await student.page.waitForSelector(".page-completion");
  expect(await student.checkScreen("page-completion")).toEqual([]);
  await student.page.focus(".page-document");
  await keyboard.down("Control");
  await keyboard.press("ArrowRight");
  await keyboard.up("Control");
  expect((await readLines(student)).at(-1)).toContain("Kinetic energy is the energy");
  await keyboard.press("Tab");
  await student.page.waitForFunction(() => !document.querySelector(".page-completion"));
  expect((await readLines(student)).at(-1)).toBe("Kinetic energy is the energy that a body has because it moves.");
  await expect.poll(async () => (await ada.client.user.getUsage({})).autocompleteWords).toBe(8);
  await rateCompletion(student);
  await goToEnd(student);
  await keyboard.press("Enter");
  await keyboard.type("And kinetic energy is the");
  await student.page.waitForSelector(".page-completion");
  // A click moves the caret and does not accept the completion.
  await student.page.click(".page-completion");
  expect(
    (await readLines(student))
      .at(-1)
      ?.replace(/energy that a body.*$/, "")
      .trim(),
  ).toBe("And kinetic energy is the");
  await keyboard.press("Escape");
  await student.page.waitForFunction(() => !document.querySelector(".page-completion"));
  expect((await readLines(student)).at(-1)).toBe("And kinetic energy is the");
  await checkCompletionByTouch(student);
  await student.close();
});

/** Runs in the browser: whether the text field of a block of this type has the focus. */
const isFieldFocused = (type: string) =>
  document.activeElement?.matches(`.page-block[data-component="${type}"] textarea`) === true;

test("a page can be written, deleted and restored by keyboard alone", async () => {
  const { student, ada, pageId } = await openPageWithThreeLines();
  const { keyboard } = student.page;
  const insertBlock = async (name: string) => {
    await keyboard.type(`/${name}`);
    await student.page.waitForSelector(".slash-menu-item");
    await keyboard.press("Enter");
  };
  await student.page.focus(".page-title");
  await keyboard.press("End");
  await keyboard.type(" and membranes");
  await keyboard.press("Enter");
  await waitForEditorFocus(student);
  await chord(student, "Control", "End");
  await keyboard.press("Enter");
  await keyboard.type("# Transport");
  await keyboard.press("Enter");
  await keyboard.type("- Diffusion");
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  await keyboard.type("needs nothing");
  await keyboard.press("Enter");
  await keyboard.press("Enter");
  await keyboard.press("Enter");
  await insertBlock("to-do");
  await keyboard.type("Ask about pumps");
  await chord(student, "Control", "Enter");
  await keyboard.press("Enter");
  await keyboard.press("Backspace");
  await insertBlock("quote");
  await keyboard.type("Water moves.");
  await keyboard.press("Enter");
  await keyboard.press("Backspace");
  // An inserted block has the focus at once, and one key leaves it.
  await insertBlock("equation");
  await student.page.waitForFunction(isFieldFocused, {}, "equation");
  await keyboard.type("x^2");
  await chord(student, "Control", "Enter");
  await chord(student, "Control", "End");
  await keyboard.type("```");
  await keyboard.press("Enter");
  await student.page.waitForFunction(isFieldFocused, {}, "code_block");
  await keyboard.type("let a;");
  await keyboard.press("Escape");
  await chord(student, "Control", "End");
  await keyboard.type("Then **bold** and `code` ");
  await waitUntilSaved(student);
  const kinds = (await ada.client.pages.getPage({ id: pageId })).components.map(({ type, content }) =>
    "subType" in content ? `${content.subType} ${content.metadata.indents}` : type,
  );
  expect(kinds.slice(3)).toEqual([
    "heading_1 0",
    "list_unordered 0",
    "list_unordered 1",
    "list_checkbox_checked 0",
    "block_quote 0",
    "equation",
    "code_block",
    "normal 0",
  ]);
  await student.page.waitForSelector(".page-text strong + code, .page-text strong ~ code");

  // Deleting three or more lines asks for confirmation. Enter confirms it, and Ctrl+Z restores the lines.
  await chord(student, "Control", "Home");
  for (let i = 0; i < 3; i += 1) await chord(student, "Shift", "ArrowDown");
  await student.page.waitForFunction(() => getSelection()?.toString().includes("Third line."), { polling: 50 });
  await keyboard.press("Delete");
  await student.waitForText("Delete from this page?");
  await keyboard.press("Enter");
  await student.page.waitForFunction(() => !document.body.textContent.includes("Second line."));
  await waitForEditorFocus(student);
  await chord(student, "Control", "z");
  await student.waitForText("Second line.");

  // Escape leaves the text. The page menu then leads to the table of contents.
  await keyboard.press("Escape");
  await student.page.focus("[aria-label='Page menu']");
  await keyboard.press("Enter");
  await choose(student, "Contents");
  await student.waitForText("min read");
  expect(await student.checkScreen("page-outline")).toEqual([]);
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await waitForEditorFocus(student);

  await student.page.focus("[aria-label='Page menu']");
  await keyboard.press("Enter");
  await choose(student, "Delete page");
  await student.waitForText("Page deleted");
  await student.open(`/page/${pageId}`);
  await student.waitForText("This page is in the trash.");
  expect(await student.checkScreen("page-archived")).toEqual([]);
  await student.page.focus(".page-document");
  await chord(student, "Control", "z");
  await student.page.waitForFunction(() => !document.querySelector(".archived-bar"));
  await waitUntilSaved(student);
  const { page } = await ada.client.pages.getPage({ id: pageId });
  expect([page.archived, page.title]).toEqual([false, "Cells and membranes"]);
  await student.close();
});

test("clicking a page reference in the text opens that page", async () => {
  const { student } = await openPageWithThreeLines();
  const { keyboard } = student.page;
  await goToEnd(student);
  await keyboard.type("See /link");
  await student.waitForText("Link to page, deck or document");
  await keyboard.press("Enter");
  await student.type("Name", "Kinetics");
  await keyboard.press("Enter");
  await waitUntilSaved(student);
  await student.page.locator('.page-reference[data-reference="page_tag"]').click();
  await student.page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>(".page-title")?.value === "Kinetics",
  );
  await student.close();
});

/** Runs in the browser: pastes HTML as if another program had copied it. */
const pasteHtml = (html: string) => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  data.setData("text/plain", "words");
  const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".page-document")?.dispatchEvent(paste);
};

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

test("a pasted picture keeps its position, a picture that cannot be loaded is reported, and a tutor's answer is formatted", async () => {
  const { student, ada, pageId } = await openPageWithThreeLines();
  const { components } = await ada.client.pages.getPage({ id: pageId });
  const [first] = components;
  const question = aQuestion({ text: "What is on the first line?" });
  await ask(ada.client, question);
  const base = { pageId, createdAt: 1, modifiedAt: 1, createdBy: "", lastOpenedAt: null, version: 1 };
  const answer = {
    text: "**Water** moves through a membrane [^1].\n\n- Always downhill\n- Never for free",
    citations: [
      pageCitation(pageId, first?._id ?? "", "First line."),
      webCitation("example.org/osmosis", "Water moves"),
    ],
  };
  const [answerId, chatId] = [ulid(), ulid()];
  await send(
    ada,
    aChange("component_create", answerId, {
      component: { ...base, _id: answerId, type: "assistant_message", content: answer },
      parentId: pageId,
    }),
    aChange("component_create", chatId, {
      component: { ...base, _id: chatId, type: "chat", content: { threadId: question.threadId, title: "About lines" } },
      parentId: pageId,
    }),
  );
  await student.waitForText("Always downhill");
  await student.page.waitForSelector(`section[aria-label="Tutor's answer"] strong`);
  await student.waitForText("Sources:");
  await student.waitForText("What is on the first line?");
  await student.waitForText("Open conversation");
  await student.page.focus(".page-document");
  await chord(student, "Control", "Home");
  await chord(student, "Control", "End");
  await student.page.evaluate(
    pasteHtml,
    `<p>Cells have walls.</p><img src="${PIXEL}" alt="A wall"><p>And doors.</p><img src="https://pictures.invalid/door.png">`,
  );
  await student.waitForText("1 pasted picture could not be loaded.");
  await student.page.waitForSelector('.picture-block img[alt*="A wall"]');
  await waitUntilSaved(student);
  expect(await student.checkScreen("page-messages")).toEqual([]);
  const kinds = (await ada.client.pages.getPage({ id: pageId })).components.map(({ type }) => type);
  expect(kinds).toEqual(["text", "text", "text", "assistant_message", "chat", "text", "image", "text"]);
  await student.page.locator(`section[aria-label="Tutor's answer"] .cite-badge`).click();
  await student.page.waitForFunction(() => location.search.includes("quote="));
  await student.close();
});
