import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The system's own ffmpeg; undefined where there is none. */
export async function findFfmpeg(): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "ffmpeg");
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere && folder !== "") return path;
  }
  return undefined;
}

/** What may be uploaded: of all that ffmpeg reads, a list of addresses or of other files is none of it. */
const CONTAINERS = "mov,matroska,webm,avi,ogg";
/** No frame of a film that a student has comes near it; a file may claim any size. */
const MAX_ALLOC_BYTES = 256 * 1024 * 1024;
/** Of what it says the end is kept: what a file holds may be said without end. */
const MAX_SAID = 64 * 1024;

interface Run {
  ffmpeg: string;
  /** The film. */
  path: string;
  /** How it is to be opened, as from which second on. */
  before?: readonly string[];
  /** What is to become of it. */
  after: readonly string[];
  signal: AbortSignal;
}

/**
 * Runs ffmpeg over a film; it may open nothing but films in files, and is told nothing of this process. Resolves to its
 * exit code, null where it was ended or could not be started, and to what it said.
 */
export function runFfmpeg({
  ffmpeg,
  path,
  before = [],
  after,
  signal,
}: Run): Promise<{ code: number | null; said: string }> {
  const may = ["-protocol_whitelist", "file", "-format_whitelist", CONTAINERS];
  const input = ["-nostdin", "-nostats", "-hide_banner", "-max_alloc", String(MAX_ALLOC_BYTES), ...before, ...may];
  return new Promise((resolve) => {
    let said = "";
    const child = spawn(ffmpeg, [...input, "-i", `file:${path}`, ...after], {
      env: {},
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      killSignal: "SIGKILL",
    });
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      said = (said + more).slice(-MAX_SAID);
    });
    child.once("error", () => resolve({ code: null, said }));
    child.once("close", (code) => resolve({ code, said }));
  });
}
