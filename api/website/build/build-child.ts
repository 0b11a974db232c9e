import { rolldown } from "rolldown";
import { nestingOf, nestingOfJson, SITE_LIMITS } from "#shared/website/rules.ts";
import type { BuildFault } from "#shared/website/schema.ts";
import { startWatchdog } from "#api/documents/process/watchdog.ts";
import { type BuildRequest, type BuildResult, type FromBuilder, KIT_GLOBALS } from "./build-messages.ts";
import { createSiteModules, toSitePath } from "./site-modules.ts";
import { buildStyles } from "./site-styles.ts";

const MAX_FAULTS = 20;
const MEMORY_BYTES = 512 * 1024 * 1024;

interface BundlerError {
  message?: string;
  id?: string;
  loc?: { file?: string; line?: number; column?: number };
}

/** The first sentence of an error, without its code and the colours and frames that are made for a terminal. */
function tidyMessage(text: string): string {
  // eslint-disable-next-line no-control-regex -- escape sequences of a terminal
  const plain = text.replaceAll(/\u001B\[[\d;]*m/g, "").replaceAll(/\0?site:/g, "");
  const sentence = plain.split("\n")[0]?.replace(/^\[[A-Z_]+\] /, "");
  return sentence?.trim().slice(0, 500) || "The build failed";
}

function toFault(error: unknown, path: string | null = null): BuildFault {
  const { message = String(error), id, loc } = (error ?? {}) as BundlerError;
  const named = loc?.file ?? id;
  return {
    message: tidyMessage(message),
    path: named === undefined ? path : toSitePath(named),
    line: loc?.line ?? null,
    column: loc?.column ?? null,
  };
}

function toFaults(error: unknown): BuildFault[] {
  const errors = (error as { errors?: unknown[] } | undefined)?.errors;
  return (Array.isArray(errors) && errors.length > 0 ? errors : [error])
    .slice(0, MAX_FAULTS)
    .map((cause) => toFault(cause));
}

const measureNesting = (path: string, text: string) => (path.endsWith(".json") ? nestingOfJson(text) : nestingOf(text));

/** A parser that recurses too deep ends the process, so such a file is refused before it is parsed. */
function findTooDeep(files: ReadonlyMap<string, string>): BuildFault[] {
  return [...files]
    .filter(([path, text]) => /\.(?:[jt]sx?|json|css)$/.test(path) && measureNesting(path, text) > SITE_LIMITS.nesting)
    .map(([path]) => ({
      message: `Brackets are nested more than ${SITE_LIMITS.nesting} deep`,
      path,
      line: null,
      column: null,
    }));
}

async function build({ entry, files: list }: BuildRequest): Promise<BuildResult> {
  const files = new Map(list);
  const tooDeep = findTooDeep(files);
  if (tooDeep.length > 0) return { ok: false, faults: tooDeep };
  const { plugin, styles } = createSiteModules(files);
  try {
    const bundle = await rolldown({
      input: entry,
      cwd: "/",
      plugins: [plugin],
      platform: "browser",
      tsconfig: false,
      logLevel: "silent",
      transform: {
        jsx: { runtime: "automatic", development: false },
        define: { "process.env.NODE_ENV": '"production"' },
      },
    });
    const { output } = await bundle.generate({
      format: "iife",
      name: "LamplightSite",
      globals: KIT_GLOBALS,
      codeSplitting: false,
      minify: false,
      sourcemap: false,
    });
    await bundle.close();
    const js = output.map((part) => (part.type === "chunk" ? part.code : "")).join("\n");
    return { ok: true, js, css: await buildStyles(files, styles) };
  } catch (error) {
    return { ok: false, faults: toFaults(error) };
  }
}

const reportAlive = startWatchdog({ memoryBytes: MEMORY_BYTES, maxSilentCpuMs: SITE_LIMITS.buildMs });

async function answer(request: BuildRequest): Promise<void> {
  const result = await build(request);
  const message: FromBuilder = { id: request.id, result, memoryBytes: process.memoryUsage.rss() };
  process.send?.(message);
}

process.on("message", (request: BuildRequest) => {
  reportAlive();
  void answer(request);
});
process.on("disconnect", () => process.exit(0));
