import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import { answerCalendar, type CalendarState } from "./google-calendar.ts";
import { allow, interact, listen } from "./issuer.ts";

export interface IssuedFile {
  id: string;
  name: string;
  mimeType: string;
  bytes: Uint8Array;
}

export interface Google {
  /** Settings that point the API to this issuer and this Drive. */
  env: Record<string, string>;
  files: IssuedFile[];
  /** Requested ranges in order. */
  ranges: string[];
  /** Whether the Drive still accepts the issuer's tokens. */
  isOpen: boolean;
  /** The student's Google Calendar. */
  calendar: CalendarState;
  /** What the student's browser does at the issuer; resolves to what it returns with. */
  allow(authUrl: string): Promise<{ code: string; state: string }>;
  /** Who allows access from now on. */
  account: string;
  /** How often access was revoked by the product. */
  revocations: number;
  /** The student revokes access at the issuer. */
  revoke(): void;
}

const NOWHERE = "http://lamplight.example";
const CLIENT = { id: "lamplight", secret: "a secret of the operator's own making" };

/** An OpenID issuer and a Drive that behave like Google's. */
export async function aGoogle(files: IssuedFile[] = [], publicUrl = NOWHERE): Promise<Google> {
  const calendar: CalendarState = {
    calendars: new Map(),
    busy: [],
    isOpen: true,
    tokens: new Set(),
    expiredTokens: new Set(),
  };
  const state = {
    files,
    ranges: [] as string[],
    isOpen: true,
    isRevoked: false,
    calendar,
    account: "ada",
    revocations: 0,
  };
  const issuer = await anIssuer(publicUrl, state);
  const drive = await listen((request, response) =>
    request.url?.startsWith("/calendar/")
      ? void answerCalendar(calendar, { request, response })
      : answerDrive(state, request, response),
  );
  const env = {
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: issuer,
    GOOGLE_API_BASE: drive,
    FETCH_ALLOW_HOSTS: new URL(drive).host,
    PUBLIC_URL: publicUrl,
    REGISTRATION: "open",
  };
  return Object.assign(state, {
    env,
    allow: (authUrl: string) => allow(authUrl, publicUrl),
    revoke: () => {
      Object.assign(state, { isRevoked: true, isOpen: false });
      calendar.isOpen = false;
    },
  });
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const nothingYet: Answer = () => undefined;

interface IssuerState {
  isRevoked: boolean;
  account: string;
  revocations: number;
}

async function anIssuer(publicUrl: string, state: IssuerState): Promise<string> {
  let answer = nothingYet;
  const issuer = await listen((request, response) => answer(request, response));
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/oauth/google/callback`],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    cookies: { keys: ["only for tests"] },
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    issueRefreshToken: async () => true,
    findAccount: async (_ctx, id) =>
      state.isRevoked ? undefined : { accountId: id, claims: async () => ({ sub: id, email: `${id}@gmail.example` }) },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  });
  const handle = provider.callback();
  answer = (request, response) => {
    if (request.url?.startsWith("/token/revocation")) state.revocations += 1;
    if (request.url?.startsWith("/interaction/")) void interact(provider, state.account, { request, response });
    else void handle(request, response);
  };
  return issuer;
}

type DriveState = Pick<Google, "files" | "ranges" | "isOpen">;

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Google's own documents have no size. */
function described({ id, name, mimeType, bytes }: IssuedFile) {
  const size = mimeType.startsWith("application/vnd.google-apps") ? {} : { size: String(bytes.length) };
  return { id, name, mimeType, modifiedTime: "2026-09-01T10:00:00Z", ...size };
}

function answerDrive(drive: DriveState, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", "http://drive");
  if (!drive.isOpen || !request.headers.authorization?.startsWith("Bearer ")) send(response, 401, { error: {} });
  else if (url.pathname === "/drive/v3/files") answerList(drive, url, response);
  else answerOne(drive, url, { request, response });
}

function answerList({ files }: DriveState, url: URL, response: ServerResponse): void {
  const quoted = /name contains '((?:[^'\\]|\\.)*)'/.exec(url.searchParams.get("q") ?? "")?.[1];
  const words = quoted?.replaceAll("\\", "");
  const found = files.filter(({ name }) => words === undefined || name.includes(words));
  send(response, 200, { files: found.map(described) });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function answerOne(drive: DriveState, url: URL, { request, response }: Exchange): void {
  const [, id = "", rest] = /^\/drive\/v3\/files\/([^/]+)(\/export)?$/.exec(url.pathname) ?? [];
  const file = drive.files.find((each) => each.id === decodeURIComponent(id));
  if (!file) return send(response, 404, { error: {} });
  if (rest === undefined && url.searchParams.get("alt") !== "media") return send(response, 200, described(file));
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  if (range) drive.ranges.push(range[0]);
  const part = range ? file.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : file.bytes;
  response.writeHead(range ? 206 : 200, { "content-type": file.mimeType }).end(part);
  return undefined;
}
