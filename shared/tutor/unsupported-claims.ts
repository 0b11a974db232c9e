import { isUncitedClaim } from "./branches.ts";
import { translatePart } from "./phrases.ts";
import type { Message } from "./schema.ts";

/** The built-in model, which needs no network and only quotes. */
export const BUILTIN_MODEL_ID = "lamplight-builtin";

/** Whether an answer may contain claims without a source, because a model wrote it and it is complete. */
export const mayHaveUnsupportedClaims = ({ status, model }: Pick<Message, "status" | "model">): boolean =>
  status !== "writing" && model !== null && model !== BUILTIN_MODEL_ID;

/**
 * Creates a check whether a block of an answer makes a claim without a source. The tutor's own phrases need no source.
 */
export function createClaimCheck(parts: Message["parts"] = []): (block: string) => boolean {
  const phrases = new Set(parts.filter(({ type }) => type === "phrase").map(translatePart));
  return (block) => !phrases.has(block.trim()) && isUncitedClaim(block);
}
