import { expect, test, vi } from "vitest";

type Listener = (message: unknown) => void;

const TAB = 7;

/** How browsers pass messages: newer ones clone them, older ones serialise them as JSON. */
const encodings = {
  cloned: (message: unknown): unknown => structuredClone(message),
  "written as JSON": (message: unknown): unknown => JSON.parse(JSON.stringify(message)),
};

/** The two ends of a port between a page and a document of the extension. */
function thePorts(carry: (message: unknown) => unknown, sender: object) {
  const [inPage, atOurs]: [Listener[], Listener[]] = [[], []];
  const gone: (() => void)[] = [];
  const sendTo = (to: Listener[]) => (message: unknown) => {
    const carried = carry(message);
    queueMicrotask(() => {
      for (const listener of to) listener(carried);
    });
  };
  const end = (to: Listener[], own: Listener[]) => ({
    name: "page-text",
    sender,
    postMessage: sendTo(to),
    onMessage: { addListener: (listener: Listener) => own.push(listener) },
    onDisconnect: { addListener: (listener: () => void) => gone.push(listener) },
    disconnect: () => undefined,
  });
  return {
    page: end(atOurs, inPage),
    ours: end(inPage, atOurs),
    /** Sends a message from the page that our script would not send. */
    send: sendTo(atOurs),
    leave: () => {
      for (const listener of gone) listener();
    },
  };
}

/** Shared by all tests, because the modules keep the first browser API that they find. */
const runtime = { id: "ours", connect: () => ({}), onConnect: {} };
Object.assign(globalThis, { chrome: { runtime } });

/** Both sides of the module, connected by a browser with this message encoding. */
async function aBrowser(way: keyof typeof encodings, sender: object = {}) {
  const ports = thePorts(encodings[way], { id: "ours", frameId: 0, tab: { id: TAB }, ...sender });
  const connected: ((port: unknown) => void)[] = [];
  runtime.connect = () => {
    for (const listener of connected) listener(ports.ours);
    return ports.page;
  };
  runtime.onConnect = {
    addListener: (listener: () => void) => connected.push(listener),
    removeListener: () => undefined,
  };
  const parts = await import("#extension/platform/page-text.ts");
  return { ...parts, ...ports };
}

const LONG = "A codon – “three” nucleotides 🧬🧬🧬. ".repeat(9000);

test.each(["cloned", "written as JSON"] as const)(
  "a page's text arrives complete in browsers where messages are %s",
  async (way) => {
    for (const text of ["a", LONG, `x${LONG}`, `xy${LONG}`]) {
      const { receiveText, sendText } = await aBrowser(way);
      const receiver = receiveText(TAB);
      const whole = await receiver.readAll(await sendText(() => text));
      expect((await whole?.text()) === text).toBe(true);
      receiver.stop();
    }
  },
);

test.each([
  ["of another tab", { tab: { id: TAB + 1 } }],
  ["of a frame", { frameId: 3 }],
  ["of another extension", { id: "theirs" }],
])("ignores a text %s", async (_, sender) => {
  const { receiveText, sendText, leave } = await aBrowser("cloned", sender);
  const whole = receiveText(TAB).readAll(await sendText(() => "forged"));
  leave();
  await expect(Promise.race([whole, Promise.resolve("nothing yet")])).resolves.toBe("nothing yet");
});

test.each([
  ["a text shorter than announced", new Blob(["abc"]), 4],
  ["a text longer than possible", new Blob(["abcdefg"]), 2],
])("rejects %s", async (_, message, chars) => {
  const { receiveText, send } = await aBrowser("cloned");
  const receiver = receiveText(TAB);
  runtime.connect();
  send(message);
  expect(await receiver.readAll(chars)).toBeUndefined();
});

test("returns nothing if the page is closed, or twice sends something other than text", async () => {
  const { receiveText, send, leave } = await aBrowser("cloned");
  const first = receiveText(TAB);
  runtime.connect();
  leave();
  expect(await first.readAll(3)).toBeUndefined();
  const second = receiveText(TAB);
  runtime.connect();
  send({});
  send({});
  expect(await second.readAll(3)).toBeUndefined();
});

test("distinguishes the lost text of a closed page from a full disk", async () => {
  const { isReadable } = await aBrowser("cloned");
  expect(await isReadable(new Blob(["here"]))).toBe(true);
  const gone = new Blob(["gone"]);
  vi.spyOn(gone, "slice").mockReturnValue({
    arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")),
  } as unknown as Blob);
  expect(await isReadable(gone)).toBe(false);
});
