import type { Page } from "puppeteer";

const MAX_TABS = 120;

/** Runs in the browser: what the thing with the focus is called. */
const focused = () => {
  const { activeElement: at } = document;
  return (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim();
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
