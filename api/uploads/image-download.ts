import { Readable } from "node:stream";
import type { FileAnswer, UserCtx } from "#api/http/handler.ts";
import { toUserFailure } from "#api/outside/fetch-outside.ts";
import { Failure } from "#shared/contract/failure.ts";
import { cleanFileName, classifyFile } from "#shared/uploads/rules.ts";

/** Downloads an image or another file of an allowed type. The content decides the type, not the name. */
export async function downloadImage({ fetchOutside, signal }: UserCtx, url: string): Promise<FileAnswer> {
  const {
    bytes,
    claimed,
    url: finalUrl,
  } = await fetchWhole(() => fetchOutside(url, { signal, headers: { accept: "*/*" } }));
  if (bytes.length === 0) throw new Failure("invalid_file", "no_data");
  const name = fileNameFromUrl(finalUrl);
  const verdict = classifyFile({ name, type: claimed, sizeBytes: bytes.length, head: bytes.subarray(0, HEAD_BYTES) });
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
  return {
    type: verdict.type.mime,
    sizeBytes: bytes.length,
    open: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
    disposition: { kind: "attachment", name: cleanFileName(name, verdict.type) },
    cacheControl: "no-store",
  };
}

const HEAD_BYTES = 4100;

async function fetchWhole(fetchFile: () => ReturnType<UserCtx["fetchOutside"]>) {
  try {
    const found = await fetchFile();
    if (found.status < 200 || found.status >= 300)
      throw new Failure("bad_input", "url_status", { status: found.status });
    return { bytes: await found.bytes(), claimed: found.type, url: found.url };
  } catch (error) {
    throw toUserFailure(error);
  }
}

function fileNameFromUrl(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
