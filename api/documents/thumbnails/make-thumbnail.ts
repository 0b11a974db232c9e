import { fileURLToPath } from "node:url";
import { Gate } from "#api/jobs/gate.ts";
import { startConfined } from "../process/confined.ts";
import type { ThumbnailAnswer, ThumbnailRequest } from "./thumbnail-child.ts";

const CHILD = fileURLToPath(new URL("./thumbnail-child.ts", import.meta.url));
/** One that works for too long ends by itself; this is for one that hangs. */
const PATIENCE_MS = 60_000;
/** So many are made at once. */
const making = new Gate(2);

/**
 * A small WebP of a picture or of the first page of a PDF, or a JPEG for a model to look at, made in a process of its own; undefined where none can be
 * made of it, in time and within the memory that it may take.
 */
export async function makeThumbnail(request: ThumbnailRequest): Promise<Uint8Array | undefined> {
  return making.through(() => askChild(request));
}

async function askChild(request: ThumbnailRequest): Promise<Uint8Array | undefined> {
  const child = startConfined(CHILD, { heapMb: 512, usesNativeCode: true });
  return new Promise((resolve) => {
    const end = (image: Uint8Array | undefined) => {
      clearTimeout(late);
      child.kill("SIGKILL");
      resolve(image);
    };
    const late = setTimeout(() => end(undefined), PATIENCE_MS);
    child.on("message", (answer) => end((answer as ThumbnailAnswer).image ?? undefined));
    child.on("error", () => end(undefined));
    child.on("exit", () => end(undefined));
    child.send(request, (error) => error && end(undefined));
  });
}
