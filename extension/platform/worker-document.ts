import { browser } from "wxt/browser";

const PATH = "offscreen.html";

let creating: Promise<void> | undefined;

/** Sees to it that the document that works through the captures is there; Firefox's background page is one itself. */
export async function ensureWorker(): Promise<void> {
  // One that was ended while nothing happened is begun again by being asked for.
  if (import.meta.env.FIREFOX) return void (await browser.runtime.getBackgroundPage().catch(() => undefined));
  creating ??= create().finally(() => {
    creating = undefined;
  });
  await creating;
}

async function create(): Promise<void> {
  const there = await browser.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (there.length > 0) return;
  try {
    await browser.offscreen.createDocument({
      url: PATH,
      reasons: ["DOM_PARSER"],
      justification: "Reads captured pages and sends what waits to your Lamplight.",
    });
  } catch (error) {
    // The panel and the service worker may ask at once: one of them comes second.
    if (!String(error).includes("single offscreen")) throw error;
  }
}
