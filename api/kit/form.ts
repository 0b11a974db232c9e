import type { IncomingMessage } from "node:http";
import busboy from "busboy";
import type { UploadEndpoint } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import { BlobTooLarge, type Blobs } from "./blobs/port.ts";
import { parseJson } from "./body.ts";
import type { ReceivedFile } from "./handler.ts";

/** How large one file may be, and what is said of one that is larger. */
export interface FileRule {
  maxBytes: number;
  tooLarge: (sizeBytes: number) => Failure;
}

interface ReceivedForm {
  fields: Record<string, unknown>;
  files: ReceivedFile[];
}

const FIELD_BYTES = 16 * 1024 * 1024;

/**
 * Receives a multipart form: files to the blob store under temporary names, fields as values. Whatever goes wrong on
 * the way, no received file is left behind.
 */
export async function receiveForm(
  request: IncomingMessage,
  row: UploadEndpoint,
  blobs: Blobs,
  rule: FileRule,
): Promise<ReceivedForm> {
  const parser = openParser(request, row);
  const fields: Record<string, unknown> = {};
  const pending: Promise<ReceivedFile>[] = [];
  const fail = (failure: Failure) => parser.destroy(failure);

  parser.on("field", (name, value, info) => {
    if (info.valueTruncated) return fail(new Failure("too_large", "A field of the form is too large."));
    try {
      fields[name] = row.jsonFields?.includes(name) ? parseJson(value) : value;
    } catch (error) {
      fail(error as Failure);
    }
    return undefined;
  });
  parser.on("file", (field, source, info) => {
    const received = blobs
      .receive(source, rule.maxBytes)
      .then((blob): ReceivedFile => Object.assign(blob, { field, name: info.filename ?? "", type: info.mimeType }));
    received.catch((error: unknown) => {
      source.resume();
      fail(asFailure(error, request, rule));
    });
    pending.push(received);
  });
  parser.on("filesLimit", () => fail(new Failure("bad_input", `Please send at most ${row.maxFiles} files at once.`)));

  try {
    await finished(request, parser);
    return { fields, files: await Promise.all(pending) };
  } catch (error) {
    await discardAll(pending);
    throw error;
  }
}

function openParser(request: IncomingMessage, row: UploadEndpoint): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: "utf8",
      limits: { files: row.maxFiles, fields: 40, fieldSize: FIELD_BYTES, parts: row.maxFiles + 40 },
    });
  } catch {
    throw new Failure("bad_input", "Please send a multipart form.");
  }
}

function finished(request: IncomingMessage, parser: busboy.Busboy): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      request.unpipe(parser);
      // The rest is read and dropped, so that the answer reaches a client that is still sending.
      request.resume();
      reject(error instanceof Failure ? error : new Failure("bad_input", "The form is not complete."));
    };
    parser.once("error", stop);
    parser.once("close", resolve);
    request.once("aborted", () => stop(new Failure("cancelled", "The upload was cancelled.")));
    request.once("error", stop);
    request.pipe(parser);
  });
}

function asFailure(error: unknown, request: IncomingMessage, rule: FileRule): Failure {
  if (error instanceof Failure) return error;
  // The file was not read to its end: what the whole form announces is as near as can be told.
  const announced = Number(request.headers["content-length"] ?? 0);
  if (error instanceof BlobTooLarge) return rule.tooLarge(Math.max(announced, rule.maxBytes + 1));
  return new Failure("storage_full", "The file could not be stored. Please try again later.");
}

async function discardAll(pending: readonly Promise<ReceivedFile>[]): Promise<void> {
  const settled = await Promise.allSettled(pending);
  const received = settled.filter((each) => each.status === "fulfilled");
  await Promise.all(received.map((each) => each.value.discard()));
}
