import type { DocumentKind } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** Why a document could not be read. */
export type ReadFault = "encrypted" | "corrupt" | "too_large" | "timeout" | "crashed";

/** Thrown by a reader that knows the reason for its failure. */
export class DocumentError extends Error {
  readonly fault: ReadFault;

  constructor(fault: ReadFault) {
    super(fault);
    this.fault = fault;
  }
}

export interface ReadRequest {
  type: "read";
  id: number;
  kind: Exclude<DocumentKind, "image">;
  source: string | Uint8Array;
  from: number;
  to: number;
}

/** Requests OCR of some pages of a PDF, or of one image. */
export interface RecogniseRequest {
  type: "recognise";
  id: number;
  kind: "pdf" | "image";
  source: string;
  pages: readonly number[];
  language: string;
}

export type ToParser = ReadRequest | RecogniseRequest | { type: "stop"; id: number };

export type FromParser =
  | { type: "opened"; id: number; pageCount: number }
  /** A heartbeat, for example while a document is surveyed. */
  | { type: "alive"; id: number }
  | { type: "page"; id: number; page: number; passages: Passage[] }
  | { type: "done"; id: number; memoryBytes: number }
  | { type: "failed"; id: number; fault: ReadFault };

/** What a reader receives from the parser process. */
export interface Work {
  request: ReadRequest;
  send: (message: FromParser) => void;
  isStopped: () => boolean;
}
