import { fileURLToPath } from "node:url";
import { Semaphore } from "#api/semaphore.ts";
import { startSandboxed } from "../process/sandboxed-process.ts";
import type { ThumbnailAnswer, ThumbnailRequest } from "./thumbnail-child.ts";

const CHILD = fileURLToPath(new URL("./thumbnail-child.ts", import.meta.url));
/** Kills a process that hangs; a slow one stops itself. */
const TIMEOUT_MS = 60_000;
const semaphore = new Semaphore(2);

/**
 * Makes a small WebP of an image or of the first page of a PDF, or a JPEG for a model, in a child process; undefined if
 * that fails within its time and memory limits.
 */
export async function makeThumbnail(request: ThumbnailRequest): Promise<Uint8Array | undefined> {
  return semaphore.run(() => runThumbnailProcess(request));
}

async function runThumbnailProcess(request: ThumbnailRequest): Promise<Uint8Array | undefined> {
  const child = startSandboxed(CHILD, { heapMb: 512, usesNativeCode: true });
  return new Promise((resolve) => {
    const end = (image: Uint8Array | undefined) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      resolve(image);
    };
    const timer = setTimeout(() => end(undefined), TIMEOUT_MS);
    child.on("message", (answer) => end((answer as ThumbnailAnswer).image ?? undefined));
    child.on("error", () => end(undefined));
    child.on("exit", () => end(undefined));
    child.send(request, (error) => error && end(undefined));
  });
}
