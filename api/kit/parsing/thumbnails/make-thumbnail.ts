import { fileURLToPath } from "node:url";
import { startConfined } from "../confined.ts";
import type { ThumbnailAnswer, ThumbnailRequest } from "./thumbnail-child.ts";

const CHILD = fileURLToPath(new URL("./thumbnail-child.ts", import.meta.url));
/** One that works for too long ends by itself; this is for one that hangs. */
const PATIENCE_MS = 60_000;
const MAX_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * A small WebP of a picture or of the first page of a PDF, or a JPEG for a model to look at, made in a process of its own; undefined where none can be
 * made of it, in time and within the memory that it may take.
 */
export async function makeThumbnail(request: ThumbnailRequest): Promise<Uint8Array | undefined> {
  if (running < MAX_AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await askChild(request);
  } finally {
    const next = waiting.shift();
    // Who waited takes over the place itself.
    if (next) next();
    else running -= 1;
  }
}

function askChild(request: ThumbnailRequest): Promise<Uint8Array | undefined> {
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
