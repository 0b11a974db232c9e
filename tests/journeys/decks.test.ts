import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { aCollection, aNote, aPackage } from "#tests/flashcards/anki/made-anki.ts";
import { aHostilePackage, hostileCards, watchHostile } from "#tests/flashcards/anki/hostile-cards.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGNgYPiPAw1TCQZcAAA5tz/BJVCC7wAAAABJRU5ErkJggg==",
  "base64",
);

const focusedLabel = () => document.activeElement?.getAttribute("aria-label");
const waitUntilSaved = (student: Student) =>
  student.page.waitForFunction(() => !document.body.innerText.includes("Saving"));

test("a student adds, stars and filters cards, and imports an Anki package whose report lists what was left out", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user);
  const componentId = await aDeck(user, pageId, [
    { ...aCard("formula"), question: "Area of a circle", answer: "$A = \\pi r^2$", tags: ["maths"] },
    { ...aCard("code"), question: "What does `map` return?", answer: "```js\n[1, 2].map((n) => n * 2);\n```" },
  ]);
  const review = { _id: ulid(), cardId: "code", componentId, grade: 3 as const, reviewedAt: Date.now() };
  await send(user, aChange("review_add", componentId, { ...review, durationMs: 4000, mode: "study" as const }));
  await student.open(`/page/${pageId}/flashcard/${componentId}`);
  await student.waitForText("2 cards");
  await student.press("button", "Add card");
  await student.page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Question of card 3");
  await student.page.keyboard.type("What holds DNA?");
  await student.page.keyboard.press("Enter");
  expect(await student.page.evaluate(focusedLabel)).toBe("Answer of card 3");
  await student.page.keyboard.type("The nucleus");
  await student.page.keyboard.press("Enter");
  await student.page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Question of card 4");
  await student.page.keyboard.press("Backspace");
  await student.waitForText("3 cards");
  await student.page.setViewport({ width: 360, height: 740 });
  // The page scrolls, not a list within it, and a long title ends in an ellipsis.
  const phone = await student.page.evaluate(() => {
    const list = document.querySelector(".card-list");
    const title = document.querySelector(".deck-screen-title");
    return list && title && [getComputedStyle(list).overflowY, getComputedStyle(title).textOverflow];
  });
  expect(phone).toEqual(["visible", "ellipsis"]);
  await student.page.setViewport({ width: 1360, height: 860 });
  await student.press("button", "Add card 3 to favourites");
  await student.page.locator("math").wait();
  // A formula is rendered, and shows its source while it is edited.
  const formula = '[data-card="formula"] [aria-label^="Answer of"]';
  const opacity = () => student.page.$eval(formula, (field) => getComputedStyle(field).opacity);
  expect(await opacity()).toBe("0");
  await student.page.click(formula);
  expect(await opacity()).toBe("1");
  await student.page.focus('input[type="search"]');
  expect(await student.checkScreen("deck")).toEqual([]);
  await student.press("button", "Learning 1");
  await student.waitForText("1 card shown");
  expect(await student.checkScreen("deck-learning")).toEqual([]);
  await student.press("button", "New 2");
  await student.waitForText("2 cards shown");
  await student.press("button", "New 2");
  await student.type("Search this deck", "#maths");
  await student.waitForText("1 card shown");
  await student.type("Search this deck", "");
  await waitUntilSaved(student);

  const folder = ownFolder();
  const notes = [
    aNote({
      fields: ['Which organelle?<br><img src="cell.png">', "The nucleus"],
      reviews: [{ at: 1_700_000_000_000, ease: 3 }],
    }),
    aNote({ fields: ['<img src="lost.png">What is lost?', "A picture"] }),
  ];
  const path = join(folder, "Cells.apkg");
  writeFileSync(path, aPackage(aCollection({ notes }), { "cell.png": PNG }));
  await student.press("button", "Deck menu");
  await student.press("menuitem", "Import cards");
  const [chooser] = await Promise.all([student.page.waitForFileChooser(), student.press("button", "Choose file")]);
  await chooser.accept([path]);
  await student.waitForText("2 cards imported.");
  await student.waitForText("Not imported");
  expect(await student.checkScreen("import-report")).toEqual([]);
  await student.press("link", "Biology / Cells");
  await student.waitForText("Which organelle?");
  await student.page.locator("img.card-picture").wait();
  const { components } = await user.client.pages.getPage({ id: pageId });
  const editedDeck = components.find(({ _id }) => _id === componentId);
  expect(editedDeck?.type === "flash_cards" && editedDeck.content.cards.at(-1)).toMatchObject({
    question: "What holds DNA?",
    answer: "The nucleus",
  });
  expect((await user.client.flashcards.listCardFavourites({})).favorites).toHaveLength(1);
  await student.close();
});

