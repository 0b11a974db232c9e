import { browser } from "wxt/browser";

const PATH = "offscreen.html";

let creating: Promise<void> | undefined;

/** Ensures that the document that processes captures is running; in Firefox that is the background page. */
export async function ensureWorker(): Promise<void> {
  // Requesting the background page restarts it if it was suspended.
  if (import.meta.env.FIREFOX) return void (await browser.runtime.getBackgroundPage().catch(() => undefined));
  creating ??= create().finally(() => {
    creating = undefined;
  });
  await creating;
}

async function create(): Promise<void> {
  const existing = await browser.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (existing.length > 0) return;
  try {
    await browser.offscreen.createDocument({
      url: PATH,
      reasons: ["DOM_PARSER"],
      justification: "Reads captured pages and sends what waits to your Lamplight.",
    });
  } catch (error) {
    // Panel and service worker may create the document at the same time; the second attempt fails.
    if (!String(error).includes("single offscreen")) throw error;
  }
}
