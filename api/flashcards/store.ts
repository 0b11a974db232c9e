import type { Own } from "#api/kit/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/kit/store/port.ts";

/** A text that a generation reads, kept until it has ended. */
interface SourceText extends OwnedDoc {
  jobKey: string;
  text: string;
  createdAt: number;
}

const sourceTexts: CollectionSpec<SourceText> = {
  name: "generation_texts",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "jobKey"] }, { fields: ["ownerId", "createdAt"] }],
};

/** Texts whose generation was never begun, or never ended, go after this long. */
const KEPT_MS = 7 * 86_400_000;

export async function saveSourceText(own: Own, text: Omit<SourceText, "ownerId">): Promise<void> {
  await own.in(sourceTexts).insert(text);
}

export const findSourceText = async (own: Own, id: string) => (await own.in(sourceTexts).get(id))?.text;

export async function removeSourceTexts(own: Own, jobKey: string, now: number): Promise<void> {
  await own.in(sourceTexts).remove({ jobKey });
  await own.in(sourceTexts).remove({ createdAt: { lt: now - KEPT_MS } });
}
