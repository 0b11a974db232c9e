/**
 * The service worker: caches the app's own files so that the app opens and reloads offline. It caches no account data,
 * which is in IndexedDB and deleted on sign-out.
 */

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface InstallEvent extends LifetimeEvent {
  /** Static routing lets the browser answer without starting the worker for each file; Chromium only. */
  addRoutes?(routes: readonly { condition: { urlPattern: string }; source: "cache" | "network" }[]): Promise<void>;
}
interface RequestEvent extends LifetimeEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface NoticeEvent extends LifetimeEvent {
  notification: Notification;
}
/** A window of the app. */
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
/** Every file of this build, and a hash of them all; inserted by the build. */
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const SHELL = "/shell.html";
/** Files that every screen requests, with names that do not change. */
const BESIDE = new Set(["/boot.js", "/favicon.svg", "/manifest.webmanifest"]);
const PREFIX = "lamplight-shell-";
const CACHE = PREFIX + SHELL_VERSION;
/** A network slower than this is treated as offline. */
const PATIENCE_MS = 4000;
const AT_ONCE = 4;

/** Files with a content hash in their name are copied from the previous version's cache. */
async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  const left = [...SHELL_FILES];
  const fetchSome = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const kept = file.startsWith("/assets/") ? await caches.match(file) : undefined;
      const answer = kept ?? (await fetch(file, { cache: "no-cache" }));
      if (!answer.ok) throw new Error(`${file} could not be cached: ${answer.status}`);
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

/** Network first, with the cached file as the fallback. */
async function openNewest(request: Request, kept: string): Promise<Response> {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    // 5xx from a proxy or a captive portal is not our own response.
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

/** Scripts and styles are precached completely, and API responses are never cached. */
async function leaveToBrowser(event: InstallEvent): Promise<void> {
  const kept = ["/assets/*.js", "/assets/*.mjs", "/assets/*.css"];
  const routes = kept.map((urlPattern) => ({ condition: { urlPattern }, source: "cache" as const }));
  await event.addRoutes?.([...routes, { condition: { urlPattern: "/v1/*" }, source: "network" }]);
}

/** Opens a notification's path in the most recent window or a new one. Only paths in this app are followed. */
async function follow(path: unknown): Promise<void> {
  if (typeof path !== "string" || !/^\/(?![/\\])/.test(path)) return;
  const [latest] = await self.clients.matchAll({ type: "window" });
  if (!latest) return void (await self.clients.openWindow(path));
  // The window navigates itself, so that unsaved input is stored first.
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
// Sent when the student clicks "Refresh"; the app never updates while someone is working.
self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/v1/")) return;
  if (request.mode === "navigate") event.respondWith(openNewest(request, SHELL));
  // Without boot.js a screen has no language and no theme, and documents do not open.
  else if (BESIDE.has(pathname)) event.respondWith(openNewest(request, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(openFile(request));
});
