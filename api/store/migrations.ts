import { migrateNames } from "./migrations/migrate-names.ts";
import { migrateSessions } from "./migrations/migrate-sessions.ts";
import type { CollectionSpec, DocumentStore } from "./port.ts";
import { StorageUnusableError } from "./storage-unusable.ts";

/** Migrates from the previous version to `version`; must be idempotent. */
export interface Migration {
  readonly version: number;
  up(store: DocumentStore): Promise<void>;
}

const FIRST_VERSION = 1;

/**
 * In order. Version 1 needs none. Each change of a stored shape gets a new version, and before it is added, a data folder
 * of the last version is recorded (`tests/store/data-folders/make-data-folder.ts`).
 */
export const migrations: readonly Migration[] = [
  { version: 2, up: migrateSessions },
  { version: 3, up: migrateNames },
];

export const getNewestVersion = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? FIRST_VERSION;

/** Data without a version is version 1. */
export const toVersion = (stored: number | undefined): number => stored || FIRST_VERSION;

export async function migrate(store: DocumentStore, from: number, steps: readonly Migration[]): Promise<void> {
  for (const step of steps) if (step.version > from) await step.up(store);
}

export const describeTooNew = (where: string, found: number, newest: number): string =>
  `${where} was written by a newer Lamplight (its data has version ${found}, this one knows up to ${newest}): start the newer one. Nothing was changed.`;

interface VersionDoc {
  _id: string;
  version: number;
  /** While a step runs: documents may have this version already. */
  migratingTo?: number;
}

const versionSpec: CollectionSpec<VersionDoc> = { name: "schema", shardKey: "_id", indexes: [] };

/**
 * Migrates a database that cannot be copied. The version is stored after each step, so that an interrupted migration
 * continues where it stopped; and before it, so that an older program refuses the database in between. Steps are
 * idempotent: two processes that start at the same time may both run them.
 */
export async function migrateInSteps(store: DocumentStore, steps: readonly Migration[]): Promise<void> {
  const versions = store.collection(versionSpec);
  const newest = getNewestVersion(steps);
  const stored = await versions.get("data");
  const reached = Math.max(toVersion(stored?.version), stored?.migratingTo ?? 0);
  if (reached > newest) throw new StorageUnusableError(describeTooNew("The database at MONGODB_URI", reached, newest));
  if (!stored) return versions.upsert({ _id: "data", version: newest });
  let version = toVersion(stored.version);
  for (const step of steps.filter((candidate) => candidate.version > version)) {
    await versions.upsert({ _id: "data", version, migratingTo: step.version });
    await step.up(store);
    version = step.version;
    await versions.upsert({ _id: "data", version });
  }
}
