import { browser } from "wxt/browser";

/** Runs a reading script in a tab and returns the results of its frames. */
export async function runInTab(tabId: number, script: "read-selection" | "read-page"): Promise<unknown[]> {
  const frames = await browser.scripting.executeScript({
    target: { tabId, allFrames: script === "read-selection" },
    files: [`/${script}.js`],
  });
  return frames.map(({ result }) => result);
}

type ScriptWithInput = "read-file" | "read-image" | "read-video";

/** Runs a script with input, which it reads from the isolated world. */
export async function runWithInput(tabId: number, script: ScriptWithInput, input: unknown): Promise<unknown> {
  await browser.scripting.executeScript({
    target: { tabId },
    func: (value: unknown) => {
      Object.assign(globalThis, { lamplightInput: value });
    },
    args: [input],
  });
  const [frame] = await browser.scripting.executeScript({ target: { tabId }, files: [`/${script}.js`] });
  return frame?.result;
}

/** Runs a script in the top document of a tab. */
export async function runInTopFrame(
  tabId: number,
  script: "read-moment" | "choose-region" | "capture-bar",
): Promise<unknown> {
  const [frame] = await browser.scripting.executeScript({ target: { tabId }, files: [`/${script}.js`] });
  return frame?.result;
}

/** Runs a script in the page's own world. Its result is untrusted. */
export async function runInPageWorld(tabId: number, script: "read-player"): Promise<unknown> {
  const [frame] = await browser.scripting.executeScript({
    target: { tabId },
    world: "MAIN",
    files: [`/${script}.js`],
  });
  return frame?.result;
}

const MAX_PIECES = 400;

/** Reads the local file of a tab in chunks; rejects if the tab cannot be read. */
export async function readFileInTab(tabId: number): Promise<Blob> {
  const pieces: Blob[] = [];
  let sizeBytes = 1;
  for (let from = 0; from < sizeBytes && pieces.length < MAX_PIECES;) {
    const answer = (await runWithInput(tabId, "read-file", { from })) as {
      sizeBytes?: unknown;
      piece?: unknown;
    } | null;
    if (typeof answer?.sizeBytes !== "number" || typeof answer.piece !== "string")
      throw new Error("The tab has no readable file");
    const piece = await (await fetch(answer.piece)).blob();
    if (piece.size === 0) throw new Error("The file is empty");
    pieces.push(piece);
    from += piece.size;
    ({ sizeBytes } = answer as { sizeBytes: number });
  }
  return new Blob(pieces, { type: "application/pdf" });
}

/** Screenshot of a window's active tab. */
export async function captureWindow(windowId: number): Promise<Blob> {
  const address = await browser.tabs.captureVisibleTab(windowId, { format: "png" });
  return (await fetch(address)).blob();
}

/** Requests permission to read one site; only in a user gesture. False if it is denied by the student or by policy. */
export async function requestSiteAccess(address: string): Promise<boolean> {
  const origin = address.startsWith("file:") ? "file:///*" : `${new URL(address).origin}/*`;
  return browser.permissions.request({ origins: [origin] }).catch(() => false);
}

/** The active tab of the panel's window; for the worker, which has no window, that of the last used one. */
export async function activeTab(): Promise<{ id: number; windowId: number; url: string | undefined } | undefined> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return tab?.id === undefined ? undefined : { id: tab.id, windowId: tab.windowId, url: tab.url };
}

/** Shows a short badge on the toolbar button. */
export async function showBadge(text: string, tabId?: number): Promise<void> {
  await browser.action.setBadgeText({ text, ...(tabId === undefined ? {} : { tabId }) });
}

/** Highlights a passage in a tab; undefined if the tab cannot be accessed. */
export async function highlightInTab(
  tabId: number,
  anchor: { quote: string; prefix?: string | undefined; suffix?: string | undefined },
): Promise<boolean | undefined> {
  try {
    await browser.scripting.executeScript({
      target: { tabId, allFrames: true },
      func: (input: unknown) => {
        Object.assign(globalThis, { lamplightAnchor: input });
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
