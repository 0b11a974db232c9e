import { createPrivateKey, sign } from "node:crypto";
import * as oidc from "openid-client";
import { Failure } from "#shared/contract/failure.ts";
import { getPublicUrl, type Settings } from "#api/settings.ts";

export type Provider = "GOOGLE_OAUTH_2" | "APPLE";

interface Issuer {
  name: string;
  issuer: string;
  clientId: string;
  clientAuth: () => oidc.ClientAuth;
  redirectUri: string;
  params: Record<string, string>;
}

export const offersGoogle = ({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }: Settings) =>
  Boolean(GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET);

export const offersApple = ({ APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY }: Settings) =>
  Boolean(APPLE_CLIENT_ID && APPLE_TEAM_ID && APPLE_KEY_ID && APPLE_PRIVATE_KEY);

/** Apple answers with a form post (`response_mode=form_post`); it is sent to this path. */
export const APPLE_RETURN_PATH = "/oauth/apple/callback";

export const providerName = (provider: Provider) => (provider === "APPLE" ? "Apple" : "Google");

function requireIssuer(settings: Settings, provider: Provider): Issuer {
  const isOffered = provider === "APPLE" ? offersApple(settings) : offersGoogle(settings);
  const name = providerName(provider);
  if (!isOffered) throw new Failure("not_configured", "issuer_not_set_up", { issuer: name });
  const base = getPublicUrl(settings);
  if (provider === "APPLE")
    return {
      name,
      issuer: settings.APPLE_ISSUER,
      clientId: settings.APPLE_CLIENT_ID ?? "",
      clientAuth: () => oidc.ClientSecretPost(signAppleClientSecret(settings)),
      redirectUri: base + APPLE_RETURN_PATH,
      params: { scope: "openid name email", response_mode: "form_post" },
    };
  return {
    name,
    issuer: settings.GOOGLE_ISSUER,
    clientId: settings.GOOGLE_CLIENT_ID ?? "",
    clientAuth: () => oidc.ClientSecretPost(settings.GOOGLE_CLIENT_SECRET ?? ""),
    redirectUri: `${base}/oauth/google/callback`,
    params: { scope: "openid email profile" },
  };
}

const encodeJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Instead of a fixed client secret, Apple requires a short-lived JWT, signed with the operator's key (ES256). */
function signAppleClientSecret({
  APPLE_CLIENT_ID,
  APPLE_TEAM_ID,
  APPLE_KEY_ID,
  APPLE_PRIVATE_KEY,
  APPLE_ISSUER,
}: Settings) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: APPLE_TEAM_ID, iat: now, exp: now + 300, aud: APPLE_ISSUER, sub: APPLE_CLIENT_ID };
  const body = `${encodeJwtPart({ alg: "ES256", kid: APPLE_KEY_ID })}.${encodeJwtPart(claims)}`;
  const key = createPrivateKey(APPLE_PRIVATE_KEY ?? "");
  return `${body}.${sign("sha256", Buffer.from(body), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

async function discover({ issuer, clientId, clientAuth, name }: Issuer): Promise<oidc.Configuration> {
  const address = new URL(issuer);
  // An issuer without TLS is a local one, such as in tests.
  const isLocal = address.protocol === "http:";
  const execute = [oidc.enableNonRepudiationChecks, ...(isLocal ? [oidc.allowInsecureRequests] : [])];
  try {
    return await oidc.discovery(address, clientId, undefined, clientAuth(), { execute });
  } catch {
    throw issuerUnreachable(name);
  }
}

const issuerUnreachable = (name: string) => new Failure("unreachable", "issuer_unreachable", { issuer: name });

/** Builds the authorization URL, with the PKCE verifier and nonce that tie the callback to this request. */
export async function buildSignInUrl(settings: Settings, provider: Provider, state: string) {
  const issuer = requireIssuer(settings, provider);
  const config = await discover(issuer);
  const verifier = oidc.randomPKCECodeVerifier();
  const nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(config, {
    ...issuer.params,
    redirect_uri: issuer.redirectUri,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return { authUrl: url.href, verifier, nonce };
}

/** The identity that the issuer asserts. */
export interface IssuerIdentity {
  subject: string;
  email: string | null;
  /** Whether the issuer has verified the address. */
  isVerified: boolean;
  name: string | null;
}

interface OAuthCallback {
  code: string;
  state: string;
  verifier: string;
  nonce: string;
}

/** Exchanges the authorization code; rejects a callback whose state, verifier or nonce does not match. */
export async function exchangeSignInCode(
  settings: Settings,
  provider: Provider,
  callback: OAuthCallback,
): Promise<IssuerIdentity> {
  const issuer = requireIssuer(settings, provider);
  const config = await discover(issuer);
  const url = new URL(issuer.redirectUri);
  url.searchParams.set("code", callback.code);
  url.searchParams.set("state", callback.state);
  // Pass `iss` on for issuers that send it in the callback (RFC 9207), as the browser would have.
  const { authorization_response_iss_parameter_supported: sendsIssuer, issuer: iss } = config.serverMetadata();
  if (sendsIssuer) url.searchParams.set("iss", iss);
  try {
    const answer = await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: callback.verifier,
      expectedState: callback.state,
      expectedNonce: callback.nonce,
      idTokenExpected: true,
    });
    return toIdentity(answer.claims() ?? {});
  } catch (error) {
    if (isConnectionError(error)) throw issuerUnreachable(issuer.name);
    throw new Failure("bad_input", "issuer_not_confirmed", { issuer: issuer.name });
  }
}

/** A missing or dropped connection; any other error is an invalid response. */
const isConnectionError = (error: unknown) =>
  error instanceof TypeError || (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT");

function toIdentity(claims: Readonly<Record<string, unknown>>): IssuerIdentity {
  const { sub, email, email_verified: verified, name } = claims;
  return {
    subject: String(sub),
    email: typeof email === "string" && email !== "" ? email : null,
    // Apple sends the string "true" where others send a boolean.
    isVerified: verified === true || verified === "true",
    name: typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 120) : null,
  };
}
