import { afterAll, describe, test } from "vitest";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { startMongoWire } from "#tests/store/mongo-wire.ts";
import { startSerialProxy } from "#tests/store/serial-mongo.ts";
import { twoProcessesSuite } from "#tests/store/two-processes-suite.ts";

describe("two API processes on one data folder", { timeout: 240_000 }, () => {
  let first: ServerProcess | undefined;
  twoProcessesSuite(async (env) => {
    if (first) return startServerProcess({ ...env, DATA_DIR: first.dataDir });
    first = await startServerProcess(env);
    return first;
  });
});

const wire = await startMongoWire();
if ("missing" in wire) {
  process.stdout.write(`Two processes over the MongoDB wire protocol: skipped (${wire.missing})\n`);
  test.skip(`two API processes on one MongoDB: ${wire.missing}`, () => {});
} else {
  // Concurrent writes to one document are retried until each succeeds, and FerretDB runs one command at a time.
  describe(`two API processes on one MongoDB (${wire.name})`, { timeout: 240_000 }, async () => {
    const proxy = wire.name.startsWith("FerretDB") ? await startSerialProxy(wire.uri) : undefined;
    const uri = new URL(`/two-${process.pid}`, proxy?.uri ?? wire.uri).href;
    afterAll(async () => {
      await proxy?.close();
      await wire.stop();
    });
    twoProcessesSuite((env) => startServerProcess({ ...env, MONGODB_URI: uri }));
  });
}
