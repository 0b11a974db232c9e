import type { FeedbackRating } from "#shared/feedback/contract.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

/** What a student thinks of an answer, a card or a completion. */
export interface RatingDoc extends OwnedDoc {
  kind: FeedbackRating["kind"];
  value: "up" | "down";
  reason: string;
  /** The rated text; empty unless the student chose to share it. */
  text: string;
  model: string;
  version: string;
  /** When it was first rated. */
  createdAt: number;
  /** Orders ratings: the time, then the id. */
  key: string;
}

export const ratings: CollectionSpec<RatingDoc> = {
  name: "ratings",
  shardKey: "ownerId",
  indexes: [
    { fields: ["key"] },
    { fields: ["kind", "key"] },
    { fields: ["kind", "value", "key"] },
    { fields: ["model", "key"] },
  ],
};

/** Stores or changes a rating, or withdraws it, and counts it on the day of the first one. */
export async function saveRating(own: Own, rating: FeedbackRating, now: number): Promise<void> {
  const { kind, id, value, reason, text, model } = rating;
  const _id = `${own.ownerId}:${kind}:${id}`;
  const previous = await own.in(ratings).get(_id);
  const createdAt = previous?.createdAt ?? now;
  const version = previous?.version ?? programVersion;
  const sums = { up: value === "up" ? 1 : 0, down: value === "down" ? 1 : 0, reasons: reason === "" ? 0 : 1 };
  const dims = { kind, model, version };
  await recordFigure(own, { figure: "ratings", id: `${kind}:${id}`, at: createdAt, dims, sums, sourceVersion: now });
  if (value === "none") {
    await own.in(ratings).remove({ _id });
    return;
  }
  const fields = { kind, value, reason, text, model, version };
  if (previous) await own.in(ratings).patch({ _id }, { set: fields });
  else await own.in(ratings).insert({ _id, ...fields, createdAt, key: `${new Date(createdAt).toISOString()}:${_id}` });
}
