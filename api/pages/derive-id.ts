import { hash } from "node:crypto";

/** An id that follows from another one within a scope, so that a repeated request makes the same document. */
export const deriveId = (scope: string, id: string): string =>
  hash("sha256", `${scope}:${id}`, "base64url").slice(0, 26);