test("a picture can be pasted, dropped or chosen for either side of a card, removed, and seen while studying", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user);
  const componentId = await aDeck(user, pageId, [aCard("cell", "Which cell is this?")]);
  const readCard = async () => {
    const { components } = await user.client.pages.getPage({ id: pageId });
    const deck = components.find(({ _id }) => _id === componentId);
    return deck?.type === "flash_cards" ? deck.content.cards[0] : undefined;
  };
  await student.open(`/page/${pageId}/flashcard/${componentId}`);
  await student.waitForText("1 card");
  const addPicture = (side: number, event: "paste" | "drop") =>
    student.page.evaluate(
      (fieldIndex, type, base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], "cell.png", { type: "image/png" }));
        const field = document.querySelectorAll("[data-card] textarea")[fieldIndex];
        const eventOptions = { bubbles: true, cancelable: true };
        field?.dispatchEvent(
          type === "paste"
            ? new ClipboardEvent("paste", { ...eventOptions, clipboardData: data })
            : new DragEvent("drop", { ...eventOptions, dataTransfer: data }),
        );
      },
      side,
      event,
      PNG.toString("base64"),
    );
  await addPicture(0, "paste");
  await student.page.waitForSelector(".card-line-side:nth-of-type(1) img.card-picture");
  await addPicture(1, "drop");
  await student.page.waitForFunction(() => document.querySelectorAll("img.card-picture").length === 2);
  await expect.poll(async () => (await readCard())?.answerImage).toMatch(/^\/v1\/files\/.+\.png$/);
  expect(await student.checkScreen("deck-pictures")).toEqual([]);
  await student.press("button", "Remove the picture from the question of card 1");
  await student.page.waitForFunction(() => document.querySelectorAll("img.card-picture").length === 1);
  const folder = ownFolder();
  const path = join(folder, "leaf.png");
  writeFileSync(path, PNG);
  const [chooser] = await Promise.all([
    student.page.waitForFileChooser(),
    student.press("button", "Add a picture to the question of card 1"),
  ]);
  await chooser.accept([path]);
  await student.page.waitForFunction(() => document.querySelectorAll("img.card-picture").length === 2);
  await expect.poll(async () => (await readCard())?.questionImage).toMatch(/\.png$/);
  await student.press("link", "Study");
  await student.page.waitForSelector("main img.card-picture");
  await student.close();
});

/** Runs in the browser. Counts the widths at which a line breaks between a blank and the comma after the blank. */
function countTornBlanks(): number {
  const words = [...document.querySelectorAll<HTMLElement>(".print-words")].find((element) =>
    element.textContent?.includes("abundant"),
  );
  const blank = words?.querySelector(".card-blank");
  const after = blank?.nextElementSibling?.firstChild;
  if (!words || !blank || !after) return -1;
  const comma = new Range();
  comma.setStart(after, 0);
  comma.setEnd(after, 1);
  const widths = Array.from({ length: 60 }, (_, step) => 120 + 4 * step);
  const torn = widths.filter((width) => {
    words.style.width = `${width}px`;
    return comma.getBoundingClientRect().top >= blank.getBoundingClientRect().bottom;
  });
  words.style.width = "";
  return torn.length;
}

/** Counts the page objects of a PDF. */
const pageCount = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString("latin1")
    .match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

