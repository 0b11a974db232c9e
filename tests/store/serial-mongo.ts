import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Offset of the opcode in a message's header; the length is at 0. */
const OPCODE_AT = 12;
const FLAGS_AT = 16;
const OP_MSG = 2013;
/** The sender expects no reply. */
const MORE_TO_COME = 2;

/** Calls `take` with each complete message of MongoDB's wire protocol. */
function readMessages(socket: Socket, take: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      take(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
}

const expectsReply = (message: Buffer) =>
  message.readInt32LE(OPCODE_AT) !== OP_MSG || (message.readInt32LE(FLAGS_AT) & MORE_TO_COME) === 0;

/** Commands that touch no document; the name of a command is the first field of its body. */
const IMMEDIATE = new Set(["ping", "hello", "isMaster", "ismaster", "endSessions"]);
const NAME_AT = 26;

const isImmediate = (message: Buffer) =>
  message.readInt32LE(OPCODE_AT) === OP_MSG &&
  IMMEDIATE.has(message.toString("latin1", NAME_AT, message.indexOf(0, NAME_AT)));

/**
 * Passes one command at a time to a server of MongoDB's wire protocol, over all connections. FerretDB 1 reads and writes
 * a document in two steps; behind this proxy each command is atomic, as on MongoDB.
 */
export async function startSerialProxy(uri: string): Promise<{ uri: string; close(): Promise<void> }> {
  const target = new URL(uri);
  const sockets = new Set<Socket>();
  let last: Promise<void> = Promise.resolve();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    track(client);
    const upstream = track(connect(Number(target.port), target.hostname));
    let onReply: (() => void) | undefined;
    const forward = (message: Buffer) =>
      new Promise<void>((resolve) => {
        onReply = resolve;
        if (upstream.destroyed) return resolve();
        upstream.write(message);
        if (!expectsReply(message)) resolve();
      });
    readMessages(client, (message) => {
      if (isImmediate(message)) void forward(message);
      else last = last.then(() => forward(message));
    });
    readMessages(upstream, (message) => {
      client.write(message);
      onReply?.();
    });
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => {
      client.destroy();
      onReply?.();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
