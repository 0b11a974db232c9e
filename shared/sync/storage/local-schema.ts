import type { DBSchema } from "idb";
import type { Component, Page } from "#shared/pages/schema.ts";
import type { PageState } from "../overlay.ts";
import type { QueuePosition, StoredRequest } from "../store.ts";

interface RequestRow {
  accountId: string;
  id: string;
  seq: number;
  resourceId: string;
  item: StoredRequest;
}

export interface PageKey {
  accountId: string;
  pageId: string;
}

/** A page in one row. */
interface WholeRow extends PageKey {
  keptAt: number;
  state: PageState;
}

/** A long page, whose components are in rows of their own. */
export interface LongRow extends PageKey {
  keptAt: number;
  page: Page | undefined;
  /** The keys of its parts, in order. */
  parts: string[];
  /** Changes with every write. */
  revision: string;
}

/** Some components of a long page; `pageId` is the key of the part. */
interface PartRow extends PageKey {
  components: readonly Component[];
}

export type PageRow = WholeRow | LongRow | PartRow;

/** The browser's database for all accounts; each row has its account's id. */
export interface LocalSchema extends DBSchema {
  requests: {
    key: [string, string];
    value: RequestRow;
    indexes: { order: [string, number]; resource: [string, string, number] };
  };
  places: { key: string; value: QueuePosition };
  pages: { key: [string, string]; value: PageRow; indexes: { age: [string, number] } };
}
