import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ServedFile } from "./site-page.ts";

const compress = promisify(gzip);

/** Smaller files would hardly shrink. */
const MIN_CHARS = 1024;

/** Each file is compressed once; the packages that all sites share are compressed once for all of them. */
const compressed = new WeakMap<ServedFile, Promise<Buffer>>();

/** The compressed file; undefined if the file is small or the browser does not accept gzip. */
export async function compressFile(file: ServedFile, { headers }: IncomingMessage): Promise<Buffer | undefined> {
  if (file.body.length < MIN_CHARS || !acceptsGzip(headers["accept-encoding"]?.toString() ?? "")) return undefined;
  let result = compressed.get(file);
  if (!result) {
    result = compress(file.body);
    compressed.set(file, result);
  }
  return result;
}

const acceptsGzip = (accepted: string): boolean =>
  accepted.split(",").some((encoding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(encoding));
