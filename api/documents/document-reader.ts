import type { Passage } from "#shared/pdf/schema.ts";
import { withParser, withImageParser } from "./process/parser-pool.ts";
import type { ReadFault, ReadRequest } from "./process/parser-messages.ts";

/** A document that cannot be read; `fault` is the reason. */
export class DocumentUnreadableError extends Error {
  readonly fault: ReadFault;

  constructor(fault: ReadFault) {
    super(`Document unreadable: ${fault}`);
    this.name = "DocumentUnreadableError";
    this.fault = fault;
  }
}

interface ReadOptions {
  /** First and last page, 1-based; all pages by default. */
  pages?: readonly [from: number, to: number];
  signal?: AbortSignal;
}

export interface ReadPage {
  page: number;
  pageCount: number;
  passages: Passage[];
}

let lastRequestId = 0;

/**
 * Reads a document (path or bytes) in a child process and yields its pages in order. The range does not affect how a
 * page is read. Throws `DocumentUnreadableError`.
 */
export async function* readDocument(
  kind: ReadRequest["kind"],
  source: string | Uint8Array,
  options: ReadOptions = {},
): AsyncGenerator<ReadPage> {
  const { pages = [1, Number.MAX_SAFE_INTEGER], signal } = options;
  signal?.throwIfAborted();
  const request = { type: "read" as const, id: ++lastRequestId, kind, source, from: pages[0], to: pages[1] };
  let pageCount = 0;
  for await (const message of withParser((parser) => parser.request(request, signal))) {
    if (message.type === "opened") pageCount = message.pageCount;
    if (message.type === "page") yield { page: message.page, pageCount, passages: message.passages };
    if (message.type === "failed") {
      signal?.throwIfAborted();
      throw new DocumentUnreadableError(message.fault);
    }
  }
}

interface RecogniseOptions {
  /** An installed OCR language; see `listInstalledLanguages`. */
  language: string;
  signal?: AbortSignal;
}

/**
 * Runs OCR on pages of a PDF, or on an image (as page 1), in a child process, and yields the pages as they are
 * recognised. Positions are in PDF points or image pixels. Throws `DocumentUnreadableError`.
 */
export async function* recognisePages(
  kind: "pdf" | "image",
  source: string,
  pages: readonly number[],
  { language, signal }: RecogniseOptions,
): AsyncGenerator<Pick<ReadPage, "page" | "passages">> {
  signal?.throwIfAborted();
  const request = { type: "recognise" as const, id: ++lastRequestId, kind, source, pages, language };
  for await (const message of withImageParser((parser) => parser.request(request, signal), signal)) {
    if (message.type === "page") yield { page: message.page, passages: message.passages };
    if (message.type === "failed") {
      signal?.throwIfAborted();
      throw new DocumentUnreadableError(message.fault);
    }
  }
}
