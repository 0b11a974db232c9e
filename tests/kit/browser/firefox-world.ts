import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import type { Browser, Page } from "puppeteer";

const FOLDER = "dist/extension/firefox";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

/** The current tab as Firefox reports it. */
export interface FirefoxTab {
  /** Where scripts run; omitted for a tab without script access, such as the built-in PDF viewer. */
  page?: Page;
  url: string;
  title: string;
}

/** What is run: a file of the extension, or a function with its arguments. */
interface Injection {
  files?: string[];
  code?: string;
  args?: unknown[];
}

/** The scripts' results, and what they sent meanwhile. */
interface Injected {
  frames: unknown[];
  sent: string[];
}

/** Runs in the page: the APIs of Firefox that an injected script has. */
function aPort(): void {
  const world = globalThis as { sentByScript?: Promise<string>[]; browser?: unknown; chrome?: unknown };
  const sent: Promise<string>[] = [];
  world.sentByScript = sent;
  const connect = () => ({
    postMessage: (message: Blob) => void sent.push(message.text()),
    onMessage: { addListener: () => undefined },
    disconnect: () => undefined,
  });
  world.browser = { runtime: { id: "lamplight@lamplight.study", connect } };
  world.chrome = world.browser;
}

/**
 * Runs in each document of the extension: the part of Firefox's `browser` that it uses, also under the name `chrome`,
 * as in Firefox.
 */
function aBrowser(bridge: (call: string, given: string) => Promise<string>): void {
  const call = async (name: string, given: unknown = null): Promise<unknown> =>
    (JSON.parse(await bridge(name, JSON.stringify(given))) as { answer?: unknown }).answer;
  // An event that never fires. Everything must be inside this function, because its source is what runs.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const event = () => ({ addListener: () => undefined, removeListener: () => undefined });
  const connected: ((port: unknown) => void)[] = [];
  /** Delivers what a script in the page sent through a port. */
  const receive = (sent: readonly string[]) => {
    const sender = { id: "lamplight@lamplight.study", frameId: 0, tab: { id: 1 } };
    const onMessage = {
      addListener: (listener: (message: Blob) => void) => sent.forEach((message) => listener(new Blob([message]))),
    };
    const port = { name: "page-text", sender, onMessage, onDisconnect: event(), disconnect: () => undefined };
    for (const listener of connected) listener(port);
  };
  const inject = async (given: { files?: string[]; func?: () => unknown; args?: unknown[] }) => {
    const code = given.func ? { code: String(given.func) } : {};
    const { frames, sent } = (await call("inject", { files: given.files, args: given.args, ...code })) as Injected;
    if (sent.length > 0) receive(sent);
    return frames;
  };
  const browser = {
    runtime: {
      id: "lamplight@lamplight.study",
      getURL: (path: string) => new URL(path, location.origin).href,
      openOptionsPage: () => call("options"),
      getBackgroundPage: async () => null,
      sendMessage: () => Promise.resolve(),
      onMessage: event(),
      onConnect: {
        addListener: (listener: (port: unknown) => void) => connected.push(listener),
        removeListener: (listener: (port: unknown) => void) => void connected.splice(connected.indexOf(listener), 1),
      },
      onInstalled: event(),
      onStartup: event(),
    },
    action: { onClicked: event(), setBadgeText: async () => undefined, setTitle: async () => undefined },
    alarms: { create: () => undefined, onAlarm: event() },
    commands: {
      onCommand: event(),
      getAll: async () => [{ name: "open-panel", description: "Open", shortcut: "Alt+Shift+L" }],
    },
    contextMenus: { onClicked: event(), create: () => undefined, removeAll: async () => undefined },
    extension: { isAllowedFileSchemeAccess: async () => false },
    permissions: {
      contains: async () => true,
      request: (asked: unknown) => call("permission", asked),
      onAdded: event(),
      onRemoved: event(),
    },
    scripting: { executeScript: inject },
    sidebarAction: { open: async () => undefined },
    tabs: {
      query: () => call("tabs"),
      get: async () => ((await call("tabs")) as unknown[])[0],
      create: (made: unknown) => call("open", made),
      onActivated: event(),
      onUpdated: event(),
    },
  };
  Object.assign(globalThis, { browser, chrome: browser });
}

function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
    if (path === "/background.html")
      return response
        .writeHead(200, { "content-type": "text/html" })
        .end('<!doctype html><title>Background</title><script type="module" src="/background.js"></script>');
    try {
      const body = readFileSync(join(FOLDER, path));
      // Firefox's default policy for extension pages.
      const policy = { "content-security-policy": "script-src 'self'" };
      return response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "", ...policy }).end(body);
    } catch {
      return response.writeHead(404).end();
    }
  });
  return new Promise<{ origin: string; close: () => void }>((done) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      done({ origin: `http://127.0.0.1:${port}`, close: () => void server.close() });
    });
  });
}

/**
 * The extension as built for Firefox, with its documents as pages of an ordinary browser: calls of `browser` are
 * answered as in Firefox, and its scripts run in a real page.
 */
export async function aFirefoxWorld(browser: Browser) {
  const { origin, close } = await serve();
  let tab: FirefoxTab = { url: "about:blank", title: "" };
  let mayRead = false;
  const asked: string[] = [];
  const inject = async ({ files = [], code, args = [] }: Injection): Promise<Injected> => {
    const { page } = tab;
    if (!page) throw new Error("Missing host permission for the tab");
    if (code !== undefined)
      return { frames: [{ result: await page.evaluate(`(${code})(...${JSON.stringify(args)})`) }], sent: [] };
    await page.evaluate(aPort);
    let result: unknown;
    for (const file of files) result = await page.evaluate(readFileSync(join(FOLDER, file), "utf8"));
    const sent = await page.evaluate(() =>
      Promise.all((globalThis as { sentByScript?: Promise<string>[] }).sentByScript ?? []),
    );
    return { frames: [{ frameId: 0, result }], sent };
  };
  const answers: Readonly<Record<string, (given: unknown) => unknown>> = {
    tabs: () => [{ id: 1, windowId: 1, active: true, url: tab.url, title: tab.title }],
    inject: (given) => inject(given as Injection),
    permission: () => mayRead,
  };
  const open = async (name: "background" | "sidepanel" | "options"): Promise<Page> => {
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    await page.exposeFunction("toFirefox", async (call: string, given: string) => {
      asked.push(`${call} ${given}`);
      return JSON.stringify({ answer: await answers[call]?.(JSON.parse(given)) });
    });
    await page.evaluateOnNewDocument(`(${aBrowser.toString()})((...all) => toFirefox(...all))`);
    await page.goto(`${origin}/${name}.html`);
    return page;
  };
  return {
    open,
    asked,
    show: (next: FirefoxTab) => {
      tab = next;
    },
    allow: (may: boolean) => {
      mayRead = may;
    },
    close,
  };
}
