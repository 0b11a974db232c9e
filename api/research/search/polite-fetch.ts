import { setTimeout as pause } from "node:timers/promises";
import { parseRetryAfterMs } from "#shared/retry-after.ts";
import type { Clock } from "#api/clock.ts";
import { Semaphore } from "#api/semaphore.ts";
import { type FetchOutside, OutsideFetchError, type OutsideResponse } from "#api/outside/fetch-outside.ts";
import { SearchError } from "./port.ts";

/** Wikimedia and others allow anonymous clients three connections at once. */
const MAX_PER_HOST = 3;
/** A longer wait is not worth it within a run. */
const MAX_WAIT_MS = 3_000;
const DEFAULT_RETRY_MS = 60_000;

/**
 * Statuses that refuse access: a wrong key, also as 422 (Brave), or a used-up plan as 402 (Exa), 432 and 433 (Tavily).
 */
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 422, 432, 433]);
const GONE: ReadonlySet<number> = new Set([404, 410]);

interface PoliteOptions {
  fetch: FetchOutside;
  clock: Clock;
  /** Identifies the installation and names a contact. */
  userAgent: string;
  /** Time between two requests to a host, ms. */
  minIntervalMs?: Readonly<Record<string, number>>;
}

interface PoliteRequest {
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  maxBytes?: number;
}

const problems = {
  bad_address: "refused",
  unreachable: "unreachable",
  redirects: "unreachable",
  too_large: "too_large",
  timeout: "slow",
  aborted: "stopped",
} as const;

/** Fetches as a guest: few requests at once per host, an identifying User-Agent, and no request before Retry-After. */
export class PoliteFetch {
  readonly #options: PoliteOptions;
  readonly #semaphores = new Map<string, Semaphore>();
  /** Epoch ms by host. */
  readonly #retryAt = new Map<string, number>();
  readonly #nextAt = new Map<string, number>();

  constructor(options: PoliteOptions) {
    this.#options = options;
  }

  /** Throws `SearchError` unless the answer is a success. */
  async get(url: string, request: PoliteRequest): Promise<{ response: OutsideResponse; bytes: Uint8Array }> {
    const host = URL.parse(url)?.host ?? "";
    const semaphore = this.#semaphores.get(host) ?? new Semaphore(MAX_PER_HOST);
    this.#semaphores.set(host, semaphore);
    await this.#waitForHost(host, request.signal);
    try {
      return await semaphore.run(() => {
        // The host may have asked to wait while this request was queued.
        this.#refusePaused(host);
        return this.#fetch(url, host, request);
      }, request.signal);
    } catch (error) {
      if (error instanceof OutsideFetchError) throw new SearchError(problems[error.reason]);
      if (request.signal.aborted) throw new SearchError("stopped");
      throw error;
    }
  }

  async json(url: string, request: PoliteRequest): Promise<unknown> {
    const { response, bytes } = await this.get(url, request);
    if (response.type.includes("html")) throw new SearchError("not_json", { isHtml: true });
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    } catch {
      throw new SearchError("not_json");
    }
  }

  /**
   * Records the wait of a service that asks for it in the text of a successful response; returns the failure to throw.
   */
  limit(url: string): SearchError {
    return this.#limitHost(URL.parse(url)?.host ?? "", undefined);
  }

  #limitHost(host: string, retryAfter: string | undefined): SearchError {
    const now = this.#options.clock.now();
    const retryAt = now + (parseRetryAfterMs(retryAfter, now) ?? DEFAULT_RETRY_MS);
    this.#retryAt.set(host, retryAt);
    return new SearchError("limited", { retryAt });
  }

  #refusePaused(host: string): void {
    const retryAt = this.#retryAt.get(host) ?? 0;
    if (retryAt > this.#options.clock.now()) throw new SearchError("limited", { retryAt });
  }

  async #waitForHost(host: string, signal: AbortSignal): Promise<void> {
    this.#refusePaused(host);
    const now = this.#options.clock.now();
    const intervalMs = this.#options.minIntervalMs?.[host] ?? 0;
    if (intervalMs === 0) return;
    const startAt = Math.max(now, this.#nextAt.get(host) ?? 0);
    if (startAt - now > MAX_WAIT_MS * 2) throw new SearchError("limited", { retryAt: startAt });
    this.#nextAt.set(host, startAt + intervalMs);
    if (startAt > now) await pause(startAt - now, undefined, { signal }).catch(() => undefined);
  }

  async #fetch(url: string, host: string, { signal, headers, body, maxBytes }: PoliteRequest) {
    const response = await this.#options.fetch(url, {
      signal,
      headers: { "user-agent": this.#options.userAgent, ...headers },
      ...(body === undefined ? {} : { method: "POST" as const, body }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
    if (response.status === 429 || (response.status === 503 && response.header("retry-after") !== undefined))
      throw this.#limitHost(host, response.header("retry-after"));
    if (REFUSALS.has(response.status)) throw new SearchError("refused");
    if (response.status < 200 || response.status > 299)
      throw new SearchError("unreachable", { isGone: GONE.has(response.status) });
    return { response, bytes: await response.bytes() };
  }
}
