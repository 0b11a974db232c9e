import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";
import type { admin } from "#shared/admin/contract.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { FileAnswer, Handlers } from "#api/http/handler.ts";
import { registry } from "#api/http/metrics.ts";
import { buildOpenApi } from "#api/http/openapi.ts";
import { renderDocsPage } from "./docs-page.ts";
import { isOperator } from "./operator.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
/** Below this much free space large uploads may fail, so the details of the health check report a problem. */
const LOW_DISK_BYTES = 200 * 1024 * 1024;

export const handlers: Handlers<typeof admin> = {
  async getHealth(ctx) {
    const { store, blobs } = ctx;
    const [storeState, blobState] = await Promise.all([
      readStatus(store.checkHealth()),
      readStatus(blobs.checkHealth()),
    ]);
    const freeBytes = (await blobs.freeBytes().catch(() => undefined)) ?? -1;
    const disk = { status: freeBytes >= 0 && freeBytes < LOW_DISK_BYTES ? "failing" : "ok", freeBytes } as const;
    const status = storeState === "ok" && blobState === "ok" ? "ok" : "failing";
    return isOperator(ctx) ? { status, version, store: storeState, blobs: blobState, disk } : { status };
  },

  async getMetrics(ctx) {
    if (!isOperator(ctx)) throw new Failure("not_found", "nothing_here");
    return toFileAnswer(registry.contentType, await registry.metrics());
  },

  async getOpenApi() {
    return toFileAnswer("application/json; charset=utf-8", JSON.stringify(buildOpenApi(v1, version)));
  },

  async getDocs() {
    return toFileAnswer("text/html; charset=utf-8", renderDocsPage(v1, version));
  },
};

async function readStatus(check: Promise<void>): Promise<"ok" | "failing"> {
  return check.then(
    () => "ok" as const,
    () => "failing" as const,
  );
}

function toFileAnswer(type: string, text: string): FileAnswer {
  const bytes = Buffer.from(text);
  const open = (range?: { start: number; end: number }) =>
    Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false });
  return { type, sizeBytes: bytes.length, open, cacheControl: "no-cache" };
}
