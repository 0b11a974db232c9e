import { tools as german } from "#shared/messages/de/public/tools.ts";
import { tools as english } from "#shared/messages/en/public/tools.ts";
import { screenPath } from "#shared/screens.ts";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { clientAt, PASSWORD } from "#tests/kit/account.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";
import { type Scene, scrollToHeading } from "./scene.ts";

/** Pictures of home, the keyboard shortcuts, planning an exam, and search. */
export async function takeWorkspace({ student, words, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("home", {}));
  await student.waitForText(words.planning.plan_exam);
  await take("workspace/home");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open] kbd");
  await take("workspace/keyboard");
  await page.keyboard.press("Escape");
  await student.press("button", words.planning.plan_exam);
  await page.waitForSelector('input[type="date"]');
  await take("workspace/exam");
  await student.open(`${screenPath("search", {})}?q=chlorophyll`);
  await student.waitForText("Photosynthesis");
  await take("workspace/search");
}

const LAPTOP =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0";

/** Signs in twice under the names of browsers: the student's own session, and one on a phone. */
async function signInElsewhere({ page }: Student, { user, origin }: Pick<Scene, "user" | "origin">): Promise<void> {
  const signIn = async (browser: string) => {
    const asBrowser: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("user-agent", browser);
      return fetch(url, { ...init, headers });
    };
    const client = createClient(v1, fetchTransport({ origin, token: () => undefined, fetch: asBrowser }));
    return (await client.auth.login({ email: user.email, password: PASSWORD })).token;
  };
  const token = await signIn(LAPTOP);
  await clientAt(origin, token).auth.removeOtherSessions({});
  await signIn(PHONE);
  await page.setCookie({ name: "lamplight_token", value: token, url: origin });
}

/** Pictures of the settings, and of the sections that have an article. */
export async function takeSettings({ user, origin, student, words, take }: Scene): Promise<void> {
  await signInElsewhere(student, { user, origin });
  await student.open(screenPath("settings", {}));
  await student.waitForText(words.account.sessions);
  await take("workspace/settings");
  await scrollToHeading(student, words.account.sessions);
  await take("workspace/sessions");
  await scrollToHeading(student, words.user.usage);
  await take("workspace/usage");
  await scrollToHeading(student, words.account.data);
  await student.waitForText(words.account.export_decks);
  await take("workspace/export");
  await student.press("button", words.account.delete);
  await student.page.waitForSelector("dialog[open]");
  await take("workspace/delete-account");
}

/** Pictures of sharing a page, and of pages that others shared. */
export async function takeShared({ user, student, words, pageId, take }: Scene): Promise<void> {
  await student.open(screenPath("page", { id: pageId }));
  await student.press("button", words.pages.menu);
  await student.press("menuitem", words.common.share);
  await student.waitForText(words.sharing.private_text);
  await student.press("radio", words.sharing.listed);
  await student.waitForText(words.sharing.licence);
  await take("workspace/share");
  await user.client.sharing.endShare({ type: "page", id: pageId });
  await student.open(screenPath("explore", {}));
  await student.waitForText("Photosynthesis");
  await take("workspace/explore");
}

const NOTES =
  "Osmosis is the movement of water through a membrane from a dilute to a concentrated solution. Diffusion is the movement of particles from a high to a low concentration. Active transport is the movement of ions against their gradient, which costs energy.";

/** A picture of cards that a visitor made, with the button that saves them to an account. */
export async function takeTool({ origin, language, student, take }: Scene): Promise<void> {
  const words = language === "de" ? german : english;
  const visitor = await openStudent(student.page.browser(), origin);
  const { page } = visitor;
  await page.setViewport(student.page.viewport());
  await visitor.open(`${screenPath("toolAiFlashcards", {})}?lang=${language}`);
  await page.waitForSelector("#tool[data-ready]");
  await visitor.type(words.text_label, NOTES);
  await visitor.press("button", words.make);
  await page.waitForSelector(".tool-card");
  await page.waitForFunction(
    (keep) => {
      const button = [...document.querySelectorAll("button")].find(
        (candidate) => candidate.textContent?.trim() === keep,
      );
      button?.scrollIntoView({ block: "end" });
      return button !== undefined && !button.disabled;
    },
    {},
    words.keep,
  );
  await page.evaluate(() => scrollBy(0, 40));
  await take("workspace/keep-cards", page);
  await visitor.close();
}
