import type { Language } from "#shared/messages/language.ts";
import type { LedgerSource, SearchProblem, SearchSource } from "#shared/research/schema.ts";

/** A result of a search service. Addresses are opened only if they come from such a list. */
export interface SearchHit {
  url: string;
  title: string;
  snippet: string;
  kind: LedgerSource["kind"];
  /** The whole text, or the abstract, where the service sends it. */
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
  onInterrupted?: (failure: SearchFailed) => void;
}

/** A search service. Both functions throw `SearchFailed`. */
export interface SearchAdapter {
  name: SearchSource;
  search(query: string, request: ServiceRequest): Promise<SearchHit[]>;
  /** The current text of a source that the service sent itself; undefined if it has it no more. */
  reread?(source: LedgerSource, request: Pick<ServiceRequest, "language" | "signal">): Promise<SearchHit | undefined>;
}

/** Why a service or a page gave nothing. */
export class SearchFailed extends Error {
  readonly problem: SearchProblem;
  /** When it may be asked again, epoch ms. */
  readonly retryAt: number | undefined;

  /** The server says that there is no such page any more. */
  readonly isGone: boolean;
  /** A web page came instead of data. */
  readonly isHtml: boolean;

  constructor(
    problem: SearchProblem,
    { retryAt, isGone = false, isHtml = false }: { retryAt?: number; isGone?: boolean; isHtml?: boolean } = {},
  ) {
    super(`search failed: ${problem}`);
    this.name = "SearchFailed";
    this.problem = problem;
    this.retryAt = retryAt;
    this.isGone = isGone;
    this.isHtml = isHtml;
  }
}
