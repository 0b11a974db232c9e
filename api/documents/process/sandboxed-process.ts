import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const NO_NETWORK = fileURLToPath(new URL("./no-network.ts", import.meta.url));

interface SandboxOptions {
  heapMb: number;
  /** Rendering and OCR need native code. */
  usesNativeCode: boolean;
}

/**
 * Starts a sandboxed program for users' files: it may read files, but not write files, start programs or use the
 * network.
 */
export function startSandboxed(file: string, { heapMb, usesNativeCode }: SandboxOptions): ChildProcess {
  const permissionFlags = ["--permission", "--allow-fs-read=*", "--allow-worker"];
  return fork(file, [], {
    // `--require` runs before the program and in each of its threads; `--import` does not.
    execArgv: [
      ...permissionFlags,
      ...(usesNativeCode ? ["--allow-addons"] : []),
      `--max-old-space-size=${heapMb}`,
      `--require=${NO_NETWORK}`,
    ],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}
