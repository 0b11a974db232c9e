import { expect, test } from "vitest";
import {
  ConnectError,
  type ConnectionFault,
  type SocketPort,
  WebsiteConnection,
} from "#shared/website/chat-connection.ts";

const message = {
  type: "user_message" as const,
  projectId: "p1",
  threadId: "t1",
  message: "Hello",
  messageId: "01J0000000000000000000000A",
};

/** The server's behaviour for each new socket. */
type Play = (socket: SocketPort) => void;
const admit: Play = (socket) => socket.onMessage?.({ data: JSON.stringify({ type: "connection-established" }) });
const close =
  (code: number): Play =>
  (socket) =>
    socket.onClose?.({ code });
const silent: Play = () => undefined;

/** A connection on a fake clock that jumps to the next timer once everything else waits. */
function aConnection(play: Play) {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const server = { play };
  const opened: number[] = [];
  const sockets: SocketPort[] = [];
  const faults: (ConnectionFault | null)[] = [];
  const connection = new WebsiteConnection({
    open() {
      const socket: SocketPort = { onMessage: null, onClose: null, send: () => undefined, close: () => undefined };
      opened.push(now);
      sockets.push(socket);
      queueMicrotask(() => server.play(socket));
      return socket;
    },
    token: () => Promise.resolve("token"),
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((pending) => pending !== timer);
      };
    },
    onEvent: () => undefined,
    onClosed: (fault) => faults.push(fault),
  });
  /** Advances time until the work is done. */
  async function pass<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = work.finally(() => {
      isDone = true;
    });
    end.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      // `finally` above has run by now, if the work is done.
      if (isDone as boolean) return end;
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (!next) throw new Error("Nothing is left to wait for");
      timers = timers.filter((pending) => pending !== next);
      now = next.at;
      next.run();
    }
  }
  const wait = (ms: number) => {
    now += ms;
  };
  return { connection, server, opened, sockets, faults, pass, wait };
}

const lost = (error: unknown) => error instanceof ConnectError && error.fault === "lost";

test("a connection is tried three times, one and two seconds apart", async () => {
  const { connection, opened, pass } = aConnection(close(1006));
  await expect(pass(connection.connect("p1", "t1"))).rejects.toSatisfy(lost);
  expect(opened).toEqual([0, 1000, 3000]);
});

test("a server that does not answer the handshake is given up after 30 seconds, each time", async () => {
  const { connection, opened, pass } = aConnection(silent);
  await expect(pass(connection.connect("p1", "t1"))).rejects.toSatisfy(lost);
  expect(opened).toEqual([0, 31_000, 63_000]);
});

test.each([4001, 4003])("a refusal with %i is final, and the circuit breaker does not count it", async (code) => {
  const { connection, server, opened, pass } = aConnection(close(code));
  for (let time = 0; time < 4; time += 1)
    await expect(pass(connection.connect("p1", "t1"))).rejects.toBeInstanceOf(ConnectError);
  expect(opened).toEqual([0, 0, 0, 0]);
  server.play = admit;
  await pass(connection.connect("p1", "t1"));
  expect(connection.isOpenFor("t1")).toBe(true);
});

test("after three failures no socket is opened for 30 seconds; then one attempt decides", async () => {
  const { connection, server, opened, pass, wait } = aConnection(close(1006));
  // The breaker opens at the first attempt, so the other two wait one and two seconds and open no socket.
  expect(await pass(connection.send("p1", message))).toBe(false);
  expect(opened).toEqual([0, 1000, 3000]);
  wait(30_000 - 4);
  server.play = admit;
  expect(await pass(connection.send("p1", message))).toBe(true);
  expect(opened).toHaveLength(4);
});

test("an open connection that is lost is opened again for the next message, and another thread closes it", async () => {
  const { connection, opened, sockets, faults, pass } = aConnection(admit);
  await pass(connection.send("p1", message));
  await pass(connection.send("p1", message));
  expect(opened).toHaveLength(1);
  sockets[0]?.onClose?.({ code: 1006 });
  expect(faults).toEqual(["lost"]);
  await pass(connection.send("p1", message));
  expect(opened).toHaveLength(2);
  await pass(connection.connect("p1", "t2"));
  expect([connection.isOpenFor("t1"), connection.isOpenFor("t2")]).toEqual([false, true]);
  // A socket that was closed on purpose no longer reports anything.
  expect(sockets[1]?.onClose).toBeNull();
});

test("two calls for one thread share an attempt, and an attempt for a thread that was left is abandoned", async () => {
  const { connection, server, opened, sockets, pass } = aConnection(silent);
  const both = Promise.all([connection.connect("p1", "t1"), connection.connect("p1", "t1")]);
  await new Promise((resolve) => setImmediate(resolve));
  admit(sockets[0] ?? failed());
  await both;
  expect(opened).toHaveLength(1);
  const left = connection.connect("p1", "t2");
  const refusal = expect(left).rejects.toMatchObject({ fault: "superseded" });
  await new Promise((resolve) => setImmediate(resolve));
  server.play = admit;
  await pass(connection.connect("p1", "t3"));
  admit(sockets[1] ?? failed());
  await refusal;
  expect([connection.isOpenFor("t2"), connection.isOpenFor("t3")]).toEqual([false, true]);
});

function failed(): never {
  throw new Error("No socket was opened");
}
