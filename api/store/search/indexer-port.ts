import type { Own } from "../owned-store.ts";

/** The sources that a reader waits for; every source of the account if `isChosen` is omitted. */
export interface IndexWait {
  isChosen?: ((source: { pageId: string; componentId: string }) => boolean) | undefined;
  timeoutMs: number;
}

/**
 * Keeps the passage index up to date in the background: it follows the changes of each account, from the start of the
 * server. Readers only wait for it.
 */
export interface Indexer {
  /**
   * Resolves when everything changed before this call is indexed, or after the timeout, with the ids of the sources that
   * the index does not cover yet; undefined if the timeout was too short to find out.
   */
  waitUntilIndexed(own: Own, wait: IndexWait): Promise<ReadonlySet<string> | undefined>;
  start(): void;
  /** Stops indexing; unfinished work continues at the next start. */
  stop(): Promise<void>;
}
