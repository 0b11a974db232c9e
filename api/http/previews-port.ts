import type { IncomingMessage } from "node:http";
import type { RateClass } from "#shared/contract/endpoint.ts";
import type { BuildFault, DevServer, ServerEvent, PreviewReport } from "#shared/website/schema.ts";

/** A state of a website: its title, and its files by path. */
export interface SiteToBuild {
  title: string;
  files: ReadonlyMap<string, string>;
}

/** Previews of websites, each on the second listener under a secret name. A key names a project of an account. */
export interface Previews {
  /** The origin of the second listener. */
  readonly origin: string;
  /** The URL of a site on the second listener. */
  addressOf(name: string): string;
  read(key: string): DevServer;
  isRunning(key: string): boolean;
  /** Keeps a preview from becoming idle. */
  touch(key: string): void;
  /** Gets ready for a build that will follow soon. */
  prepare(): void;
  /** Builds and serves a state. If it has faults, the last state without faults stays served. */
  show(key: string, site: SiteToBuild): Promise<DevServer>;
  /** Builds without serving; returns the faults, which are empty if the site builds. */
  check(site: SiteToBuild): Promise<BuildFault[]>;
  /** Records what an open preview reported about a build. A report about another than the current build is ignored. */
  recordReport(key: string, report: PreviewReport): void;
  /** What an open preview reported about the current build; undefined without a report. */
  readReport(key: string): PreviewReport | undefined;
  /** Whether somebody has the preview open: it reported this build or the one before, and a socket is open. */
  isWatched(key: string): boolean;
  /** Waits until an open preview reports that the current build is painted; undefined if none does in time. */
  awaitReport(key: string, signal: AbortSignal): Promise<PreviewReport | undefined>;
  stop(key: string): void;
  /** Stops previews without a request or a socket since `before`, epoch ms. */
  stopIdle(before: number): void;
  /** Reports what happens to a preview until the returned function is called. */
  listen(key: string, listener: (event: ServerEvent) => void): () => void;
  /** Limits requests to the second listener: `count` rejects with `too_many_requests`. */
  limitRequests(count: (rate: RateClass, request: IncomingMessage) => Promise<void>): void;
  /** Calls the listener when the server stops and the previews end. */
  onClose(listener: () => void): void;
}
