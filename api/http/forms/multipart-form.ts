import type { IncomingMessage } from "node:http";
import type { UploadEndpoint } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Blobs } from "#api/blobs/port.ts";
import { parseJson } from "../json-body.ts";
import { type FormResult, receiveFormInWorker } from "./form-client.ts";
import type { ReceivedFile } from "../handler.ts";

/** Maximum size of a file, and the failure for a larger one. */
export interface FileRule {
  maxBytes: number;
  tooLarge: (sizeBytes: number) => Failure;
}

interface ReceivedForm {
  fields: Record<string, unknown>;
  files: ReceivedFile[];
}

const MAX_FIELD_BYTES = 16 * 1024 * 1024;

/**
 * Receives a multipart form: files into the blob store under temporary names, fields as values. On any error, no
 * received file is left behind.
 */
export async function receiveForm(
  request: IncomingMessage,
  row: UploadEndpoint,
  blobs: Blobs,
  rule: FileRule,
): Promise<ReceivedForm> {
  const received = await receiveFormInWorker(request, {
    contentType: request.headers["content-type"] ?? "",
    folder: blobs.incoming,
    maxFiles: row.maxFiles,
    maxFileBytes: rule.maxBytes,
    maxFieldBytes: MAX_FIELD_BYTES,
  });
  if ("fault" in received) throw toFailure(received.fault, request, { row, rule });
  const files = received.files.map(({ path, field, name, type, ...written }) =>
    Object.assign(blobs.adopt(path, written), { field, name, type }),
  );
  try {
    return { fields: parseFields(received.fields, row), files };
  } catch (error) {
    await Promise.all(files.map((file) => file.discard()));
    throw error;
  }
}

function parseFields(entries: readonly [string, string][], row: UploadEndpoint): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([name, value]) => [name, row.jsonFields?.includes(name) ? parseJson(value) : value]),
  );
}

function toFailure(
  fault: Extract<FormResult, { fault: unknown }>["fault"],
  request: IncomingMessage,
  { row, rule }: { row: UploadEndpoint; rule: FileRule },
): Failure {
  switch (fault) {
    case "not_a_form":
      return new Failure("bad_input", "not_a_form");
    case "bad_head":
      return new Failure("bad_input", "form_name_unreadable");
    case "incomplete":
      return new Failure("bad_input", "form_incomplete");
    case "field_too_large":
      return new Failure("too_large", "form_field_too_large");
    case "too_many_files":
      return new Failure("bad_input", "too_many_files", { count: row.maxFiles });
    case "file_too_large":
      // The file was not read to its end, so the form's Content-Length is the best estimate of its size.
      return rule.tooLarge(Math.max(Number(request.headers["content-length"] ?? 0), rule.maxBytes + 1));
    case "cancelled":
      return new Failure("cancelled", "upload_cancelled");
    case "disk":
      return new Failure("storage_full", "file_not_stored");
    default:
      return fault satisfies never;
  }
}
