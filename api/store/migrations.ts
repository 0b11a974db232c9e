import type { DocumentStore } from "./port.ts";

/** Migrates from the previous version to `version`; must be idempotent. */
export interface Migration {
  readonly version: number;
  up(store: DocumentStore): Promise<void>;
}

const FIRST_VERSION = 1;

/** In order. Version 1 needs none. */
export const migrations: readonly Migration[] = [];

export const getNewestVersion = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? FIRST_VERSION;

/** Data without a version is version 1. */
export const toVersion = (stored: number | undefined): number => stored || FIRST_VERSION;

export async function migrate(store: DocumentStore, from: number, steps: readonly Migration[]): Promise<void> {
  for (const step of steps) if (step.version > from) await step.up(store);
}

export const describeTooNew = (where: string, found: number, newest: number): string =>
  `${where} was written by a newer Lamplight (its data has version ${found}, this one knows up to ${newest}): start the newer one. Nothing was changed.`;
