import * as oidc from "openid-client";
import type { ConnectionType } from "#shared/connections/contract.ts";
import type { Settings } from "#api/settings.ts";
import { Failure } from "#shared/contract/failure.ts";

type GoogleSettings = Pick<
  Settings,
  "GOOGLE_CLIENT_ID" | "GOOGLE_CLIENT_SECRET" | "GOOGLE_ISSUER" | "GOOGLE_API_BASE" | "PUBLIC_URL" | "PORT"
>;

/** OAuth tokens of a connection. Never sent, never logged. */
export interface GoogleTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Epoch ms. */
  expiresAt: number;
}

const API_SCOPE = "https://www.googleapis.com/auth";
/** The calendar scopes cover our own calendar and when the student is busy, never the student's events. */
const OAUTH_SCOPES: Readonly<Record<ConnectionType, string>> = {
  google_drive: `openid email ${API_SCOPE}/drive.readonly`,
  google_calendar: `openid email ${API_SCOPE}/calendar.app.created ${API_SCOPE}/calendar.freebusy`,
};

/** Settings that must be set before anyone can connect. */
export function listMissingSettings(settings: GoogleSettings): string[] {
  return (["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] as const).filter((name) => !settings[name]);
}

export function requireClientSecret(settings: GoogleSettings): string {
  const [missing] = listMissingSettings(settings);
  if (missing !== undefined || !settings.GOOGLE_CLIENT_SECRET) throw new Failure("not_configured", "drive_not_set_up");
  return settings.GOOGLE_CLIENT_SECRET;
}

const redirectUriOf = ({ PUBLIC_URL, PORT }: GoogleSettings) =>
  `${(PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, "")}/oauth/google/callback`;

async function discoverIssuer(settings: GoogleSettings): Promise<oidc.Configuration> {
  const secret = requireClientSecret(settings);
  const issuer = new URL(settings.GOOGLE_ISSUER);
  // An issuer without TLS is a local one, such as in tests.
  const options = issuer.protocol === "http:" ? { execute: [oidc.allowInsecureRequests] } : {};
  try {
    return await oidc.discovery(issuer, settings.GOOGLE_CLIENT_ID ?? "", secret, undefined, options);
  } catch {
    throw googleUnreachable();
  }
}

const googleUnreachable = () => new Failure("unreachable", "google_unreachable");

/** Builds the consent URL, with the PKCE verifier that ties the callback to this request. */
export async function buildGoogleAuthUrl(settings: GoogleSettings, state: string, type: ConnectionType) {
  const config = await discoverIssuer(settings);
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUriOf(settings),
    scope: OAUTH_SCOPES[type],
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    // Google issues a refresh token only if asked for offline access with consent.
    access_type: "offline",
    prompt: "consent",
  });
  return { authUrl: url.href, verifier };
}

/** Exchanges the authorization code. Throws `bad_input` if Google rejects it. */
export async function exchangeGoogleCode(
  settings: GoogleSettings,
  callback: { code: string; state: string; verifier: string },
  now: number,
) {
  const config = await discoverIssuer(settings);
  const url = new URL(redirectUriOf(settings));
  url.searchParams.set("code", callback.code);
  url.searchParams.set("state", callback.state);
  // Pass `iss` on for issuers that send it in the callback (RFC 9207), as the browser would have.
  if (config.serverMetadata().authorization_response_iss_parameter_supported)
    url.searchParams.set("iss", config.serverMetadata().issuer);
  try {
    const checks = { pkceCodeVerifier: callback.verifier, expectedState: callback.state };
    const answer = await oidc.authorizationCodeGrant(config, url, checks);
    const email = answer.claims()?.["email"];
    return { tokens: toTokens(answer, null, now), email: typeof email === "string" ? email : null };
  } catch (error) {
    throw isRejection(error) ? new Failure("bad_input", "google_refused") : googleUnreachable();
  }
}

const isRejection = (error: unknown) =>
  error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError;

type TokenResponse = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>;

const toTokens = (response: TokenResponse, previousRefreshToken: string | null, now: number): GoogleTokens => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token ?? previousRefreshToken,
  expiresAt: now + (response.expires_in ?? 3600) * 1000,
});

/** Refreshes the access token; undefined if access was revoked. */
export async function renewTokens(
  settings: GoogleSettings,
  { refreshToken }: GoogleTokens,
  now: number,
): Promise<GoogleTokens | undefined> {
  if (refreshToken === null) return undefined;
  const config = await discoverIssuer(settings);
  try {
    return toTokens(await oidc.refreshTokenGrant(config, refreshToken), refreshToken, now);
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw googleUnreachable();
  }
}

/** Revokes access at Google. */
export async function revokeTokens(
  settings: GoogleSettings,
  { refreshToken, accessToken }: GoogleTokens,
): Promise<void> {
  const config = await discoverIssuer(settings);
  await oidc.tokenRevocation(config, refreshToken ?? accessToken);
}
