import type { Page } from "puppeteer";

const MAX_TABS = 120;

/** Runs in the browser: the name of the focused element; for a field, its label. */
const focused = () => {
  const { activeElement: at } = document;
  const label = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at.labels?.[0] : undefined;
  return (at?.getAttribute("aria-label") ?? (label ?? at)?.textContent ?? "").trim();
};

/** Presses Tab until an element with this name has the focus; throws if it can't be reached. */
export const tabTo = (page: Page, name: RegExp) => goTo(page, name, () => page.keyboard.press("Tab"));

/** The same with Shift+Tab. */
export const tabBackTo = (page: Page, name: RegExp) =>
  goTo(page, name, async () => {
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
  });

async function goTo(page: Page, name: RegExp, step: () => Promise<void>): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < MAX_TABS; press += 1) {
    const at = await page.evaluate(focused);
    if (name.test(at)) return;
    passed.push(at.slice(0, 40));
    await step();
  }
  throw new Error(`Tab does not lead to ${name}; it passed ${passed.join(" | ")}`);
}

/** Tabs to an element and presses Enter. */
export async function pressByKeys(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

/** Moves down to an entry of the open menu and presses Enter. */
export async function chooseByKeys(page: Page, name: RegExp): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]') !== null);
  await goTo(page, name, () => page.keyboard.press("ArrowDown"));
  await page.keyboard.press("Enter");
}

/** Tabs to a field and replaces its text. */
export async function typeByKeys(page: Page, label: RegExp, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}

/** Tabs to a button that opens a file picker, presses Enter, and picks the file at this path. */
export async function uploadByKeys(page: Page, name: RegExp, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForFileChooser(), pressByKeys(page, name)]);
  await chooser.accept([path]);
}
