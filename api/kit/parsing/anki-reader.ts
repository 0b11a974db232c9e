import { fileURLToPath } from "node:url";
import type { AnkiFault, FromAnki, OutgoingDeck, ToAnki } from "./anki-messages.ts";
import { startConfined } from "./confined.ts";
import { SILENCED } from "./watchdog.ts";

const CHILD = fileURLToPath(new URL("./anki-child.ts", import.meta.url));
const HEAP_MB = 900;
/** One that works for too long ends by itself; this is for one that hangs. */
const SILENCE_MS = 120_000;
const MAX_MS = 600_000;
const MAX_AT_ONCE = 2;

/** A package that cannot be read or written, with the reason. */
export class AnkiTrouble extends Error {
  readonly fault: AnkiFault;

  constructor(fault: AnkiFault) {
    super(`Package: ${fault}`);
    this.name = "AnkiTrouble";
    this.fault = fault;
  }
}

const waiting: (() => void)[] = [];
let running = 0;

async function takePlace(): Promise<void> {
  if (running < MAX_AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function leavePlace(): void {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}

/** Asks a process of its own, and yields what it answers; it is gone afterwards, whatever happened. */
async function* ask(request: ToAnki, signal: AbortSignal | undefined): AsyncGenerator<FromAnki> {
  await takePlace();
  const child = startConfined(CHILD, { heapMb: HEAP_MB, usesNativeCode: false });
  const inbox: FromAnki[] = [];
  let wake: (() => void) | undefined;
  let fault: AnkiFault | undefined;
  let isOver = false;
  const end = (why: AnkiFault) => {
    fault ??= why;
    isOver = true;
    child.kill("SIGKILL");
    wake?.();
  };
  const abort = () => end("crashed");
  const total = setTimeout(() => end("timeout"), MAX_MS);
  let silence = setTimeout(() => end("timeout"), SILENCE_MS);
  signal?.addEventListener("abort", abort, { once: true });
  child.on("message", (message) => {
    clearTimeout(silence);
    silence = setTimeout(() => end("timeout"), SILENCE_MS);
    inbox.push(message as FromAnki);
    wake?.();
  });
  child.on("error", () => end("crashed"));
  child.on("exit", (code, by) => {
    if (code !== 0) fault ??= by === SILENCED ? "timeout" : "crashed";
    isOver = true;
    wake?.();
  });
  try {
    child.send(request, (error) => error && end("crashed"));
    for (;;) {
      const message = inbox.shift();
      if (message) yield message;
      else if (isOver) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    signal?.throwIfAborted();
    if (fault) throw new AnkiTrouble(fault);
  } finally {
    clearTimeout(total);
    clearTimeout(silence);
    signal?.removeEventListener("abort", abort);
    child.kill("SIGKILL");
    leavePlace();
  }
}

/** Reads a package (.apkg, .colpkg or a bare collection) of any age; throws `AnkiTrouble`. */
export async function* readAnki(path: string, signal?: AbortSignal): AsyncGenerator<FromAnki> {
  for await (const message of ask({ type: "read", path }, signal)) {
    if (message.type === "failed") throw new AnkiTrouble(message.fault);
    yield message;
  }
}

/** A deck as a package that Anki opens. */
export async function writeAnki(deck: OutgoingDeck, signal?: AbortSignal): Promise<Uint8Array> {
  for await (const message of ask({ type: "write", deck }, signal)) {
    if (message.type === "failed") throw new AnkiTrouble(message.fault);
    if (message.type === "written") return message.bytes;
  }
  throw new AnkiTrouble("crashed");
}
