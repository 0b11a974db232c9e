import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import { exists, findOnPath, programCache } from "#tests/kit/programs/installed-programs.ts";

/** A server that speaks MongoDB's wire protocol, found or built for the tests. */
export interface MongoWire {
  readonly name: string;
  readonly uri: string;
  stop(): Promise<void>;
  /** Only if the tests started the server. */
  signal?(name: "SIGSTOP" | "SIGCONT"): void;
}

const FERRETDB = "1.24.0";
const run = promisify(execFile);
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

async function answers(uri: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 60 && child.exitCode === null; tries += 1) {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 500 });
    try {
      await client.db("admin").command({ ping: 1 });
      return;
    } catch {
      await wait(250);
    } finally {
      await client.close();
    }
  }
  throw new Error(`the server at ${uri} does not answer`);
}

async function startServer(
  name: string,
  binary: string,
  args: (port: number, folder: string) => string[],
): Promise<MongoWire> {
  const folder = await mkdtemp(join(tmpdir(), "mongo-wire-"));
  const port = await freePort();
  const child = spawn(binary, args(port, folder), { stdio: "ignore", cwd: folder });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGKILL");
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const uri = `mongodb://127.0.0.1:${port}/`;
  try {
    await answers(uri, child);
    return { name, uri, stop, signal: (given) => void child.kill(given) };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function startMongod(): Promise<MongoWire | undefined> {
  const mongod = await findOnPath("mongod");
  if (!mongod) return undefined;
  return startServer("mongod", mongod, (port, folder) => [
    "--port",
    `${port}`,
    "--bind_ip",
    "127.0.0.1",
    "--dbpath",
    folder,
  ]);
}

/** Used only if it is installed, because it downloads a server of about 100 MB from outside the package registry. */
async function startMemoryServer(): Promise<MongoWire | undefined> {
  const name = "mongodb-memory-server";
  const module = (await import(name).catch(() => undefined)) as
    | { MongoMemoryServer: { create(): Promise<{ getUri(): string; stop(): Promise<unknown> }> } }
    | undefined;
  if (!module) return undefined;
  const server = await module.MongoMemoryServer.create();
  return { name, uri: server.getUri(), stop: async () => void (await server.stop()) };
}

const ferretMain = `package main

import (
	"context"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: os.Args[2],
	})
	if err != nil {
		panic(err)
	}
	if err := server.Run(context.Background()); err != nil {
		panic(err)
	}
}
`;

/** Uses FerretDB's package for embedding, because its program refuses to start if `go install` built it. */
async function buildFerret(go: string, binary: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ferretdb-build-"));
  try {
    await writeFile(join(folder, "main.go"), ferretMain);
    const module = `module wire\n\ngo 1.22\n\nrequire github.com/FerretDB/FerretDB v${FERRETDB}\n`;
    await writeFile(join(folder, "go.mod"), module);
    const env = { ...process.env, GOFLAGS: "-mod=mod", CGO_ENABLED: "0" };
    await run(go, ["build", "-o", "server", "."], { cwd: folder, env, timeout: 280_000 });
    await mkdir(programCache, { recursive: true });
    await rename(join(folder, "server"), binary).catch(() => run("cp", [join(folder, "server"), binary]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of FerretDB, which is built on first use; undefined without a Go toolchain. */
async function findFerret(): Promise<string | undefined> {
  const binary = join(programCache, `ferretdb-${FERRETDB}-${process.arch}`);
  if (await exists(binary)) return binary;
  const go = await findOnPath("go");
  if (!go) return undefined;
  await buildFerret(go, binary);
  return binary;
}

/** Builds the server for `startMongoWire` if it needs one. */
export async function prepareMongoWire(): Promise<void> {
  if (!process.env["MONGODB_TEST_URI"] && !(await findOnPath("mongod"))) await findFerret();
}

async function startFerret(): Promise<MongoWire | undefined> {
  const binary = await findFerret();
  if (!binary) return undefined;
  return startServer(`FerretDB ${FERRETDB} on SQLite`, binary, (port, folder) => [
    `127.0.0.1:${port}`,
    `file:${folder}/`,
  ]);
}

/** Starts the first available server, or returns the reasons why none is available. */
export async function startMongoWire(): Promise<MongoWire | { readonly missing: string }> {
  const given = process.env["MONGODB_TEST_URI"];
  if (given) return { name: "MONGODB_TEST_URI", uri: given, stop: async () => {} };
  const reasons: string[] = [];
  for (const start of [startMongod, startMemoryServer, startFerret]) {
    try {
      const server = await start();
      if (server) return server;
    } catch (cause) {
      reasons.push(`${start.name}: ${cause instanceof Error ? cause.message.slice(0, 300) : "failed"}`);
    }
  }
  return { missing: ["no mongod, no mongodb-memory-server, no Go toolchain for FerretDB", ...reasons].join("; ") };
}
