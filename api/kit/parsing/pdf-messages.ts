import type { Passage } from "#shared/pdf/schema.ts";

/** Why a PDF could not be read. */
export type PdfFault = "encrypted" | "corrupt" | "too_large" | "timeout" | "crashed";

export interface ReadRequest {
  type: "read";
  id: number;
  source: string | Uint8Array;
  from: number;
  to: number;
}

export type ToParser = ReadRequest | { type: "stop"; id: number };

export type FromParser =
  | { type: "opened"; id: number; pageCount: number }
  /** A sign of life while a document is surveyed. */
  | { type: "alive"; id: number }
  | { type: "page"; id: number; page: number; passages: Passage[] }
  | { type: "done"; id: number; memoryBytes: number }
  | { type: "failed"; id: number; fault: PdfFault };
