import { isUncitedClaim } from "./branches.ts";
import { translatePart } from "./phrases.ts";
import type { Message } from "./schema.ts";

/** The model without a network, which only quotes. */
export const BUILTIN_MODEL_ID = "lamplight-builtin";

/** Whether an answer may hold claims without a source: a model wrote it, and it is complete. */
export const mayHaveUnsupportedClaims = ({ status, model }: Pick<Message, "status" | "model">): boolean =>
  status !== "writing" && model !== null && model !== BUILTIN_MODEL_ID;

/** Tells for a block of an answer whether it makes a claim without a source; the tutor's own phrases need none. */
export function createClaimCheck(parts: Message["parts"] = []): (block: string) => boolean {
  const phrases = new Set(parts.filter(({ type }) => type === "phrase").map(translatePart));
  return (block) => !phrases.has(block.trim()) && isUncitedClaim(block);
}
