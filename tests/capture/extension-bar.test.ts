// Adds IndexedDB, which Node lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, onTestFinished, test, vi } from "vitest";

type Listener = (message: unknown, sender: unknown, respond: (answer: string) => void) => unknown;

const page = { address: "https://lectures.example.org/cells", title: "Cells", author: null, contentType: "text/html" };
const TAB = { id: 7, windowId: 1, url: page.address };
const event = { addListener: () => undefined };
let bar: Listener | undefined;
/** What the page returns to each script. */
let results: Readonly<Record<string, unknown>> = {};

/** The extension's service worker, and a press on a button of the bar in a page. */
async function aServiceWorker(pageResults: Readonly<Record<string, unknown>>) {
  results = pageResults;
  const onMessage = {
    addListener: (listener: Listener) => {
      bar = listener;
    },
  };
  const runtime = { id: "lamplight", onMessage, onInstalled: event, onStartup: event, onUpdateAvailable: event };
  Object.assign(globalThis, {
    chrome: {
      runtime: { ...runtime, getContexts: async () => [{}] },
      action: { onClicked: event, setBadgeText: async () => undefined, setTitle: async () => undefined },
      alarms: { onAlarm: event },
      commands: { onCommand: event },
      contextMenus: { onClicked: event },
      sidePanel: { setPanelBehavior: async () => undefined, open: async () => undefined },
      tabs: { onActivated: event, onUpdated: event, query: async () => [] },
      scripting: { executeScript: async ({ files }: { files: string[] }) => [{ result: results[files[0] ?? ""] }] },
    },
    reportError: (error: unknown) => {
      throw error;
    },
  });
  const [{ default: background }, { words }, { listCaptures }] = await Promise.all([
    import("#extension/entrypoints/background.ts"),
    import("#extension/words/words.ts"),
    import("#extension/capture/store.ts"),
  ]);
  if (!bar) background.main();
  const press = (ask: string) =>
    new Promise<string>((respond) => {
      bar?.({ from: "bar", ask }, { id: "lamplight", frameId: 0, tab: TAB }, respond);
    });
  return { press, words, listCaptures };
}

const selected = { ...page, text: "Ribosomes read codons.", locator: { quote: "Ribosomes read codons." } };

test("the bar doesn't say that a card was saved if the disk is full", async () => {
  const { press, words, listCaptures } = await aServiceWorker({ "/read-selection.js": selected });
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("The disk is full", "QuotaExceededError");
  });
  onTestFinished(() => full.mockRestore());
  expect(await press("card")).toBe(words.disk_full);
  full.mockRestore();
  expect(await listCaptures()).toEqual([]);
  expect(await press("card")).toBe(words.bar_done_card);
  expect(await listCaptures()).toHaveLength(1);
});

test("the bar says that nothing was captured after the choice of a region was cancelled", async () => {
  const { press, words } = await aServiceWorker({ "/choose-region.js": null });
  expect(await press("region")).toBe(words.region_cancelled);
  expect(await press("panel")).toBe(words.bar_done_panel);
});
