import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const NO_NETWORK = fileURLToPath(new URL("./no-network.ts", import.meta.url));

interface Confines {
  heapMb: number;
  /** Drawing and recognising pictures takes native code. */
  usesNativeCode: boolean;
}

/** Starts a program that deals with users' files: it may read files, and neither write, nor start programs, nor call anybody. */
export function startConfined(file: string, { heapMb, usesNativeCode }: Confines): ChildProcess {
  const rights = ["--permission", "--allow-fs-read=*", "--allow-worker"];
  return fork(file, [], {
    // What is required here is there before the program's first line, and in each of its threads; an import is not.
    execArgv: [
      ...rights,
      ...(usesNativeCode ? ["--allow-addons"] : []),
      `--max-old-space-size=${heapMb}`,
      `--require=${NO_NETWORK}`,
    ],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}
