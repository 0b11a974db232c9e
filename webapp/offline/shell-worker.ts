/**
 * The service worker: keeps the app's own files, so that it opens and reloads without a network. It keeps nothing of
 * any account: those things lie in IndexedDB, and go with the sign-out.
 */

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface InstallEvent extends LifetimeEvent {
  /** Where a browser can answer by itself without starting the worker for each file; Chromium alone has it. */
  addRoutes?(routes: readonly { condition: { urlPattern: string }; source: "cache" | "network" }[]): Promise<void>;
}
interface RequestEvent extends LifetimeEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface NoticeEvent extends LifetimeEvent {
  notification: Notification;
}
/** One window of the app. */
interface Window {
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface Worker {
  addEventListener(name: "install", listener: (event: InstallEvent) => void): void;
  addEventListener(name: "activate", listener: (event: LifetimeEvent) => void): void;
  addEventListener(name: "fetch", listener: (event: RequestEvent) => void): void;
  addEventListener(name: "message", listener: (event: MessageEvent) => void): void;
  addEventListener(name: "notificationclick", listener: (event: NoticeEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(wanted: { type: "window" }): Promise<readonly Window[]>;
    openWindow(path: string): Promise<unknown>;
  };
  location: Location;
}

declare const self: Worker;
/** Every file of this build, and a name that changes with any of them; written in by the build. */
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const SHELL = "/shell.html";
/** Files that every screen asks for under a name that stays the same. */
const BESIDE = new Set(["/boot.js", "/favicon.svg", "/manifest.webmanifest"]);
const PREFIX = "lamplight-shell-";
const CACHE = PREFIX + SHELL_VERSION;
/** A network that lets one wait so long is taken for none. */
const PATIENCE_MS = 4000;
const AT_ONCE = 4;

/** Files whose name carries their content are taken over from the version before. */
async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  const left = [...SHELL_FILES];
  const fetchSome = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const kept = file.startsWith("/assets/") ? await caches.match(file) : undefined;
      const answer = kept ?? (await fetch(file, { cache: "no-cache" }));
      if (!answer.ok) throw new Error(`${file} could not be kept: ${answer.status}`);
      await cache.put(file, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
}

async function clearOld(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

/** The newest one where there is a network, and the kept one where there is none. */
async function openNewest(request: Request, kept: string): Promise<Response> {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // A proxy without its server, or a gate before the network, is no answer of ours.
    return answer.status >= 500 ? ((await caches.match(kept)) ?? answer) : answer;
  } catch (error) {
    const held = await caches.match(kept);
    if (held) return held;
    throw error;
  }
}

async function openFile(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && answer.type === "basic") await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

/** Scripts and styles are kept whole from the start, and what the API says is not kept at all. */
async function leaveToBrowser(event: InstallEvent): Promise<void> {
  const kept = ["/assets/*.js", "/assets/*.mjs", "/assets/*.css"];
  const routes = kept.map((urlPattern) => ({ condition: { urlPattern }, source: "cache" as const }));
  await event.addRoutes?.([...routes, { condition: { urlPattern: "/v1/*" }, source: "network" }]);
}

/** Where a notice leads: in the window that was used last, else in a new one. Only addresses of this app are followed. */
async function follow(path: unknown): Promise<void> {
  if (typeof path !== "string" || !/^\/(?![/\\])/.test(path)) return;
  const [latest] = await self.clients.matchAll({ type: "window" });
  if (!latest) return void (await self.clients.openWindow(path));
  // The window goes there itself, so that what is being written is kept first.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  latest.postMessage({ goTo: path });
  await latest.focus();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = (event.notification.data ?? {}) as { path?: unknown };
  event.waitUntil(follow(path));
});
self.addEventListener("install", (event) => event.waitUntil(Promise.all([fill(), leaveToBrowser(event)])));
self.addEventListener("activate", (event) => event.waitUntil(clearOld()));
// The page asks once the student has pressed "Refresh": nothing changes under somebody who is working.
self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/v1/")) return;
  if (request.mode === "navigate") event.respondWith(openNewest(request, SHELL));
  // Without the first of these a screen has neither its language nor its theme, and a document does not open at all.
  else if (BESIDE.has(pathname)) event.respondWith(openNewest(request, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(openFile(request));
});
