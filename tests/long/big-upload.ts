// Uploads a file of 200 MB in pieces over a connection that is cut again and again. The server is killed during the upload
// and while it assembles the file. The stored file must equal the original, exist once, and count once.
import { createHash } from "node:crypto";
import { createServer, connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { runUpload } from "#shared/uploads/upload-run.ts";
import { noise } from "#tests/kit/random.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";

const MB = 1024 * 1024;
const SIZE = 200 * MB;
const PIECE = 4 * MB;
const FOUND_FAULTS = 3;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** A proxy to the server whose connections can be cut, which loses what is in flight in both directions. */
async function startProxy(origin: string) {
  const { port } = new URL(origin);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), "127.0.0.1");
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const socket of open) socket.destroy();
    },
    close: () => server.close(),
  };
}

const server = await startServerProcess({ RATE_LIMIT_FACTOR: "100" });
const proxy = await startProxy(server.origin);
let token: string | undefined;
const client = createClient(v1, fetchTransport({ origin: proxy.origin, token: () => token }));
const registered = await client.auth.register({
  name: "Ada",
  email: "ada@example.org",
  password: "a lamp upon the desk",
});
token = registered.token;

const head = Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2", "latin1");
const film = Buffer.concat([head, noise(SIZE - head.length)]);
const componentId = ulid();
const uploadRequest = {
  componentId,
  family: "video",
  name: "Lecture.mp4",
  type: "video/mp4",
  sizeBytes: SIZE,
} as const;
let cuts = 0;
let kills = 0;
let waits = 0;

async function killAndStart(): Promise<void> {
  kills += 1;
  await server.kill();
  await server.start();
}

/** Sends a piece. In every tenth piece the connection is cut, and the server is killed once in the middle of the file. */
async function append(offset: number, end: number) {
  const number = offset / PIECE;
  const files = [{ field: "piece", file: new Blob([film.subarray(offset, end)]), name: "piece" }];
  const sending = client.uploads.appendToUpload({ id: componentId, offset }, files);
  if (number % 10 === 7 && cuts <= number / 10) {
    cuts += 1;
    setTimeout(() => proxy.cut(), 15);
  }
  if (number === 25 && kills === 0) void killAndStart();
  return (await sending).upload;
}

/** Completes the upload; the server is killed once more while it assembles the file. */
async function complete() {
  const completing = client.uploads.completeUpload({ id: componentId }, { idleTimeoutMs: 120_000 });
  if (kills === 1) setTimeout(() => void killAndStart(), 150);
  return (await completing).component;
}

const startedAt = performance.now();
const component = await runUpload({
  calls: {
    start: async () => (await client.uploads.startUpload(uploadRequest)).upload,
    state: async () => (await client.uploads.getUpload({ id: componentId })).upload,
    append,
    complete,
  },
  sizeBytes: SIZE,
  pieceBytes: PIECE,
  wait: async (ms) => {
    waits += 1;
    await pause(ms);
  },
  isStopped: () => false,
  onProgress: () => undefined,
  onPhase: () => undefined,
});
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);

const fileId = component.type === "video" ? component.content.file.id : "";
const stored = await (await client.uploads.getFile({ fileId })).bytes();
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const isSame = hash(stored) === hash(film);
const { content } = await client.pages.getContent({});
const { fileUploads } = await client.user.getUsage({});
const repeat = await client.uploads.completeUpload({ id: componentId });
const isOnce = content.components.length === 1 && fileUploads <= 1 && repeat.component._id === componentId;

print(`200 MB in ${seconds} s, connection cut ${cuts} times, server killed ${kills} times, ${waits} waits`);
print(`bytes ${isSame ? "the same" : "DIFFER"}, components ${content.components.length}, counted ${fileUploads}`);
proxy.cut();
proxy.close();
await server.dispose();
process.exit(isSame && isOnce && cuts > 0 && kills === 2 ? 0 : FOUND_FAULTS);
