import { retentionDays } from "#shared/retention.ts";
import type { Dims, FigureName, Sums } from "#shared/admin/figures.ts";
import type { Own } from "../owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "../port.ts";

/**
 * What one effect (an answer, a day of study, a call of a model) adds to the figure of a day. It is written with a
 * fixed id, so a repeat replaces it and adds nothing. It contains counts, never a word of a student.
 */
export interface FigureRecord extends OwnedDoc {
  /** UTC day. */
  day: string;
  figure: FigureName;
  dims: Dims;
  sums: Sums;
  /** Increases with what the writer knows, so that an older write never replaces a newer one. */
  sourceVersion: number;
  /** Number of writes, so that a roll-up clears `isDirty` only for the write that it has read. */
  rev: number;
  /** Whether the day's sum lacks the last write. */
  isDirty: boolean;
  /** Only for calls: the file that the model read; empty if there was none. */
  file?: string;
  /** Orders the records of a figure: the day, then the id. */
  key: string;
}

export const figureRecords: CollectionSpec<FigureRecord> = {
  name: "figure_ledger",
  shardKey: "ownerId",
  indexes: [
    { fields: ["day", "figure"] },
    { fields: ["isDirty"] },
    { fields: ["figure", "key"] },
    { fields: ["figure", "file", "key"] },
    { fields: ["figure", "dims.model", "key"] },
    { fields: ["figure", "dims.feature", "key"] },
    { fields: ["figure", "sums.failed", "key"] },
    { fields: ["ownerId", "figure", "key"] },
  ],
};

const DAY_MS = 86_400_000;
/** After this many days, a day is closed: its records are erased, and later ones are dropped. */
export const FIGURE_RECORD_DAYS = retentionDays.figureLedger;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const closedBefore = (now: number): string => dayOf(now - FIGURE_RECORD_DAYS * DAY_MS);

interface NewFigure {
  figure: FigureName;
  /** Names the effect within the account and the figure. */
  id: string;
  /** When it happened, epoch ms. */
  at: number;
  dims?: Dims;
  sums: Sums;
  sourceVersion?: number;
}

export const figureRecordId = ({ ownerId }: Pick<Own, "ownerId">, figure: FigureName, id: string): string =>
  `${ownerId}:${figure}:${id}`;

/** The record of an effect; undefined if nothing was counted for it. */
export const findFigureRecord = (own: Own, figure: FigureName, id: string): Promise<FigureRecord | undefined> =>
  own.store.collection(figureRecords).get(figureRecordId(own, figure, id));

function toRecord(own: Own, { figure, id, at, dims = {}, sums, sourceVersion = 0 }: NewFigure): FigureRecord {
  const _id = figureRecordId(own, figure, id);
  const day = dayOf(at);
  const state = { sourceVersion, rev: 1, isDirty: true };
  return { _id, ownerId: own.ownerId, day, figure, dims, sums, ...state, key: `${day}:${_id}` };
}

/** Counts an effect, or replaces what was counted for it before; its day remains the first one. */
export async function recordFigure(own: Own, figure: NewFigure): Promise<void> {
  const record = toRecord(own, figure);
  const records = own.store.collection(figureRecords);
  if ((await records.insert(record)) === "inserted") return;
  const { _id, dims, sums, sourceVersion } = record;
  await records.patch(
    { _id, sourceVersion: { lte: sourceVersion } },
    { set: { dims, sums, sourceVersion, isDirty: true }, increment: { rev: 1 } },
  );
}

/** Counts an effect without an id of its own, such as a model call: each call adds to the record. */
export async function addToFigure(own: Own, { file = "", ...figure }: NewFigure & { file?: string }) {
  const { sums, rev: _, ...record } = toRecord(own, figure);
  const increment = Object.fromEntries(Object.entries(sums).map(([name, value]) => [`sums.${name}`, value]));
  await own.store
    .collection(figureRecords)
    .patchOrInsert(
      { ...record, file, sums: {}, rev: 0 },
      { increment: { ...increment, rev: 1 }, set: { isDirty: true } },
    );
}
