import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SITE_LIMITS } from "#shared/website/rules.ts";
import { startSandboxed } from "#api/documents/process/sandboxed-process.ts";
import { Semaphore } from "#api/semaphore.ts";
import type { BuildRequest, BuildResult, FromBuilder } from "./build-messages.ts";

const PROGRAM = fileURLToPath(new URL("./build-child.ts", import.meta.url));
const HEAP_MB = 256;
const MAX_BUILDERS = 2;
const IDLE_MS = 60_000;
/** A process that grows beyond this ends after its build, to free its memory; the next build starts a new one. */
const RETIRE_AT_BYTES = 256 * 1024 * 1024;
/** Extra time of a process's first build, in which it starts and loads the bundler. */
const START_MS = 20_000;

const failed = (message: string): BuildResult => ({
  ok: false,
  faults: [{ message, path: null, line: null, column: null }],
});

class Builder {
  readonly #child: ChildProcess = startSandboxed(PROGRAM, { heapMb: HEAP_MB, usesNativeCode: true });
  #answer: ((result: BuildResult) => void) | undefined;
  #builds = 0;
  isAlive = true;

  constructor() {
    this.#child.on("message", (message) => {
      const { id, result, memoryBytes } = message as FromBuilder;
      if (id !== this.#builds) return;
      if (memoryBytes > RETIRE_AT_BYTES) this.kill();
      this.#answer?.(result);
    });
    this.#child.on("error", () => this.#end());
    this.#child.on("exit", () => this.#end());
    this.#unref();
  }

  build(entry: string, files: ReadonlyMap<string, string>): Promise<BuildResult> {
    this.#builds += 1;
    const request: BuildRequest = { id: this.#builds, entry, files: [...files] };
    const limitMs = SITE_LIMITS.buildMs + (this.#builds === 1 ? START_MS : 0);
    return new Promise<BuildResult>((resolve) => {
      const timer = setTimeout(() => {
        this.#answer?.(failed(`The build took longer than ${limitMs / 1000} seconds`));
        this.kill();
      }, limitMs);
      this.#answer = (result) => {
        clearTimeout(timer);
        this.#answer = undefined;
        this.#unref();
        resolve(result);
      };
      if (!this.isAlive) return this.#end();
      this.#child.ref();
      this.#child.channel?.ref();
      this.#child.send(request, (error) => error && this.#end());
    });
  }

  kill(): void {
    this.isAlive = false;
    this.#child.kill("SIGKILL");
  }

  #end(): void {
    this.isAlive = false;
    this.#answer?.(failed("The build process stopped unexpectedly, perhaps for lack of memory"));
  }

  /** An idle builder does not keep this process alive. */
  #unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

const permits = new Semaphore(MAX_BUILDERS);
const idle: Builder[] = [];
let idleTimer: NodeJS.Timeout | undefined;
/** The warm-up build that is running, if any. */
let warmUp: Promise<unknown> | undefined;

/** Builds a site in a confined process. The result was bundled, never run. */
export async function buildSite(entry: string, files: ReadonlyMap<string, string>): Promise<BuildResult> {
  // Starting a second process would take longer than waiting for the warm-up.
  await warmUp;
  return build(entry, files);
}

/** Warms up a build process, so that the next build finds the packages loaded that every site needs. */
export function warmUpBuilder(entry: string, files: ReadonlyMap<string, string>): void {
  if (idle.length > 0 || warmUp !== undefined) return;
  // A process that cannot start is reported by the build that needs it.
  warmUp = build(entry, files)
    .catch(() => undefined)
    .finally(() => {
      warmUp = undefined;
    });
}

function build(entry: string, files: ReadonlyMap<string, string>): Promise<BuildResult> {
  return permits.run(async () => {
    const builder = takeIdle() ?? new Builder();
    try {
      return await builder.build(entry, files);
    } finally {
      if (builder.isAlive) idle.push(builder);
      clearTimeout(idleTimer);
      idleTimer = setTimeout(closeBuilders, IDLE_MS);
      idleTimer.unref();
    }
  });
}

function takeIdle(): Builder | undefined {
  for (let builder = idle.pop(); builder; builder = idle.pop()) if (builder.isAlive) return builder;
  return undefined;
}

/** Stops all idle builders. */
export function closeBuilders(): void {
  for (const builder of idle.splice(0)) builder.kill();
}
