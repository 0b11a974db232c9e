import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Deps } from "#api/http/handler.ts";
import type { RateLimits } from "#api/http/rate-limits.ts";
import { CLOSE_IDLE, OpenSocket } from "./open-socket.ts";

const PATH = "/v1/website/ws";
const PROTOCOL = "lamplight.v1";
const TOKEN_PREFIX = "bearer.";
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_SOCKETS_PER_ACCOUNT = 5;

/**
 * Whether a request comes from a page of the app. A page of another site could open a socket too, and is refused even
 * before its token is read.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The token is sent as a second subprotocol, so that no URL and no log contains it. */
const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  headers["sec-websocket-protocol"]
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name.startsWith(TOKEN_PREFIX))
    ?.slice(TOKEN_PREFIX.length);

interface SocketRules {
  limits: RateLimits;
  /** The client's address, found by the same rule as for every other request. */
  findAddress: (request: IncomingMessage) => string;
}

/** Accepts the sockets of the website agent on the API's server. */
export function attachWebsiteSockets(server: Server, deps: Deps, { limits, findAddress }: SocketRules): void {
  const sockets = new Set<OpenSocket>();
  const handshake = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    // The answer must never contain the token.
    handleProtocols: (names) => (names.has(PROTOCOL) ? PROTOCOL : false),
  });
  const admit = (client: WebSocket, request: IncomingMessage, url: URL) => {
    const named = {
      token: tokenOf(request),
      projectId: url.searchParams.get("projectId") ?? "",
      threadId: url.searchParams.get("threadId") ?? "",
    };
    const open = new OpenSocket(deps, client, named, (from) => {
      for (const other of sockets) other.followMessageOf(from);
    });
    sockets.add(open);
    client.once("close", () => sockets.delete(open));
    void open.open().then(() => closeSurplus(sockets, open.accountId));
  };
  const answer = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until the handshake, nothing else handles an error of the connection, and an unhandled error would end the
    // process.
    const onError = () => socket.destroy();
    socket.on("error", onError);
    const url = URL.parse(request.url ?? "/", "http://server");
    if (url?.pathname !== PATH) return refuse(socket, "404 Not Found");
    if (!isOwnOrigin(request, deps.settings.PUBLIC_URL)) return refuse(socket, "403 Forbidden");
    try {
      // Limit handshakes, because anyone can request one, and each of them looks up a session.
      await limits.consume("anonymous", findAddress(request));
    } catch {
      return refuse(socket, "429 Too Many Requests");
    }
    socket.off("error", onError);
    return handshake.handleUpgrade(request, socket, head, (client) => admit(client, request, url));
  };
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => void answer(request, socket, head));
  deps.previews.onClose(() => {
    for (const open of sockets) open.terminate();
  });
}

/** Closes the oldest sockets of an account if it has too many. */
function closeSurplus(sockets: ReadonlySet<OpenSocket>, accountId: string | undefined): void {
  if (accountId === undefined) return;
  const own = [...sockets].filter((socket) => socket.accountId === accountId);
  for (const socket of own.slice(0, Math.max(0, own.length - MAX_SOCKETS_PER_ACCOUNT))) socket.close(CLOSE_IDLE);
}
