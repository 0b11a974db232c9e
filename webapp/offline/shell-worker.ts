/**
 * The service worker: caches the app's own files so that the app opens and reloads offline. It caches no account data,
 * which is in IndexedDB and deleted on sign-out.
 */

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface InstallEvent extends LifetimeEvent {
  /** With static routes, the browser serves files without starting the worker. Only Chromium supports them. */
  addRoutes?(routes: readonly { condition: { urlPattern: string }; source: "cache" | "network" }[]): Promise<void>;
}
interface RequestEvent extends LifetimeEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
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
    matchAll(options: { type: "window" }): Promise<readonly Window[]>;
    openWindow(path: string): Promise<unknown>;
  };
  location: Location;
}

declare const self: Worker;
/** All files of this build; inserted by the build. */
declare const SHELL_FILES: readonly string[];
/** A hash of the build; inserted by the build. */
declare const SHELL_VERSION: string;

const SHELL = "/shell.html";
/** Files that every screen requests, with names that do not change. */
const STABLE_FILES = new Set(["/boot.js", "/favicon.svg", "/manifest.webmanifest"]);
const CACHE_PREFIX = "lamplight-shell-";
const CACHE_NAME = CACHE_PREFIX + SHELL_VERSION;
/** A network slower than this is treated as offline. */
const TIMEOUT_MS = 4000;
const MAX_CONCURRENT_FETCHES = 4;

/** Caches all files. Files with a content hash in their name are copied from the previous version's cache. */
async function precache(): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  const remaining = [...SHELL_FILES];
  const fetchRemaining = async () => {
    for (let file = remaining.pop(); file !== undefined; file = remaining.pop()) {
      const cached = file.startsWith("/assets/") ? await caches.match(file) : undefined;
      const response = cached ?? (await fetch(file, { cache: "no-cache" }));
      if (!response.ok) throw new Error(`${file} could not be cached: ${response.status}`);
      await cache.put(file, response);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_FETCHES }, fetchRemaining));
}

async function removeOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

/** Network first, with the cached file as the fallback. */
async function networkFirst(request: Request, cached: string): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    // A 5xx response may come from a proxy or a captive portal, so the cached file is preferred.
    return response.status >= 500 ? ((await caches.match(cached)) ?? response) : response;
  } catch (error) {
    const fallback = await caches.match(cached);
    if (fallback) return fallback;
    throw error;
  }
}

async function cacheFirst(request: Request): Promise<Response> {
  const cached = await caches.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok && response.type === "basic") await (await caches.open(CACHE_NAME)).put(request, response.clone());
  return response;
}

/** Routes scripts and styles, which are all precached, to the cache, and API calls, which never are, to the network. */
async function addStaticRoutes(event: InstallEvent): Promise<void> {
  const cached = ["/assets/*.js", "/assets/*.mjs", "/assets/*.css"];
  const routes = cached.map((urlPattern) => ({ condition: { urlPattern }, source: "cache" as const }));
  await event.addRoutes?.([...routes, { condition: { urlPattern: "/v1/*" }, source: "network" }]);
}

/** Opens a notification's path in the most recent window or in a new window. Only paths in this app are opened. */
async function openPath(path: unknown): Promise<void> {
  if (typeof path !== "string" || !/^\/(?![/\\])/.test(path)) return;
  const [client] = await self.clients.matchAll({ type: "window" });
  if (!client) return void (await self.clients.openWindow(path));
  // The window navigates itself, so that unsaved input is stored first.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  client.postMessage({ goTo: path });
  await client.focus();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = (event.notification.data ?? {}) as { path?: unknown };
  event.waitUntil(openPath(path));
});
self.addEventListener("install", (event) => event.waitUntil(Promise.all([precache(), addStaticRoutes(event)])));
self.addEventListener("activate", (event) => event.waitUntil(removeOldCaches()));
// Sent when the student clicks "Refresh". Without that, the app never updates while it is open.
self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/v1/")) return;
  if (request.mode === "navigate") event.respondWith(networkFirst(request, SHELL));
  // Without `boot.js`, screens would have no language and no theme, and documents would not open.
  else if (STABLE_FILES.has(pathname)) event.respondWith(networkFirst(request, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(cacheFirst(request));
});
