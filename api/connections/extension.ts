import { createHmac, hash, randomInt, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { CODE_LETTERS, type extensions } from "#shared/connections/extension-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { endSession } from "#api/http/sessions/end-sessions.ts";
import { presentUser, type UserDoc } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import { createToken, findActiveSession, listSessions, saveSession } from "#api/http/sessions/session-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import {
  answerPairingRequest,
  findExtension,
  findPairedUser,
  findPairingRequest,
  findPendingPairing,
  listExtensions,
  type PairingRequestDoc,
  removeExtension,
  saveExtension,
  savePairingRequest,
  spendApproval,
} from "./extension-store.ts";

const PAIRING_TTL_MS = 10 * 60 * 1000;
const POLL_INTERVAL_MS = 2_000;
/** Same lifetime as a browser session. */
const TOKEN_TTL_MS = 2 * 365 * 86_400_000;
const CODE_LENGTH = 8;
const SESSION_ATTEMPTS = 5;
const SESSION_RETRY_MS = 100;

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
    if (request.state === "waiting" || request.state === "refused") return { state: request.state };
    const user = await requireApprovingUser(store, request);
    const token = deriveToken(request, verifier);
    if (await spendApproval(store, deviceId)) await connect(store, request, { token, userId: user._id, now });
    // If the token was never used, the response may have been lost, so the same token is sent again.
    else if (!(await findNewSession(store, deviceId, now))?.isUnused) throw noPairingRequest();
    return { state: "connected", token, user: presentUser(settings, user) };
  },

  async findExtensionRequest({ store, clock }, { code }) {
    const request = await findPendingPairing(store, code, clock.now());
    if (!request) throw noPairingRequest();
    return { name: request.name, createdAt: request.createdAt };
  },

  async answerExtension({ store, clock, caller }, { code, isAllowed }) {
    // A temp token, which lasts a day, must not create a token that lasts for years.
    if (caller.tokenKind !== "session") throw new Failure("signed_out", "sign_in");
    const request = await findPendingPairing(store, code, clock.now());
    if (!request) throw noPairingRequest();
    const user = await findPairedUser(store, caller.userId);
    const approval = { userId: caller.userId, salt: createToken(), revocations: user?.revocations ?? 0 };
    const answer = isAllowed ? { state: "allowed" as const, ...approval } : { state: "refused" as const, userId: null };
    if (!(await answerPairingRequest(store, request._id, answer))) throw noPairingRequest();
    return { success: true };
  },

  async listExtensions({ own, store }) {
    const sessions = await listSessions(store, own.ownerId);
    const live = new Set(sessions.map(({ _id }) => _id));
    // Skip extensions whose session was ended, for example by a new password, or was never stored.
    const connected = (await listExtensions(own)).filter((extension) => live.has(extension.sessionId));
    return { extensions: connected.map(({ _id, name, createdAt }) => ({ _id, name, createdAt })) };
  },

  async removeExtension({ own, store }, { id }) {
    const extension = await findExtension(own, id);
    if (!extension) throw new Failure("not_found", "no_extension");
    await endSession(store, own.ownerId, extension.sessionId);
    await removeExtension(own, id);
    return { success: true };
  },
};

/** The session of a spent approval. Tries again, because a concurrent poll may not have stored the session yet. */
async function findNewSession(store: DocumentStore, deviceId: string, now: number) {
  for (let attempt = 1; ; attempt += 1) {
    const session = await findActiveSession(store, deviceId, now);
    if (session || attempt === SESSION_ATTEMPTS) return session;
    await pause(SESSION_RETRY_MS);
  }
}

/** The account that approved the request, unless any of its sessions has been revoked since. */
async function requireApprovingUser(store: DocumentStore, request: PairingRequestDoc): Promise<UserDoc> {
  const user = request.userId === null ? undefined : await findPairedUser(store, request.userId);
  if (!user || (user.revocations ?? 0) !== request.revocations) throw noPairingRequest();
  return user;
}

/** The one token of a request, the same at every poll. It is derived from the stored salt and the verifier together. */
function deriveToken({ _id, salt }: PairingRequestDoc, verifier: string): string {
  if (salt === undefined) throw noPairingRequest();
  return createHmac("sha256", salt).update(`${_id}.${verifier}`).digest("base64url");
}

interface Grant {
  token: string;
  userId: string;
  now: number;
}

async function connect(store: DocumentStore, request: PairingRequestDoc, { token, userId, now }: Grant): Promise<void> {
  const { _id, name } = request;
  const session = {
    _id,
    userId,
    kind: "extension",
    device: name,
    signedInAt: now,
    createdAt: now,
    expiresAt: now + TOKEN_TTL_MS,
    isUnused: true,
  } as const;
  // The extension comes first, so that no token is valid that the student cannot see and disconnect.
  await saveExtension(ownedBy(store, userId), { _id, name, sessionId: _id, createdAt: now });
  await saveSession(store, session, token);
  // A revocation in between may have ended the sessions before this one was stored.
  await requireApprovingUser(store, request).catch(async (refusal: unknown) => {
    await endSession(store, userId, _id);
    throw refusal;
  });
}
