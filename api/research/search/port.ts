import type { Language } from "#shared/messages/language.ts";
import type { LedgerSource, SearchProblem, SearchSource } from "#shared/research/schema.ts";

/** A result of a search service. Addresses are opened only if they come from such a list. */
export interface SearchHit {
  url: string;
  title: string;
  snippet: string;
  kind: LedgerSource["kind"];
  /** The whole text or the abstract, if the service sends it. */
  text?: string;
  /** Whether `text` is only an abstract. */
  isAbstract?: boolean;
  authors?: string[];
  year?: number | null;
  container?: string | null;
  doi?: string | null;
  revision?: string | null;
  licence?: string | null;
  isRetracted?: boolean;
}

export interface ServiceRequest {
  language: Language;
  limit: number;
  signal: AbortSignal;
  /** Receives the engines behind the service that gave no answer. */
  onSilent?: (engines: readonly string[]) => void;
  /** Receives why the service stopped answering after its first results, which are returned. */
  onInterrupted?: (failure: SearchError) => void;
}

/** A search service. Both functions throw `SearchError`. */
export interface SearchAdapter {
  name: SearchSource;
  search(query: string, request: ServiceRequest): Promise<SearchHit[]>;
  /** The current text of a source that the service sent itself; undefined if the service no longer has it. */
  reread?(source: LedgerSource, request: Pick<ServiceRequest, "language" | "signal">): Promise<SearchHit | undefined>;
}

/** Why a search or the reading of a page failed. */
export class SearchError extends Error {
  readonly problem: SearchProblem;
  /** When the service may be called again, epoch ms. */
  readonly retryAt: number | undefined;

  /** The server reports that the page does not exist or was removed. */
  readonly isGone: boolean;
  /** The service answered with a web page instead of data. */
  readonly isHtml: boolean;

  constructor(
    problem: SearchProblem,
    { retryAt, isGone = false, isHtml = false }: { retryAt?: number; isGone?: boolean; isHtml?: boolean } = {},
  ) {
    super(`search failed: ${problem}`);
    this.name = "SearchError";
    this.problem = problem;
    this.retryAt = retryAt;
    this.isGone = isGone;
    this.isHtml = isHtml;
  }
}
