import { browser } from "wxt/browser";

/** Runs one of the reading scripts in a tab and answers what the first frame with something to say said. */
export async function runInTab(tabId: number, script: "read-selection" | "read-page"): Promise<unknown[]> {
  const frames = await browser.scripting.executeScript({
    target: { tabId, allFrames: script === "read-selection" },
    files: [`/${script}.js`],
  });
  return frames.map(({ result }) => result);
}

type GivenScript = "read-file" | "read-image" | "read-video";

/** Runs a script that is told something first: it finds that in the extension's own world of the page. */
export async function runWith(tabId: number, script: GivenScript, given: unknown): Promise<unknown> {
  await browser.scripting.executeScript({
    target: { tabId },
    func: (told: unknown) => {
      Object.assign(globalThis, { lamplightGiven: told });
    },
    args: [given],
  });
  const [frame] = await browser.scripting.executeScript({ target: { tabId }, files: [`/${script}.js`] });
  return frame?.result;
}

/** Runs a script in the top document of a tab, once. */
export async function runOnce(
  tabId: number,
  script: "read-moment" | "choose-region" | "capture-bar",
): Promise<unknown> {
  const [frame] = await browser.scripting.executeScript({ target: { tabId }, files: [`/${script}.js`] });
  return frame?.result;
}

/** Runs a script in the page's own world. What it answers is the page's word, and no more. */
export async function runInPageWorld(tabId: number, script: "read-player"): Promise<unknown> {
  const [frame] = await browser.scripting.executeScript({
    target: { tabId },
    world: "MAIN",
    files: [`/${script}.js`],
  });
  return frame?.result;
}

const MAX_PIECES = 400;

/** The file of a tab that no other document may read, piece by piece; rejects where the tab may not be read. */
export async function readFileInTab(tabId: number): Promise<Blob> {
  const pieces: Blob[] = [];
  let sizeBytes = 1;
  for (let from = 0; from < sizeBytes && pieces.length < MAX_PIECES;) {
    const answer = (await runWith(tabId, "read-file", { from })) as { sizeBytes?: unknown; piece?: unknown } | null;
    if (typeof answer?.sizeBytes !== "number" || typeof answer.piece !== "string") throw new Error("No file here");
    const piece = await (await fetch(answer.piece)).blob();
    if (piece.size === 0) throw new Error("The file is empty");
    pieces.push(piece);
    from += piece.size;
    ({ sizeBytes } = answer as { sizeBytes: number });
  }
  return new Blob(pieces, { type: "application/pdf" });
}

/** What the student sees of a window's tab in front, as a picture. */
export async function pictureOfWindow(windowId: number): Promise<Blob> {
  const address = await browser.tabs.captureVisibleTab(windowId, { format: "png" });
  return (await fetch(address)).blob();
}

/** Asks the student for leave to read one site; only right in a press. False where it is not allowed, by whomever. */
export async function askForSite(address: string): Promise<boolean> {
  const origin = address.startsWith("file:") ? "file:///*" : `${new URL(address).origin}/*`;
  return browser.permissions.request({ origins: [origin] }).catch(() => false);
}

/** The tab in front of the panel's own window; for the worker, which has none, that of the window that was used last. */
export async function activeTab(): Promise<{ id: number; windowId: number; url: string | undefined } | undefined> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab?.id === undefined ? undefined : { id: tab.id, windowId: tab.windowId, url: tab.url };
}

/** A short sign on the toolbar button: kept, or not. */
export async function showBadge(text: string, tabId?: number): Promise<void> {
  await browser.action.setBadgeText({ text, ...(tabId === undefined ? {} : { tabId }) });
}

/** Lights a passage in a tab; undefined where this tab may not be touched. */
export async function lightInTab(
  tabId: number,
  anchor: { quote: string; prefix?: string | undefined; suffix?: string | undefined },
): Promise<boolean | undefined> {
  try {
    await browser.scripting.executeScript({
      target: { tabId, allFrames: true },
      func: (given: unknown) => {
        Object.assign(globalThis, { lamplightAnchor: given });
      },
      args: [anchor],
    });
    const target = { tabId, allFrames: true };
    const frames = await browser.scripting.executeScript({ target, files: ["/light-passage.js"] });
    return frames.some(({ result }) => result === true);
  } catch {
    return undefined;
  }
}
