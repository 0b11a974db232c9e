import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RateClass } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { compressFile } from "./compress-file.ts";
import { siteHeaders, wrapperHeaders } from "./site-headers.ts";
import { type ServedFiles, wrapperPage } from "./site-page.ts";

/** Counts a request for its address; rejects with `too_many_requests`. */
export type CountRequest = (rate: RateClass, request: IncomingMessage) => Promise<void>;

/**
 * Finds a site by its secret name; undefined if no site has this name. A finder that has to build the site first calls
 * `beforeBuild`, which rejects if the caller has requested too many builds.
 */
export type FindSite = (name: string, beforeBuild: () => Promise<void>) => Promise<ServedFiles | undefined>;

/** The second HTTP listener: serves generated sites only, each under a secret name. */
export class Sites {
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  readonly #configuredUrl: string | undefined;
  readonly #finders: FindSite[] = [];
  #countRequest: CountRequest = () => Promise.reject(new Error("requests are not limited yet"));
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

  /** Adds a finder; the first finder that knows a name serves its site. */
  addFinder(find: FindSite): void {
    this.#finders.push(find);
  }

  /** Sets the limits of requests, which are shared with the API. Until then, no site is served. */
  limitRequests(count: CountRequest): void {
    this.#countRequest = count;
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
    } catch (error) {
      if (!response.headersSent) {
        const { status, retryAfter } = describeRefusal(error);
        response.writeHead(status, { ...siteHeaders(this.#frameOf("")), ...retryAfter });
      }
      response.end();
    }
  }

  /**
   * Counts a request for a site that is not built yet as a build, and a request for a name without a site as a guess.
   */
  async #findCounted(request: IncomingMessage, name: string): Promise<ServedFiles | undefined> {
    const site = name && (await this.#find(name, () => this.#countRequest("generation", request)));
    if (site) return site;
    await this.#countRequest("anonymous", request);
    return undefined;
  }

  #frameOf(name: string) {
    return { base: `${this.origin}/${name}`, appOrigins: this.appOrigins, sitesOrigin: this.origin };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#countRequest("web", request);
    const { name, file, query } = readAddress(request.url ?? "/");
    const headers = siteHeaders(this.#frameOf(name));
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, headers).end();
      return;
    }
    const found = (await this.#findCounted(request, name))?.get(file);
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

  async #find(name: string, beforeBuild: () => Promise<void>): Promise<ServedFiles | undefined> {
    for (const find of this.#finders) {
      const site = await find(name, beforeBuild);
      if (site) return site;
    }
    return undefined;
  }
}

/** The name of a site and a file of it. The name is empty for a URL of another form. */
function readAddress(url: string): { name: string; file: string; query: string } {
  const [path = "", query = ""] = url.split("?");
  const [, name = "", file = ""] = /^\/([\w-]{20,64})\/([\w./-]*)$/.exec(path) ?? [];
  return { name, file, query };
}

function describeRefusal(error: unknown): { status: number; retryAfter?: { "retry-after": string } } {
  if (!(error instanceof Failure)) return { status: 500 };
  const seconds = error.data?.["retryAfterSeconds"];
  return {
    status: error.status,
    ...(typeof seconds === "number" && { retryAfter: { "retry-after": String(seconds) } }),
  };
}

/**
 * Browsers send the destination of a request (`Sec-Fetch-Dest`) to https and localhost only; for other hosts the query
 * states it.
 */
function isOpenedAsTab(request: IncomingMessage, query: string): boolean {
  const destination = request.headers["sec-fetch-dest"];
  if (destination === undefined) return query !== "frame";
  return destination === "document";
}
