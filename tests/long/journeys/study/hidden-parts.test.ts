import sharp from "sharp";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

const { browser, server } = await startBrowserAndServer();

async function openStudentWithPage() {
  const { student, user } = await registerStudent(browser, server.origin);
  return { student, user, pageId: await aPage(user) };
}

/** A cell with two labels beside its parts. */
const CELL = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#fff"/>
<ellipse cx="260" cy="200" rx="220" ry="160" fill="#e3f2e9" stroke="#1f6b45" stroke-width="4"/>
<circle cx="220" cy="180" r="60" fill="#b9d3ef" stroke="#24406b" stroke-width="3"/>
<text x="500" y="110" font-size="26">nucleus</text><text x="500" y="300" font-size="26">membrane</text></svg>`;

async function aPicture(): Promise<Blob> {
  return new Blob([new Uint8Array(await sharp(Buffer.from(CELL)).png().toBuffer())], { type: "image/png" });
}

const readCards = async ({ client }: Pick<TestUser, "client">, pageId: string) => {
  const { components } = await client.pages.getPage({ id: pageId });
  return components.flatMap((part): Flashcard[] => (part.type === "flash_cards" ? part.content.cards : []));
};

async function drag({ page }: Student, from: [number, number], to: [number, number]): Promise<void> {
  const stage = await page.waitForSelector(".hide-stage img");
  const box = await stage?.boundingBox();
  if (!box) throw new Error("The picture is not shown");
  const toScreen = ([x, y]: [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...toScreen(from));
  await page.mouse.down();
  await page.mouse.move(...toScreen(to), { steps: 4 });
  await page.mouse.up();
}

test("parts of a picture on a page can be hidden by mouse and keyboard, and studied", async () => {
  const { student, user, pageId } = await openStudentWithPage();
  const files = [{ field: "file", file: await aPicture(), name: "cell.png" }];
  await user.client.uploads.uploadImageComponent({ pageId }, files);
  await student.open(`/page/${pageId}`);
  await student.page.waitForSelector("img.file-picture");
  await student.press("button", "More actions for cell.png");
  await student.press("menuitem", "Hide parts of the picture");
  await student.page.waitForSelector(".hide-stage img");
  await drag(student, [0.75, 0.2], [0.97, 0.32]);
  await student.type("Label of part 1", "Nucleus");

  await student.press("button", "Add part");
  await student.page.focus(".hide-region:nth-of-type(2)");
  const { keyboard } = student.page;
  for (const key of ["ArrowRight", "ArrowDown"] as const) for (let i = 0; i < 25; i++) await keyboard.press(key);
  await keyboard.down("Shift");
  for (let i = 0; i < 5; i++) await keyboard.press("ArrowRight");
  await keyboard.up("Shift");
  await student.type("Label of part 2", "Membrane");
  await student.press("button", "Add part");
  await student.page.focus(".hide-region:nth-of-type(3)");
  await keyboard.press("Delete");
  expect(await student.checkScreen("hide-parts")).toEqual([]);
  await student.press("button", "Make 2 cards");
  await student.waitForText("2 cards made.");
  await expect.poll(async () => (await readCards(user, pageId)).length).toBe(2);
  const cards = await readCards(user, pageId);
  expect(cards.map(({ answer, kind }) => [answer, kind])).toEqual([
    ["Nucleus", "occlusion"],
    ["Membrane", "occlusion"],
  ]);
  const [nucleus, membrane] = cards.map(({ occlusion }) => occlusion?.regions ?? []);
  expect(nucleus).toHaveLength(2);
  expect(membrane?.[1]?.y).toBeGreaterThan(0.6);

  await student.press("link", "Study");
  await student.page.waitForSelector(".hidden-part[data-state='asked']");
  expect(await student.page.$$eval(".hidden-part", (parts) => parts.length)).toBe(2);
  expect(await student.checkScreen("hidden-asked")).toEqual([]);
  await keyboard.press("Space");
  await student.page.waitForSelector(".hidden-part[data-state='shown']");
  expect(await student.checkScreen("hidden-shown")).toEqual([]);
  await student.close();
});

test("an area of a PDF becomes a picture with hidden parts, and its card cites the page of the PDF", async () => {
  const { student, user, pageId } = await openStudentWithPage();
  const pdf = tinyPdf([["Figure 1", "nucleus      membrane"]]);
  const { component } = await user.client.uploads.uploadImageComponent({ pageId }, [
    { field: "file", file: pdf, name: "Lecture 2.pdf" },
  ]);
  await student.open(`/pdf/${component._id}`);
  await student.page.waitForSelector(".textLayer span");
  await student.page.keyboard.press("a");
  await student.page.waitForSelector(".pdf-area");
  await student.page.keyboard.press("Enter");
  await student.page.waitForSelector(".pdf-taken");
  await student.press("button", "Hide parts of the picture");
  await student.page.waitForSelector(".hide-stage img");
  await drag(student, [0.1, 0.1], [0.5, 0.4]);
  await student.type("Label of part 1", "The nucleus");
  await student.press("button", "Make 1 card");
  await student.waitForText("1 card made.");
  await expect.poll(async () => (await readCards(user, pageId)).length).toBe(1);
  const [card] = await readCards(user, pageId);
  expect(card).toMatchObject({ kind: "occlusion", answer: "The nucleus", citation: `pdf_citation:${component._id}:1` });
  await student.close();
});

test("a list becomes one card for each item, and a selected card gets a reversed one", async () => {
  const { student, user, pageId } = await openStudentWithPage();
  const pair = { ...aCard("pair"), question: "What holds DNA?", answer: "The nucleus" };
  const deckId = await aDeck(user, pageId, [pair]);
  await student.open(`/page/${pageId}/flashcard/${deckId}`);
  await student.press("button", "Deck menu");
  await student.press("menuitem", "Learn a list");
  await student.type("Title of the list", "Phases of mitosis");
  await student.type("Items, one per line", "prophase\nmetaphase\nanaphase");
  expect(await student.checkScreen("list-cards")).toEqual([]);
  await student.press("button", "Make 3 cards");
  await student.waitForText("4 cards");
  await student.press("checkbox", "Select card 1");
  await student.press("button", "Add reversed cards");
  await student.waitForText("5 cards");
  await expect.poll(async () => (await readCards(user, pageId)).length).toBe(5);
  const cards = await readCards(user, pageId);
  expect(cards[1]).toMatchObject({ question: "The nucleus", answer: "What holds DNA?", isReversed: true });
  expect(cards[3]).toMatchObject({ answer: "metaphase", cloze: { index: 2, isOverlapping: true } });
  await student.close();
});
