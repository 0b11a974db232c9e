import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { User } from "#shared/user/schema.ts";

/** No vowels, so that no words appear, and no ambiguous letters. */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** Eight letters as typed or read by a student; stored and compared without the dash. */
const Code = z
  .string()
  .transform((text) => text.toUpperCase().replaceAll(/[^A-Z]/g, ""))
  .pipe(z.string().regex(new RegExp(`^[${CODE_LETTERS}]{8}$`), "A code has eight letters, as BCDF-GHJK"));

const secret = z.string().regex(/^[\w-]{43}$/, "256 bits in base64url");
const deviceId = z.string().min(10).max(64);
const success = z.object({ success: z.literal(true) });

/** A browser extension that may act for the student. */
export const ConnectedExtension = z.object({
  _id: z.string(),
  /** Browser and system, as reported by the extension. */
  name: z.string(),
  createdAt: z.number(),
});
export type ConnectedExtension = z.infer<typeof ConnectedExtension>;

export const ConnectAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("waiting") }),
  z.object({ state: z.literal("refused") }),
  z.object({ state: z.literal("connected"), token: z.string(), user: User }),
]);

export const extensions = {
  startExtension: json({
    method: "POST",
    path: "/v1/external_connections/extension/start",
    access: "public",
    noStore: true,
    rate: "sign_in",
    summary: "Ask to be connected: a code for the student to confirm, good for ten minutes",
    input: z.object({
      name: z.string().trim().min(1).max(80),
      /**
       * SHA-256 of a verifier that stays in the extension until it fetches its token (PKCE,
       * https://www.rfc-editor.org/rfc/rfc7636).
       */
      challenge: secret,
    }),
    output: z.object({ deviceId: z.string(), code: z.string(), expiresAt: z.number(), pollMs: z.int() }),
    fails: ["bad_input", "too_many_requests"],
  }),
  pollExtension: json({
    method: "POST",
    path: "/v1/external_connections/extension/poll",
    access: "public",
    rate: "ordinary",
    noStore: true,
    summary: "What the student said; one token for whoever holds the verifier, sent again until it is first used",
    input: z.object({ deviceId, verifier: secret }),
    output: ConnectAnswer,
    fails: ["bad_input", "not_found"],
  }),
  findExtensionRequest: json({
    method: "GET",
    path: "/v1/external_connections/extension/request",
    access: "user",
    rate: "sign_in",
    summary: "What asks under a code to be connected",
    input: z.object({ code: Code }),
    output: z.object({ name: z.string(), createdAt: z.number() }),
    fails: ["bad_input", "not_found", "too_many_requests"],
  }),
  answerExtension: json({
    method: "POST",
    path: "/v1/external_connections/extension/answer",
    access: "user",
    rate: "sign_in",
    summary: "Connect what asks under a code with the caller's account, or refuse it",
    input: z.object({ code: Code, isAllowed: z.boolean() }),
    output: success,
    fails: ["bad_input", "not_found", "signed_out", "too_many_requests"],
  }),
  listExtensions: json({
    method: "GET",
    path: "/v1/external_connections/extensions",
    access: "user",
    summary: "The browser extensions that act for the caller",
    input: z.object({}),
    output: z.object({ extensions: z.array(ConnectedExtension) }),
    fails: [],
  }),
  removeExtension: json({
    method: "DELETE",
    path: "/v1/external_connections/extensions/:id",
    access: "user",
    summary: "Disconnect a browser extension: its token serves no longer",
    input: z.object({ id: z.string() }),
    output: success,
    fails: ["not_found"],
  }),
};
