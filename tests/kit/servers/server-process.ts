import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The API as a process of its own with a data folder, on a fixed port. */
export interface ServerProcess {
  origin: string;
  dataDir: string;
  /** Milliseconds from spawning to the first 200, of the latest start. */
  startedInMs: number;
  /** Process id of the latest start. */
  pid: number | undefined;
  /** Kills the process without warning, like a power cut. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it gracefully and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Stops it and removes the data folder. */
  dispose(): Promise<void>;
}

export async function startServerProcess(
  env: Record<string, string> = {},
  entry = "api/main.ts",
  makeTimeout = () => AbortSignal.timeout(120_000),
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "lamplight-"));
  const port = Number(env["PORT"]) || (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const settings = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "error", SITES_PORT: "0", ...env };
  const start = async () => {
    const startedAt = performance.now();
    child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", entry], {
      env: { ...process.env, NODE_ENV: "production", ...settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
    server.pid = child.pid;
    await untilItAnswers(origin, child, makeTimeout()).catch(async (cause: unknown) => {
      // It would outlive the test, and keep open the output that the run waits for.
      await end("SIGKILL");
      throw cause;
    });
    server.startedInMs = performance.now() - startedAt;
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, "exit");
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  const server: ServerProcess = {
    origin,
    dataDir,
    startedInMs: 0,
    pid: undefined,
    start,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    async dispose() {
      await end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await start();
  return server;
}

async function untilItAnswers(origin: string, child: ChildProcess, timeout: AbortSignal): Promise<void> {
  while (!timeout.aborted) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode} instead of answering`);
    const answer = await fetch(`${origin}/health`, { signal: timeout }).catch(() => undefined);
    if (answer?.ok) return;
    await pause(25);
  }
  throw new Error("The server did not answer in time");
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
