import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "./certificate.ts";

export interface Reply {
  status?: number;
  type?: string;
  body?: string | Uint8Array;
  headers?: Record<string, string | string[]>;
}

export interface Asked {
  url: URL;
  method: string;
  cookies: string;
  body: string;
}

/** A site's answer; undefined for an unknown address. */
export type Site = (asked: Asked) => Reply | undefined;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}

async function answer(sites: Readonly<Record<string, Site>>, request: IncomingMessage, response: ServerResponse) {
  const host = request.headers.host ?? "";
  const url = new URL(request.url ?? "/", `https://${host}`);
  const { method = "GET" } = request;
  const asked = { url, method, cookies: request.headers.cookie ?? "", body: await bodyOf(request) };
  const {
    status = 200,
    type = "text/html; charset=utf-8",
    body = "",
    headers = {},
  } = sites[host]?.(asked) ?? {
    status: 404,
  };
  response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

/** Sites with their own names over TLS, for a browser with host rules. */
export async function serveSites(sites: Readonly<Record<string, Site>>) {
  const names = Object.keys(sites);
  const server = createServer(selfSigned(names), (request, response) => void answer(sites, request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const rules = names.map((name) => `MAP ${name}:443 127.0.0.1:${port}`).join(", ");
  return {
    args: [`--host-resolver-rules=${rules}`, "--ignore-certificate-errors"],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
