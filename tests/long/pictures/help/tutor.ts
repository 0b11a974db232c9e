import { screenPath } from "#shared/screens.ts";
import type { Scene } from "./scene.ts";

/** Pictures of the answer scope, an answer with its citations, and making a card from the answer. */
export async function takeTutor({ student, words, pageId, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("page", { id: pageId }));
  await student.waitForText("Photosynthesis is the process");
  if (!(await page.$(".tutor-panel"))) await student.press("button", words.tutor.open);
  await student.press("button", words.tutor.scope_add);
  await student.waitForText(words.tutor.scope_upload);
  await take("tutor/tutor-scope");
  await page.keyboard.press("Escape");
  await page.locator(`::-p-aria([name="${words.tutor.ask_label}"])`).click();
  await page.keyboard.type("What does the rate of photosynthesis depend on?");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.tutor-panel .message-answer[aria-busy="false"] .cite-badge');
  await take("tutor/tutor");
  await student.press("button", words.tutor.make_card);
  await page.waitForSelector("dialog[open] textarea");
  await take("tutor/tutor-card");
}