test("a deck can be printed for folding, or double-sided for cutting", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user);
  const cards = Array.from({ length: 12 }, (_, at) =>
    aCard(`card-${at}`, `What is number ${at + 1} of the parts of a cell?`),
  );
  const rich = [
    { ...aCard("formula", "What is $\\int_0^1 x^2\\,dx$?"), answer: "$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$" },
    { ...aCard("code", "What does `map` return?"), answer: "```js\n[1, 2].map((n) => n * 2);\n```" },
    { ...aCard("arabic", "ما هي عاصمة الأردن؟"), answer: "عمّان (Amman)" },
    {
      ...aCard("long", "What is said of ribosomes?"),
      answer: "They read messenger RNA in groups of three. ".repeat(9),
    },
    { ...aCard("longer", "What else is said of them?"), answer: "They read RNA in groups of three bases. ".repeat(30) },
  ];
  const gap = aCard("gap", "The most abundant gas of the air is ______, which plants cannot take up.");
  const componentId = await aDeck(user, pageId, [...rich, gap, ...cards.slice(6)]);
  await student.open(`/page/${pageId}/print_flashcards/${componentId}`);
  await student.waitForText("number 12");
  await student.page.waitForSelector(".print-face .katex");
  const directionOf = (words: string) =>
    student.page.evaluate((wanted) => {
      const face = [...document.querySelectorAll(".print-face")].find((element) =>
        element.textContent?.includes(wanted),
      );
      return face && getComputedStyle(face).direction;
    }, words);
  expect([await directionOf("عاصمة"), await directionOf("number 12")]).toEqual(["rtl", "ltr"]);
  // A formula or a piece of code is on the same line as the text around it.
  const heightOf = (words: string) =>
    student.page.evaluate(
      (wanted) =>
        [...document.querySelectorAll(".print-words")].find((element) => element.textContent?.includes(wanted))
          ?.clientHeight,
      words,
    );
  const line = (await heightOf("number 12")) ?? 0;
  expect(line).toBeGreaterThan(10);
  for (const words of ["What does", "What is"]) expect(await heightOf(words)).toBeLessThan(1.8 * line);
  expect(await student.page.evaluate(countTornBlanks)).toBe(0);
  expect(await student.checkScreen("print")).toEqual([]);
  const fold = await student.page.pdf({ format: "A4", preferCSSPageSize: false });
  expect(pageCount(fold)).toBe(3);
  await student.page.evaluate(() => document.querySelectorAll<HTMLInputElement>("input[type=radio]")[1]?.click());
  // No text of a long card overflows its paper card.
  const isWhole = await student.page.evaluate(() =>
    [...document.querySelectorAll(".print-sheet .print-face")].every(
      (element) => element.scrollHeight <= element.clientHeight,
    ),
  );
  expect(isWhole).toBe(true);
  const cut = await student.page.pdf({ format: "A4" });
  // Two sheets, each with its backs.
  expect(pageCount(cut)).toBe(4);
  const shots = process.env["SCREENSHOTS"];
  if (shots) {
    writeFileSync(join(shots, "print-fold.pdf"), fold);
    writeFileSync(join(shots, "print-cut.pdf"), cut);
  }
  await student.close();
});

test("hostile cards and Anki templates run no script and load nothing in print, in the deck or while studying", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const findEscapes = watchHostile(student.page);
  const pageId = await aPage(user);
  const written = await aDeck(user, pageId, [...hostileCards]);
  const file = new Blob([Buffer.from(aHostilePackage())]);
  const { decks } = await user.client.flashcards.importDecks({ pageId }, [{ field: "file", name: "a.apkg", file }]);
  for (const deckId of [written, decks[0]?.componentId ?? ""]) {
    await student.open(`/page/${pageId}/print_flashcards/${deckId}`);
    for (const word of ["script", "handler", "frame", "style", "vector", "markdown", "formula", "form"])
      await student.waitForText(word);
    expect(await findEscapes()).toEqual([]);
    await student.open(`/page/${pageId}/flashcard/${deckId}`);
    await student.waitForText(`${hostileCards.length} cards`);
    expect(await findEscapes()).toEqual([]);
    await student.press("link", "Study");
    for (const _ of hostileCards) {
      await student.waitForText("Show answer");
      await student.page.keyboard.press("Space");
      await student.waitForText("Good");
      expect(await findEscapes()).toEqual([]);
      await student.page.keyboard.press("3");
      await student.page.waitForFunction(() => !document.body.innerText.includes("Good"));
    }
  }
  await student.close();
});

test("a deck of ten thousand cards renders only the visible cards, and a student can add a card by keyboard", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const pageId = await aPage(user);
  const cards = Array.from({ length: 10_000 }, (_, at) => aCard(`card-${at}`, `Question ${at + 1} of ten thousand?`));
  const componentId = await aDeck(user, pageId, cards);
  await student.open(`/page/${pageId}/flashcard/${componentId}`);
  const countRenderedCards = () => page.evaluate(() => document.querySelectorAll("[data-card]").length);
  await page.waitForSelector('[data-card="card-0"] textarea');
  expect(await countRenderedCards()).toBeLessThan(60);
  await page.evaluate(() => window.scrollTo(0, 5000 * 84));
  await page.waitForSelector('[data-card="card-5000"] textarea');
  expect(await countRenderedCards()).toBeLessThan(60);
  await student.press("button", "Add card");
  await student.waitForText("10,001 cards");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Question of card 10,001");
  await page.keyboard.type("One more?");
  await page.keyboard.press("Enter");
  await page.keyboard.type("One more.");
  await page.keyboard.press("Enter");
  await student.waitForText("10,002 cards");
  await waitUntilSaved(student);
  await student.close();
});
