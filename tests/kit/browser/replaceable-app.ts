import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Matches only at the start of a name: matching from every position of a long name (a base64 text) would take quadratic
 * time.
 */
const ASSET = /(?<![\w.~$-])([\w.~$-]+)\.(js|mjs|css)\b/g;

/**
 * The build as the next release would have it: new names for all scripts and styles, and a service worker that knows
 * them.
 */
async function makeNextBuild(folder: string): Promise<string> {
  const next = await mkdtemp(join(tmpdir(), "lamplight-next-"));
  onTestFinished(() => rm(next, { recursive: true, force: true }));
  await cp(folder, next, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  const assets = join(next, "assets");
  const names = new Set((await readdir(assets)).filter((name) => /\.(js|mjs|css)$/.test(name)));
  const renamed = (text: string) =>
    text.replaceAll(ASSET, (name, stem: string, ending: string) => (names.has(name) ? `${stem}-next.${ending}` : name));
  const rewrite = async (path: string) => writeFile(path, renamed(await readFile(path, "utf8")));
  for (const name of names) {
    await rewrite(join(assets, name));
    await rename(join(assets, name), join(assets, renamed(name)));
  }
  for (const name of ["index.html", "shell.html"]) await rewrite(join(next, name));
  const worker = join(next, "shell-worker.js");
  const text = renamed(await readFile(worker, "utf8"));
  // The version in the name of its cache.
  await writeFile(worker, text.replace(/(["'`])[0-9a-f]{16}\1/, "$1next$1"));
  return next;
}

export interface ReplaceableApp {
  origin: string;
  /** Serves the new build from now on, and nothing of the old. */
  release(): void;
}

/** Serves the app at one address where its files can be replaced while the API stays. */
export async function serveTwoBuilds(
  folder: string,
  serve: (webFolder: string) => Promise<{ origin: string }>,
): Promise<ReplaceableApp> {
  const old = await serve(folder);
  const next = await serve(await makeNextBuild(folder));
  let files = old;
  const carry = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { origin } = incoming.url?.startsWith("/v1/") ? old : files;
    const { url = "/", method, headers } = incoming;
    const onward = ask(new URL(url, origin), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  };
  const front = createServer(carry);
  await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    front.close();
    front.closeAllConnections();
  });
  return {
    origin: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    release: () => {
      files = next;
    },
  };
}
