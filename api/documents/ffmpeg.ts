import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The path of the installed ffmpeg, if any. */
export async function findFfmpeg(): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "ffmpeg");
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable && folder !== "") return path;
  }
  return undefined;
}

/** The containers that may be uploaded. Excludes playlists and other formats that refer to URLs or other files. */
const CONTAINERS = "mov,matroska,webm,avi,ogg";
/** Far above any real frame; a file may claim any size. */
const MAX_ALLOC_BYTES = 256 * 1024 * 1024;
/** Keeps only the end of ffmpeg's output, which a file's metadata can make arbitrarily long. */
const MAX_OUTPUT_CHARS = 64 * 1024;

interface FfmpegRun {
  ffmpeg: string;
  /** The video file. */
  path: string;
  /** Input options, such as the start position. */
  inputOptions?: readonly string[];
  outputOptions: readonly string[];
  signal: AbortSignal;
}

/**
 * Runs ffmpeg on a video. It may open only local video files and gets no environment variables. Resolves to its exit
 * code (null if it was killed or could not start) and its stderr.
 */
export function runFfmpeg({
  ffmpeg,
  path,
  inputOptions = [],
  outputOptions,
  signal,
}: FfmpegRun): Promise<{ code: number | null; output: string }> {
  const restrictions = ["-protocol_whitelist", "file", "-format_whitelist", CONTAINERS];
  const input = [
    "-nostdin",
    "-nostats",
    "-hide_banner",
    "-max_alloc",
    String(MAX_ALLOC_BYTES),
    ...inputOptions,
    ...restrictions,
  ];
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(ffmpeg, [...input, "-i", `file:${path}`, ...outputOptions], {
      env: {},
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      killSignal: "SIGKILL",
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-MAX_OUTPUT_CHARS);
    });
    child.once("error", () => resolve({ code: null, output: output }));
    child.once("close", (code) => resolve({ code, output: output }));
  });
}
