import type { Page } from "puppeteer";
import { expect, test } from "vitest";
import { clientAt, PASSWORD } from "#tests/kit/account.ts";
import { tabBackTo, tabTo } from "#tests/kit/browser/keyboard.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

// Without one, reminders cannot be set.
allowServiceWorkers();

const { browser, server } = await startBrowserAndServer();

/** Runs in the browser: the focused control of the main part, whether its focus is visible, and whether it is in view. */
const readFocus = () => {
  const { activeElement: element } = document;
  if (!(element instanceof HTMLElement) || !element.closest("main")) return null;
  const label =
    element instanceof HTMLInputElement || element instanceof HTMLSelectElement
      ? element.labels?.[0]?.textContent
      : null;
  const box = element.getBoundingClientRect();
  const hasVisibleFocus = [element, element.closest("label"), element.parentElement].some((candidate) => {
    const style = candidate ? getComputedStyle(candidate) : undefined;
    return style !== undefined && (style.outlineStyle !== "none" || style.boxShadow !== "none");
  });
  const isInView = box.bottom > 0 && box.top < innerHeight;
  return {
    name: (element.getAttribute("aria-label") ?? label ?? element.textContent).trim(),
    hasVisibleFocus,
    isInView,
  };
};

/** Presses Tab through the screen: every focused control of its main part, in order. */
async function tabThrough(page: Page) {
  const stops: NonNullable<ReturnType<typeof readFocus>>[] = [];
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press("Tab");
    const control = await page.evaluate(readFocus);
    if (control) stops.push(control);
    else if (stops.length > 0) return stops;
  }
  throw new Error("Tab never leaves the settings");
}

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
const isDialogGone = (page: Page) => page.waitForFunction(() => document.querySelector("dialog[open]") === null);

test("the settings can be used by keyboard: all parts in order, visible focus, and dialogs return focus", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  await clientAt(server.origin).auth.login({ email: user.email, password: PASSWORD });
  await student.open("/settings");
  await student.waitForText("Sign out of all other sessions");
  await student.waitForText("Delete account");
  const stops = await tabThrough(page);
  expect(stops.filter(({ hasVisibleFocus, isInView }) => !hasVisibleFocus || !isInView)).toEqual([]);
  const order = [
    "System",
    "Interface language",
    "Choose picture",
    "Name",
    "Change email",
    "Change password",
    "Sign out of all other sessions",
    "Remind me daily when cards are due",
    "Export everything",
    "Delete account",
  ];
  const names = stops.map(({ name }) => name);
  expect(names.filter((name) => order.includes(name))).toEqual(order);

  // Account: a new name is saved with Enter.
  await page.reload();
  await student.waitForText("Sign out of all other sessions");
  await tabTo(page, /^Choose picture/);
  await page.keyboard.press("Tab");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type("Ada Lovelace");
  await page.keyboard.press("Enter");
  const savedName = async () => (await user.client.auth.getUser({})).user.name;
  await expect.poll(savedName).toBe("Ada Lovelace");

  // Dialogs: after Escape, the focus is back on the button that opened the dialog.
  for (const opener of ["Change email", "Change password"]) {
    await tabTo(page, new RegExp(`^${opener}$`));
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await isDialogGone(page);
    expect(await focusedName(page)).toBe(opener);
  }

  // Sessions: the other session is signed out, and the focus stays on the list.
  await tabTo(page, /^Sign out of all other sessions$/);
  await page.keyboard.press("Enter");
  await student.waitForText("Signed out of all other sessions.");
  await page.waitForFunction(() => document.activeElement?.tagName === "UL");
  expect((await user.client.auth.listSessions({})).sessions).toHaveLength(1);

  // Settings of the sidebar and of error reports are in a collapsed section, and are changed with Space.
  await page.focus(".settings-advanced > summary");
  await page.keyboard.press("Enter");
  await walkTo(page, "Keep sidebar collapsed");
  await page.keyboard.press("Space");
  await walkTo(page, "Send error reports to this server only");
  await page.keyboard.press("Space");
  const preferences = async () => user.client.user.getPreferences({});
  await expect.poll(async () => (await preferences()).analytics.enabled).toBe(true);
  expect((await preferences()).sidebar.minimized).toBe(false);

  // Export, and an account deletion that is cancelled.
  await tabBackTo(page, /^Export everything$/);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.body.innerText.includes("Exporting"));
  await tabTo(page, /^Delete account$/);
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open]");
  await tabTo(page, /^Cancel$/);
  await page.keyboard.press("Enter");
  await isDialogGone(page);
  expect(await focusedName(page)).toBe("Delete account");

  // Theme and language, back at the top.
  await tabBackTo(page, /^Choose picture/);
  await walkBackTo(page, "Interface language");
  await page.keyboard.type("Deutsch");
  await student.waitForText("Einstellungen");
  await student.open("/changelog");
  await student.waitForText("Lade in den Einstellungen alles als ein Zip herunter");
  await student.close();
});

const walkTo = (page: Page, label: string) => stepTo(page, label, () => page.keyboard.press("Tab"));
const walkBackTo = (page: Page, label: string) =>
  stepTo(page, label, async () => {
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
  });

/** Steps until the field with this label has the focus. */
async function stepTo(page: Page, label: string, step: () => Promise<void>): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await page.evaluate(readFocus))?.name === label) return;
    await step();
  }
  throw new Error(`Tab does not lead to ${label}`);
}
