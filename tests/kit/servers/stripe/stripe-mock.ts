import { execFile, spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { exists, findOnPath, programCache } from "#tests/kit/programs/installed-programs.ts";

/** Stripe's own mock, which checks requests against its specification and answers with fixtures. */
export interface StripeMock {
  readonly origin: string;
  stop(): Promise<void>;
}

const VERSION = "0.203.0";
const BUILD_TIMEOUT_MS = 240_000;
const run = promisify(execFile);

/** The path of the mock, built now unless it is installed or was built before; undefined without a Go toolchain. */
export async function findStripeMock(): Promise<string | undefined> {
  const built = join(programCache, `stripe-mock-${VERSION}-${process.arch}`);
  return (await findOnPath("stripe-mock")) ?? ((await exists(built)) ? built : build(built));
}

export async function startStripeMock(): Promise<StripeMock | { readonly missing: string }> {
  try {
    const binary = await findStripeMock();
    return binary === undefined ? { missing: "no stripe-mock and no Go toolchain" } : await start(binary);
  } catch (cause) {
    return { missing: `stripe-mock: ${cause instanceof Error ? cause.message.slice(0, 300) : "failed"}` };
  }
}

async function build(binary: string): Promise<string | undefined> {
  const go = await findOnPath("go");
  if (go === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "stripe-mock-"));
  try {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: "0" };
    await run(go, ["install", `github.com/stripe/stripe-mock@v${VERSION}`], { env, timeout: BUILD_TIMEOUT_MS });
    await mkdir(programCache, { recursive: true });
    // Complete at once, for another run that looks at the same moment.
    await copyFile(join(folder, "stripe-mock"), `${binary}.${process.pid}`);
    await rename(`${binary}.${process.pid}`, binary);
    return binary;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(binary: string): Promise<StripeMock> {
  const free = "127.0.0.1:";
  const child = spawn(binary, ["-http-addr", free, "-https-addr", free], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  for await (const line of createInterface(child.stdout)) {
    const address = /for HTTP at address: (127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (address !== undefined) return { origin: `http://${address}`, stop };
  }
  await stop();
  throw new Error("it did not start");
}
