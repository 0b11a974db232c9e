import type { Page } from "puppeteer";

const MAX_TABS = 120;

/** Runs in the browser: what the thing with the focus is called; a field by its label. */
const focused = () => {
  const { activeElement: at } = document;
  const label = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at.labels?.[0] : undefined;
  return (at?.getAttribute("aria-label") ?? (label ?? at)?.textContent ?? "").trim();
};

/** Presses Tab until what has the focus is called so, as somebody without a pointer gets there; throws where it is not reached. */
export const tabTo = (page: Page, name: RegExp) => goTo(page, name, () => page.keyboard.press("Tab"));

/** The same backwards: to what stands before. */
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

/** By Tab to what is called so, and Enter. */
export async function pressByKeys(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

/** In the menu that is open: down to what is called so, and Enter. */
export async function chooseByKeys(page: Page, name: RegExp): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]') !== null);
  await goTo(page, name, () => page.keyboard.press("ArrowDown"));
  await page.keyboard.press("Enter");
}

/** By Tab to a field, whose words are written anew. */
export async function typeByKeys(page: Page, label: RegExp, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}

/** By Tab to a button that asks for a file, and Enter; the system's own window is answered with the file at this path. */
export async function uploadByKeys(page: Page, name: RegExp, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForFileChooser(), pressByKeys(page, name)]);
  await chooser.accept([path]);
}
