// A sandboxed process that tries to open connections to the given port.
import dgram from "node:dgram";
import { lookup } from "node:dns/promises";
import { get } from "node:http";
import { connect } from "node:net";
import { connect as connectSafely } from "node:tls";
import { Worker } from "node:worker_threads";

const waitFor = (emitter: NodeJS.EventEmitter, good: string): Promise<void> =>
  new Promise((resolve, reject) => {
    emitter.once(good, () => resolve());
    emitter.once("error", reject);
  });

const inThread = (port: number) =>
  waitFor(
    new Worker(`const { connect } = require("node:net"); connect(${port}, "127.0.0.1").on("connect", () => {});`, {
      eval: true,
    }),
    "exit",
  );

const methods: Record<string, (port: number) => Promise<unknown>> = {
  fetch: (port) => fetch(`http://127.0.0.1:${port}/`),
  net: (port) => waitFor(connect(port, "127.0.0.1"), "connect"),
  http: (port) => waitFor(get(`http://127.0.0.1:${port}/`), "response"),
  tls: (port) => waitFor(connectSafely(port, "127.0.0.1"), "secureConnect"),
  dns: () => lookup("example.org"),
  datagram: async (port) => {
    const socket = dgram.createSocket("udp4");
    await new Promise((done) => socket.send("x", port, "127.0.0.1", done));
  },
  thread: inThread,
};

async function tryAll(port: number): Promise<void> {
  const got: string[] = [];
  for (const [name, way] of Object.entries(methods)) {
    const isThrough = await Promise.resolve()
      .then(() => way(port))
      .then(
        () => true,
        () => false,
      );
    if (isThrough) got.push(name);
  }
  process.send?.({ tried: Object.keys(methods).length, got });
}

process.on("message", (port: number) => void tryAll(port));
process.on("disconnect", () => process.exit(0));
