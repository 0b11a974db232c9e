import { generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

interface Callback {
  code: string;
  state: string;
  /** Apple sends this only on the first sign-in. */
  user?: string;
}

const FIXED_SECRET = "a secret of the operator's own making";

interface AppleKey {
  publicKey: KeyObject;
  issuer: string;
}

const SIX_MONTHS_S = 15_777_000;
const partOf = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;

/**
 * Why Apple would refuse a secret: it must be a token issued by the team for Apple about the client, signed with ES256
 * by the key that it names, and valid for at most six months (RFC 7523, and Apple's "Creating a client secret").
 */
function faultOfSecret(secret: string, { publicKey, issuer }: AppleKey): string | undefined {
  const [head = "", body = "", signature = ""] = secret.split(".");
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) return "the signature is not of the key that Apple knows";
  const { alg, kid } = partOf(head);
  const { iss, sub, aud, iat, exp } = partOf(body);
  if (alg !== "ES256" || kid !== "KEY") return "another algorithm, or another key";
  if (iss !== "TEAM" || sub !== "apple" || aud !== issuer) return "another team, client or issuer";
  return isOfNow(Number(iat), Number(exp)) ? undefined : "its time is over, or too long";
}

/** Both in seconds. */
function isOfNow(from: number, until: number): boolean {
  const now = Date.now() / 1000;
  return from <= now + 5 && until > now && until - from <= SIX_MONTHS_S;
}

export interface SignInIssuer {
  /** Settings that point the API here for Google and Apple. */
  env: Record<string, string>;
  /** The person who signs in. */
  person: Person;
  /** Why client secrets for Apple were refused. */
  refusedSecrets: string[];
  /** An attacker between the issuer and us, who changes the identity token. */
  forge?: (identityToken: string) => string;
  /** What the browser does at the issuer; resolves to what it returns with. */
  allow(authUrl: string): Promise<Callback>;
}

/** A local server that stops when the test ends. */
export async function listen(handle: Handle): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
const nothingYet: Handle = () => undefined;

/** A real OpenID issuer with one signed-in person, which redirects browsers to this address. */
export async function aSignInIssuer(person: Person, publicUrl = "http://lamplight.example"): Promise<SignInIssuer> {
  const state: Pick<SignInIssuer, "person" | "refusedSecrets" | "forge"> = { person, refusedSecrets: [] };
  let handle = nothingYet;
  const issuer = await listen((request, response) => handle(request, response));
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const client = (id: string, redirect: string) => ({
    client_id: id,
    client_secret: FIXED_SECRET,
    token_endpoint_auth_method: "client_secret_post",
    redirect_uris: [publicUrl + redirect],
    response_types: ["code"],
  });
  const provider = new Provider(issuer, {
    clients: [client("google", "/oauth/google/callback"), client("apple", "/oauth/apple/callback")],
    cookies: { keys: ["only for tests"] },
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], name: ["name"] },
    scopes: ["openid", "email", "profile", "name"],
    findAccount: async (ctx, id) => {
      // Apple's token contains no name: the form does.
      const { name: _, ...nameless } = state.person;
      const claims = ctx.oidc.client?.clientId === "apple" ? nameless : state.person;
      return { accountId: id, claims: async () => ({ ...claims, sub: id }) };
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (typeof body?.["id_token"] === "string" && state.forge) body["id_token"] = state.forge(body["id_token"]);
  });
  const serve = provider.callback();
  handle = (request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(provider, state.person.sub, { request, response });
    else if (request.url === "/token") void exchange(request, response);
    else void serve(request, response);
  };
  /**
   * Apple expects a signed token as client secret: it is checked here and replaced by a secret that the issuer knows.
   */
  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Object.fromEntries(new URLSearchParams(await readAll(request)));
    if (body["client_id"] === "apple") {
      const fault = faultOfSecret(body["client_secret"] ?? "", { publicKey, issuer });
      if (fault !== undefined) state.refusedSecrets.push(fault);
      Object.assign(body, { client_secret: fault === undefined ? FIXED_SECRET : "refused" });
    }
    void serve(Object.assign(request, { body }), response);
  };
  /** People who have signed in with Apple before and aren't named again. */
  const named = new Set<string>();
  const allowed = async (authUrl: string): Promise<Callback> => {
    const response = await allow(authUrl, publicUrl);
    const isApple = new URL(authUrl).searchParams.get("client_id") === "apple";
    if (!isApple || named.has(state.person.sub)) return response;
    named.add(state.person.sub);
    const [firstName = "", ...rest] = (state.person.name ?? "").split(" ");
    return {
      ...response,
      user: JSON.stringify({ name: { firstName, lastName: rest.join(" ") }, email: state.person.email }),
    };
  };
  const env = {
    PUBLIC_URL: publicUrl,
    REGISTRATION: "open",
    GOOGLE_CLIENT_ID: "google",
    GOOGLE_CLIENT_SECRET: FIXED_SECRET,
    GOOGLE_ISSUER: issuer,
    APPLE_CLIENT_ID: "apple",
    APPLE_TEAM_ID: "TEAM",
    APPLE_KEY_ID: "KEY",
    APPLE_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    APPLE_ISSUER: issuer,
  };
  return Object.assign(state, { env, allow: allowed });
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Signs the person in and grants every request. */
export async function interact(provider: Provider, accountId: string, { request, response }: Exchange): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  const grant = new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  grant.addOIDCScope(String(params["scope"]));
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true });
}

/** Follows the issuer's pages with cookies until it redirects the browser to us, by address or by form. */
export async function allow(authUrl: string, publicUrl: string): Promise<Callback> {
  const jar = new Map<string, string>();
  let url = new URL(authUrl);
  for (let hops = 0; hops < 12; hops += 1) {
    if (url.origin === publicUrl)
      return { code: url.searchParams.get("code") ?? "", state: url.searchParams.get("state") ?? "" };
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const next = answer.headers.get("location");
    if (next === null) return posted(await answer.text());
    url = new URL(next, url);
  }
  throw new Error("The issuer never sent the browser back");
}

/** The fields of the form that the issuer's page submits automatically. */
function posted(page: string): Callback {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? "";
  return { code: field("code"), state: field("state") };
}
