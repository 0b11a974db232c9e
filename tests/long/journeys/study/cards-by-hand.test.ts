import sharp from "sharp";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();

const CELL = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#fff"/>
<circle cx="220" cy="180" r="60" fill="#b9d3ef"/><text x="500" y="110" font-size="26">nucleus</text></svg>`;

async function aPicture(): Promise<Blob> {
  return new Blob([new Uint8Array(await sharp(Buffer.from(CELL)).png().toBuffer())], { type: "image/png" });
}

const cardsOn = async ({ client }: Pick<TestUser, "client">, pageId: string) => {
  const { components } = await client.pages.getPage({ id: pageId });
  return components.flatMap((component): Flashcard[] =>
    component.type === "flash_cards" ? component.content.cards : [],
  );
};

async function openMaker(student: Student): Promise<void> {
  await student.press("button", "Page menu");
  await student.press("menuitem", "Make flashcards");
  await student.waitForText("Or make them by hand:");
}

/** Whether a click in the middle of the button would hit the button, on a screen of this size. */
async function isInReach({ page }: Student, name: string, size: { width: number; height: number }): Promise<boolean> {
  await page.setViewport(size);
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  return (
    (await button?.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    })) ?? false
  );
}

test("the card dialog also starts a list or hidden parts of a picture, and asks definitions both ways", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user);
  const files = [{ field: "file", file: await aPicture(), name: "cell.png" }];
  await user.client.uploads.uploadImageComponent({ pageId }, files);
  await student.open(`/page/${pageId}`);
  await student.page.waitForSelector("img.file-picture");
  const has = (count: number) =>
    expect.poll(async () => (await cardsOn(user, pageId)).length, { timeout: 60_000 }).toBe(count);

  await openMaker(student);
  await student.press("button", "Learn a list");
  await student.type("Title of the list", "Phases of mitosis");
  await student.type("Items, one per line", "prophase\nmetaphase");
  await student.press("button", "Make 2 cards");
  await has(2);

  await openMaker(student);
  await student.press("button", "Hide parts of cell");
  await student.page.waitForSelector(".hide-stage img");
  await student.press("button", "Add part");
  await student.type("Label of part 1", "Nucleus");
  await student.press("button", "Make 1 card");
  await has(3);

  await openMaker(student);
  const fact = "Osmosis is the movement of water across a membrane. ";
  await student.page.locator(`::-p-aria([name="Text"])`).click();
  const text = `${fact}The nucleus is the organelle that holds the chromosomes.\n${fact.repeat(100)}`;
  await student.page.keyboard.sendCharacter(text);
  expect(await student.checkScreen("maker-long-text")).toEqual([]);
  for (const size of [
    { width: 360, height: 740 },
    { width: 1366, height: 600 },
    { width: 1360, height: 860 },
  ])
    expect(await isInReach(student, "Make cards", size), `Make cards at ${size.width} × ${size.height}`).toBe(true);
  await student.page.locator(".maker-more > summary").click();
  await student.press("checkbox", "Make definitions in both directions");
  await student.press("button", "Make cards");
  await has(7);
  const cards = await cardsOn(user, pageId);
  expect(cards.filter(({ isReversed }) => isReversed)).toHaveLength(2);
  await student.close();
});
