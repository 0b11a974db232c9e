import { hash, randomInt, timingSafeEqual } from "node:crypto";
import { ulid } from "ulid";
import { CODE_LETTERS, type extensions } from "#shared/connections/extension-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { presentUser } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import {
  answerPairingRequest,
  findExtension,
  findPairedUser,
  findPairingRequest,
  findExtensionToken,
  findPendingPairing,
  issueExtensionToken,
  listExtensions,
  removeExtension,
  revokeToken,
  savePairingRequest,
} from "./extension-store.ts";

const PAIRING_TTL_MS = 10 * 60 * 1000;
const POLL_INTERVAL_MS = 2_000;
/** Same lifetime as a browser session. */
const TOKEN_MS = 2 * 365 * 86_400_000;
const CODE_LENGTH = 8;

const generateCode = () =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");
const formatCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;
const matchesChallenge = (verifier: string, challenge: string) =>
  timingSafeEqual(Buffer.from(hash("sha256", verifier, "base64url")), Buffer.from(challenge));

const noPairingRequest = () => new Failure("not_found", "no_pairing_code");

export const extensionHandlers: Handlers<typeof extensions> = {
  async startExtension({ store, clock }, { name, challenge }) {
    const now = clock.now();
    const expiresAt = now + PAIRING_TTL_MS;
    for (;;) {
      const request = { _id: ulid(now), code: generateCode(), challenge, name, createdAt: now, expiresAt } as const;
      if ((await savePairingRequest(store, { ...request, state: "waiting", userId: null })) === "duplicate") continue;
      return { deviceId: request._id, code: formatCode(request.code), expiresAt, pollMs: POLL_INTERVAL_MS };
    }
  },

  async pollExtension({ store, clock, settings }, { deviceId, verifier }) {
    const now = clock.now();
    const request = await findPairingRequest(store, deviceId);
    if (!request || request.expiresAt <= now || !matchesChallenge(verifier, request.challenge))
      throw noPairingRequest();
    if (request.state !== "allowed") return { state: request.state };
    const user = request.userId === null ? undefined : await findPairedUser(store, request.userId);
    if (!user) throw noPairingRequest();
    const extension = { _id: request._id, name: request.name, createdAt: now };
    const grant = { extension, expiresAt: now + TOKEN_MS };
    const token = await issueExtensionToken(store, ownedBy(store, user._id), grant);
    return { state: "connected", token, user: presentUser(settings, user) };
  },

  async findExtensionRequest({ store, clock }, { code }) {
    const request = await findPendingPairing(store, code, clock.now());
    if (!request) throw noPairingRequest();
    return { name: request.name, createdAt: request.createdAt };
  },

  async answerExtension({ store, clock, caller }, { code, isAllowed }) {
    // A token of a day must not make one of years.
    if (caller.tokenKind !== "session") throw new Failure("signed_out", "sign_in");
    const request = await findPendingPairing(store, code, clock.now());
    const answer = { state: isAllowed ? "allowed" : "refused", userId: isAllowed ? caller.userId : null } as const;
    if (!request || !(await answerPairingRequest(store, request._id, answer))) throw noPairingRequest();
    return { success: true };
  },

  async listExtensions({ own, store }) {
    const extensionLists = await Promise.all(
      (await listExtensions(own)).map(async ({ _id, name, createdAt, tokenId }) => {
        // Skip extensions whose token was revoked, for example by a new password.
        const hasToken = (await findExtensionToken(store, tokenId)) !== undefined;
        return hasToken ? [{ _id, name, createdAt }] : [];
      }),
    );
    return { extensions: extensionLists.flat() };
  },

  async removeExtension({ own, store }, { id }) {
    const extension = await findExtension(own, id);
    if (!extension) throw new Failure("not_found", "no_extension");
    await revokeToken(store, extension.tokenId);
    await removeExtension(own, id);
    return { success: true };
  },
};
