import { randomBytes } from "node:crypto";
import { toDevServerStatus } from "#shared/website/rules.ts";
import type { BuildFault, DevServer, ServerEvent, PreviewReport } from "#shared/website/schema.ts";
import type { Clock } from "#api/clock.ts";
import type { Previews, SiteToBuild } from "#api/http/previews-port.ts";
import { buildSite, warmUpBuilder } from "../build/build-site.ts";
import { emptyDocument, ENTRY_PATH, withDocument } from "../templates.ts";
import { serveBuilt, type ServedFiles } from "./site-page.ts";
import type { CountRequest, Sites } from "./sites.ts";

type Update = "starting" | "running" | "stopped" | "error";
type Listener = (event: ServerEvent) => void;

interface Running {
  name: string;
  update: Update;
  faults: BuildFault[];
  /** The last build without a fault; served until the next build without a fault. */
  served: ServedFiles | undefined;
  build: number;
  lastUsedAt: number;
  report: PreviewReport | undefined;
  /** One build at a time: the next waits for it. */
  queue: Promise<unknown>;
}

/** How long to wait for a report on the current build. */
const REPORT_TIMEOUT_MS = 8000;
const PUBLIC_PREFIX = "/public/";

const assetsOf = (files: ReadonlyMap<string, string>) =>
  new Map(
    [...files].flatMap(([path, text]) =>
      path.startsWith(PUBLIC_PREFIX) ? [[path.slice(PUBLIC_PREFIX.length), text]] : [],
    ),
  );

/** Builds the files that are served for a site, or returns the faults if the site does not build. */
export async function buildServed(
  { title, files }: SiteToBuild,
  policy = "",
): Promise<{ served: ServedFiles } | { faults: BuildFault[] }> {
  const result = await buildSite(ENTRY_PATH, files);
  if (!result.ok) return { faults: result.faults };
  return { served: await serveBuilt({ title, js: result.js, css: result.css, assets: assetsOf(files) }, policy) };
}

/** The previews of this process. A preview is a name on the sites' listener and the files behind it, all in memory. */
export class DevServers implements Previews {
  readonly #running = new Map<string, Running>();
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Functions that resolve the waits for a report on the current build. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #closing: (() => void)[] = [];
  readonly #sites: Sites;
  readonly #clock: Clock;

  constructor(sites: Sites, clock: Clock) {
    this.#sites = sites;
    this.#clock = clock;
    sites.addFinder((name) => Promise.resolve(this.#serve(name)));
  }

  get origin(): string {
    return this.#sites.origin;
  }

  addressOf(name: string): string {
    return this.#sites.addressOf(name);
  }

  read(key: string): DevServer {
    const running = this.#running.get(key);
    if (!running) return { status: "offline", dev_url: null, faults: [], build: 0 };
    const { update, served, faults, build, name } = running;
    const url = served ? this.#sites.addressOf(name) : null;
    return { status: toDevServerStatus(update), dev_url: url, faults, build };
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  touch(key: string): void {
    const running = this.#running.get(key);
    if (running) running.lastUsedAt = this.#clock.now();
  }

  async check({ files }: SiteToBuild): Promise<BuildFault[]> {
    const result = await buildSite(ENTRY_PATH, files);
    return result.ok ? [] : result.faults;
  }

  prepare(): void {
    warmUpBuilder(ENTRY_PATH, withDocument(new Map(), emptyDocument("Untitled")));
  }

  async show(key: string, site: SiteToBuild): Promise<DevServer> {
    const running = this.#running.get(key) ?? this.#start(key);
    const work = running.queue.then(() => this.#build(key, running, site));
    running.queue = work.catch(() => undefined);
    await work;
    return this.read(key);
  }

  recordReport(key: string, report: PreviewReport): void {
    const running = this.#running.get(key);
    if (running?.build !== report.build) return;
    running.report = report;
    if (report.outcome !== null) for (const resolve of this.#waiting.get(key) ?? []) resolve();
  }

  readReport(key: string): PreviewReport | undefined {
    const running = this.#running.get(key);
    return running?.report?.build === running?.build ? running?.report : undefined;
  }

  isWatched(key: string): boolean {
    const running = this.#running.get(key);
    const isReported = running?.report !== undefined && running.report.build >= running.build - 1;
    return isReported && this.#listeners.has(key);
  }

  async awaitReport(key: string, signal: AbortSignal): Promise<PreviewReport | undefined> {
    const report = this.#readFinishedReport(key);
    if (report) return report;
    await this.#nextReport(key, signal);
    return this.#readFinishedReport(key);
  }

  #readFinishedReport(key: string): PreviewReport | undefined {
    const report = this.readReport(key);
    return report && report.outcome !== null ? report : undefined;
  }

  #nextReport(key: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        waiting.delete(finish);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(finish, REPORT_TIMEOUT_MS);
      signal.addEventListener("abort", finish);
      waiting.add(finish);
    });
  }

  stop(key: string): void {
    if (this.#running.delete(key)) this.#emit(key, { type: "dev_server_update", status: "stopped" });
  }

  stopIdle(before: number): void {
    for (const [key, { lastUsedAt }] of this.#running)
      if (lastUsedAt < before && !this.#listeners.has(key)) this.stop(key);
  }

  listen(key: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  limitRequests(count: CountRequest): void {
    this.#sites.limitRequests(count);
  }

  onClose(listener: () => void): void {
    this.#closing.push(listener);
  }

  /** Removes every preview and ends what depends on the previews. */
  close(): void {
    for (const listener of this.#closing.splice(0)) listener();
    this.#running.clear();
  }

  #start(key: string): Running {
    const name = randomBytes(16).toString("base64url");
    const lastUsedAt = this.#clock.now();
    const running: Running = {
      name,
      update: "starting",
      faults: [],
      served: undefined,
      build: 0,
      lastUsedAt,
      report: undefined,
      queue: Promise.resolve(),
    };
    this.#running.set(key, running);
    this.#emit(key, { type: "dev_server_update", status: "starting" });
    this.#emit(key, { type: "sandbox-created", dev_url: this.#sites.addressOf(name) });
    return running;
  }

  async #build(key: string, running: Running, site: SiteToBuild): Promise<void> {
    const result = await buildServed(site);
    running.lastUsedAt = this.#clock.now();
    if ("faults" in result) {
      running.faults = result.faults;
      running.update = "error";
      this.#emit(key, { type: "dev_server_update", status: "error" });
      return;
    }
    running.faults = [];
    running.served = result.served;
    running.build += 1;
    running.update = "running";
    const url = this.#sites.addressOf(running.name);
    this.#emit(key, { type: "dev_server_update", status: "running" });
    this.#emit(key, { type: "dev_url_update", dev_url: url });
  }

  #serve(name: string): ServedFiles | undefined {
    for (const running of this.#running.values())
      if (running.name === name) {
        running.lastUsedAt = this.#clock.now();
        return running.served;
      }
    return undefined;
  }

  #emit(key: string, event: ServerEvent): void {
    for (const listener of this.#listeners.get(key) ?? []) listener(event);
  }
}
