import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { compressFile } from "./compress-file.ts";
import { siteHeaders, wrapperHeaders } from "./site-headers.ts";
import { type ServedFiles, wrapperPage } from "./site-page.ts";

/** How a site is found by its secret name; undefined if there is none. */
export type FindSite = (name: string) => Promise<ServedFiles | undefined>;

/** The second HTTP listener: serves generated sites only, each under a secret name. */
export class Sites {
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  readonly #configuredUrl: string | undefined;
  readonly #finders: FindSite[] = [];
  #port = 0;
  #host = "localhost";
  /** Origins of the app, which may frame a site. */
  appOrigins: readonly string[] = [];

  constructor(configuredUrl: string | undefined) {
    this.#configuredUrl = configuredUrl?.replace(/\/$/, "");
  }

  /** The origin under which browsers reach the listener. */
  get origin(): string {
    return this.#configuredUrl ?? `http://${this.#host}:${this.#port}`;
  }

  /** Adds a source of sites; the first that knows a name serves it. */
  addFinder(find: FindSite): void {
    this.#finders.push(find);
  }

  addressOf(name: string): string {
    return `${this.origin}/${name}/`;
  }

  /** Starts to listen. `publicHost` is the host in the addresses of sites if no URL is configured. */
  async listen({ port, host, publicHost }: { port: number; host: string; publicHost: string }): Promise<void> {
    this.#host = publicHost;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#serve(request, response);
    } catch {
      if (!response.headersSent) response.writeHead(500, siteHeaders(this.#frameOf("")));
      response.end();
    }
  }

  #frameOf(name: string) {
    return { base: `${this.origin}/${name}`, appOrigins: this.appOrigins, sitesOrigin: this.origin };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { name, file, query } = readAddress(request.url ?? "/");
    const headers = siteHeaders(this.#frameOf(name));
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, headers).end();
      return;
    }
    const found = name === "" ? undefined : (await this.#find(name))?.get(file);
    if (!found) {
      response.writeHead(404, headers).end();
      return;
    }
    if (file === "" && isOpenedAsTab(request, query)) {
      const type = { "content-type": "text/html; charset=utf-8" };
      response.writeHead(200, { ...wrapperHeaders(this.origin), ...type }).end(wrapperPage(`/${name}/?frame`));
      return;
    }
    const typed = { ...headers, "content-type": found.type };
    const packed = await compressFile(found, request);
    if (packed) response.writeHead(200, { ...typed, "content-encoding": "gzip" }).end(packed);
    else response.writeHead(200, typed).end(found.body);
  }

  async #find(name: string): Promise<ServedFiles | undefined> {
    for (const find of this.#finders) {
      const site = await find(name);
      if (site) return site;
    }
    return undefined;
  }
}

/** The name of a site and a file of it; an address of another form has no name. */
function readAddress(url: string): { name: string; file: string; query: string } {
  const [path = "", query = ""] = url.split("?");
  const [, name = "", file = ""] = /^\/([\w-]{20,64})\/([\w./-]*)$/.exec(path) ?? [];
  return { name, file, query };
}

/** Browsers send the destination of a request (`Sec-Fetch-Dest`) to https and localhost only; otherwise the query has it. */
function isOpenedAsTab(request: IncomingMessage, query: string): boolean {
  const destination = request.headers["sec-fetch-dest"];
  if (destination === undefined) return query !== "frame";
  return destination === "document";
}
