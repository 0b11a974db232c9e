import { fileURLToPath } from "node:url";
import { Gate } from "#api/jobs/gate.ts";
import { startConfined } from "../process/confined.ts";
import type { ThumbnailAnswer, ThumbnailRequest } from "./thumbnail-child.ts";

const CHILD = fileURLToPath(new URL("./thumbnail-child.ts", import.meta.url));
/** Kills a process that hangs; a slow one stops itself. */
const PATIENCE_MS = 60_000;
/** Two thumbnails at a time. */
const making = new Gate(2);

/**
 * Makes a small WebP of an image or of the first page of a PDF, or a JPEG for a model, in a child process; undefined if
 * that fails within its time and memory limits.
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
