import { screenPath } from "#shared/screens.ts";
import type { Page } from "puppeteer";
import { english } from "#shared/messages/english.ts";
import { table as german } from "#shared/messages/german.ts";
import type { TestUser } from "#tests/kit/api.ts";
import type { Student } from "#tests/kit/student.ts";

export const tables = { en: english, de: german } as const;
export type Language = keyof typeof tables;

/** A signed-in student with a chapter that has a deck, and a PDF on the same page. */
export interface Scene {
  language: Language;
  origin: string;
  user: TestUser;
  student: Student;
  words: (typeof tables)[Language];
  pageId: string;
  deckId: string;
  pdfId: string;
  /** Takes a picture of the screen; `name` is its file below the folder of the language, without the extension. */
  take: (name: string, page?: Page) => Promise<void>;
}

/** Scrolls until the heading with these words is at the top, below what sticks there. */
export async function scrollToHeading({ page }: Student, heading: string): Promise<void> {
  await page.waitForFunction(
    (words) => {
      const found = [...document.querySelectorAll("h2, h3, h4")].find(
        (element) => element.textContent?.trim() === words,
      );
      found?.scrollIntoView({ block: "start" });
      scrollBy(0, -72);
      return found !== undefined;
    },
    {},
    heading,
  );
}

/** Opens the deck and waits for its schedules, which load after the cards. */
export async function openDeck({ student, pageId, deckId }: Scene): Promise<void> {
  await student.open(screenPath("deck", { id: pageId, slug: deckId }));
  await student.page.waitForSelector(".deck-progress");
}

/** Opens the menu of the deck on its page and chooses one of its items. */
export async function chooseFromDeckMenu(scene: Scene, item: string): Promise<void> {
  const { student, words } = scene;
  await openDeck(scene);
  await student.press("button", words.flashcards.menu);
  await student.press("menuitem", item);
  await student.page.waitForSelector("dialog[open]");
}

/** Uploads a file to the page, and returns the id of its component. */
export async function upload({ user, pageId }: Pick<Scene, "user" | "pageId">, bytes: Uint8Array, name: string) {
  const file = new Blob([new Uint8Array(bytes)]);
  return (await user.client.uploads.uploadImageComponent({ pageId }, [{ field: "file", file, name }])).component._id;
}
