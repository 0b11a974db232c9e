import type { FoundReference } from "#shared/marketing/contract.ts";
import type { LookupKind } from "#shared/marketing/references.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Ctx } from "#api/http/handler.ts";
import { createFetchOutside, type FetchOutside, OutsideFetchError } from "#api/outside/fetch-outside.ts";
import { Semaphore } from "#api/semaphore.ts";
import type { Settings } from "#api/settings.ts";
import { toCrossrefReference } from "./crossref.ts";
import { toBookReference } from "./open-library.ts";
import { toPageReference } from "./page-metadata.ts";

type LookupCtx = Pick<Ctx, "settings" | "signal">;

const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
/** Lookups at the same time, for all visitors of this process. */
const MAX_AT_ONCE = 4;
const slots = new Semaphore(MAX_AT_ONCE);
const GONE: ReadonlySet<number> = new Set([404, 410]);

const notFound = () => new Failure("not_found", "reference_not_found");

/** In a private network, visitors reach only these services, because `FETCH_ALLOW_HOSTS` is for students. */
const serviceFetches = new WeakMap<Settings, FetchOutside>();

function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

function fetchService(settings: Settings): FetchOutside {
  const allowedHosts = [hostOf(settings.CROSSREF_URL), hostOf(settings.OPENLIBRARY_URL)];
  const fetch = serviceFetches.get(settings) ?? createFetchOutside({ allowedHosts });
  serviceFetches.set(settings, fetch);
  return fetch;
}

/** Looks a source up. Rejects with `not_found` or `unreachable`. */
export async function lookUp(
  ctx: LookupCtx,
  { kind, value }: { kind: LookupKind; value: string },
): Promise<FoundReference> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const found = await slots
    .run(() => lookups[kind]({ ...ctx, signal }, value), signal)
    .catch((error: unknown) => {
      if (error instanceof OutsideFetchError || signal.aborted)
        throw new Failure("unreachable", "reference_unreachable");
      throw error;
    });
  if (!found) throw notFound();
  return found;
}

type Lookup = (ctx: LookupCtx, value: string) => Promise<FoundReference | undefined>;

const joinUrl = (base: string, path: string) => `${base.replace(/\/$/, "")}${path}`;

const lookups: Readonly<Record<LookupKind, Lookup>> = {
  doi: async ({ settings, signal }, doi) =>
    toCrossrefReference(
      await readJson(
        fetchService(settings),
        joinUrl(settings.CROSSREF_URL, `/works/${encodeURIComponent(doi)}`),
        signal,
      ),
    ),
  isbn: async ({ settings, signal }, isbn) => {
    const path = `/api/books?${new URLSearchParams({ bibkeys: `ISBN:${isbn}`, format: "json", jscmd: "data" }).toString()}`;
    return toBookReference(
      await readJson(fetchService(settings), joinUrl(settings.OPENLIBRARY_URL, path), signal),
      isbn,
    );
  },
  url: async ({ settings, signal }, url) => {
    const { response, bytes } = await read(fetchService(settings), url, signal);
    if (!response.type.includes("html")) throw notFound();
    return toPageReference(bytes, { url: response.url, contentType: response.header("content-type") ?? "" });
  },
};

const HEADERS = { "user-agent": "Lamplight citation generator", accept: "application/json, text/html;q=0.9" };

async function read(fetch: FetchOutside, url: string, signal: AbortSignal) {
  const response = await fetch(url, { signal, maxBytes: MAX_BYTES, headers: HEADERS });
  if (GONE.has(response.status)) throw notFound();
  if (response.status !== 200) throw new Failure("unreachable", "reference_unreachable");
  return { response, bytes: await response.bytes() };
}

async function readJson(fetch: FetchOutside, url: string, signal: AbortSignal): Promise<unknown> {
  const { bytes } = await read(fetch, url, signal);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new Failure("unreachable", "reference_unreachable");
  }
}
