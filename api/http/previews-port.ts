import type { BuildFault, DevServer, ServerEvent } from "#shared/website/schema.ts";

/** A state of a website: its title, and its files by path. */
export interface SiteToBuild {
  title: string;
  files: ReadonlyMap<string, string>;
}

/** Previews of websites, each on the second listener under a secret name. A key names a project of an account. */
export interface Previews {
  /** The origin of the second listener. */
  readonly origin: string;
  /** The address of a site on it. */
  addressOf(name: string): string;
  read(key: string): DevServer;
  isRunning(key: string): boolean;
  /** Keeps a preview from becoming idle. */
  touch(key: string): void;
  /** Builds and serves a state; one with faults leaves the last good one where it is. */
  show(key: string, site: SiteToBuild): Promise<DevServer>;
  /** Builds without showing; the faults, none if it builds. */
  check(site: SiteToBuild): Promise<BuildFault[]>;
  stop(key: string): void;
  /** Stops previews without a request or a socket since `before`, epoch ms. */
  stopIdle(before: number): void;
  /** Reports what happens to a preview until the returned function is called. */
  listen(key: string, listener: (event: ServerEvent) => void): () => void;
  /** Adds what ends with the previews when the server stops. */
  onClose(listener: () => void): void;
}
