import type { Page } from "puppeteer";

const MAX_TABS = 120;

/** Runs in the browser: what the thing with the focus is called. */
const focused = () => {
  const { activeElement: at } = document;
  return (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim();
};

/** Presses Tab until what has the focus is called so, as somebody without a pointer gets there; throws where it is not reached. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < MAX_TABS; press += 1) {
    const at = await page.evaluate(focused);
    if (name.test(at)) return;
    passed.push(at.slice(0, 40));
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}; it passed ${passed.join(" | ")}`);
}
