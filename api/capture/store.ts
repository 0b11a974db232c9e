import type { CaptureRecord } from "#shared/capture/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

type CaptureDoc = CaptureRecord & OwnedDoc & { savedAt: number };

const captures: CollectionSpec<CaptureDoc> = {
  name: "captures",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "savedAt"] }],
};

export async function saveCapture(own: Own, record: CaptureRecord, savedAt: number): Promise<void> {
  if ((await own.in(captures).insert({ ...record, savedAt })) === "inserted") return;
  const { _id, ...fields } = record;
  await own.in(captures).patch({ _id }, { set: { ...fields, savedAt } });
}

export const listCaptures = (own: Own, after: number, limit: number): Promise<CaptureDoc[]> =>
  own.in(captures).find({ savedAt: { gt: after } }, { order: [["savedAt", "asc"]], limit });
