import { screenPath } from "#shared/screens.ts";
import type { Scene } from "./scene.ts";

/** A picture of the form that starts a research session. */
export async function takeResearch({ student, words, take, language }: Scene): Promise<void> {
  await student.open(screenPath("research", {}));
  await student.waitForText(words.research.start);
  const question = language === "de" ? "Wo findet die Fotosynthese statt?" : "Where does photosynthesis take place?";
  await student.type(words.research.question, question);
  await take("making/research");
}

/** A picture of the dialog that makes a podcast. */
export async function takePodcast({ student, words, take }: Scene): Promise<void> {
  await student.open(screenPath("podcasts", {}));
  await student.press("button", words.podcasts.create);
  await student.page.waitForSelector("dialog[open]");
  await student.waitForText("genes");
  await take("making/podcast");
}

/** A picture of a new website, whose kind is being chosen. */
export async function takeWebsite({ student, words, take }: Scene): Promise<void> {
  await student.open(screenPath("websites", {}));
  await student.press("button", words.website.new);
  await student.waitForText(words.website.make_title);
  await take("making/website");
}
