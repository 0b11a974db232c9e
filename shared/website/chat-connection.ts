import { ATTEMPTS, BREAKER_FAILURES, BREAKER_RESET_MS, CONNECT_TIMEOUT_MS, RETRY_MS } from "./chat-timing.ts";
import { type ClientMessage, ServerEvent } from "./schema.ts";

/** Why a connection is closed, as far as a student needs to know. */
export type ConnectionFault = "signed_out" | "not_found" | "lost";

/** The part of a WebSocket that is used; a test passes its own. */
export interface SocketPort {
  onMessage: ((event: { data: unknown }) => void) | null;
  onClose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface ConnectionPort {
  open(protocols: string[], query: string): SocketPort;
  token(): Promise<string | undefined>;
  now(): number;
  /** Calls back after a time; returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
  onEvent(event: ServerEvent): void;
  /** An open connection was closed; null without an error. */
  onClosed(fault: ConnectionFault | null): void;
}

/** What a close code means: 4000 is an idle disconnect, 1000 and 1001 are ordinary ends. */
export function faultOfCode(code: number): ConnectionFault | null {
  if (code === 4001) return "signed_out";
  if (code === 4003) return "not_found";
  return code === 4000 || code === 1000 || code === 1001 ? null : "lost";
}

export class ConnectError extends Error {
  /** `superseded`: another connection was requested in the meantime. */
  readonly fault: ConnectionFault | "no_token" | "superseded";

  constructor(fault: ConnectError["fault"]) {
    super(fault === "no_token" ? "No authentication token available" : fault);
    this.fault = fault;
  }
}

/** Stops trying for a while after repeated failures; then one attempt decides. */
export class CircuitBreaker {
  #failures = 0;
  #openedAt = 0;

  canTry(now: number): boolean {
    return this.#failures < BREAKER_FAILURES || now - this.#openedAt >= BREAKER_RESET_MS;
  }

  succeed(): void {
    this.#failures = 0;
  }

  fail(now: number): void {
    this.#failures += 1;
    if (this.#failures >= BREAKER_FAILURES) this.#openedAt = now;
  }
}

/** A thread id of the server must be real before a socket is opened for it. */
export const isValidId = (id: string | undefined | null): id is string =>
  id !== undefined && id !== null && id !== "" && id !== "undefined" && id !== "null";

/** One connection to a thread, with retries. A connection to another thread closes it. */
export class WebsiteConnection {
  readonly #port: ConnectionPort;
  readonly #breaker = new CircuitBreaker();
  #socket: SocketPort | undefined;
  #threadId: string | undefined;
  /** The current attempt to connect; an earlier one to another thread is abandoned. */
  #attempt: { threadId: string; done: Promise<void> } | undefined;

  constructor(port: ConnectionPort) {
    this.#port = port;
  }

  isOpenFor(threadId: string): boolean {
    return this.#socket !== undefined && this.#threadId === threadId;
  }

  /** Connects to a thread; throws `ConnectError` after the last attempt. */
  async connect(projectId: string, threadId: string): Promise<void> {
    if (this.isOpenFor(threadId)) return;
    if (this.#attempt?.threadId === threadId) return this.#attempt.done;
    this.close();
    const attempt = { threadId, done: Promise.resolve() };
    this.#attempt = attempt;
    attempt.done = this.#connectWithRetries(projectId, threadId, () => this.#attempt === attempt);
    try {
      await attempt.done;
    } finally {
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  async #connectWithRetries(projectId: string, threadId: string, isWanted: () => boolean): Promise<void> {
    if (!this.#breaker.canTry(this.#port.now())) throw new ConnectError("lost");
    for (let attempt = 1; ; attempt += 1) {
      try {
        const socket = await this.#connectOnce(projectId, threadId);
        this.#breaker.succeed();
        if (!isWanted()) {
          release(socket);
          throw new ConnectError("superseded");
        }
        this.#adopt(socket, threadId);
        return;
      } catch (error) {
        const isFinal = !(error instanceof ConnectError) || error.fault !== "lost";
        if (!isFinal) this.#breaker.fail(this.#port.now());
        if (isFinal || attempt >= ATTEMPTS) throw error;
        await this.#wait(RETRY_MS * 2 ** (attempt - 1));
        if (!isWanted()) throw new ConnectError("superseded");
      }
    }
  }

  /** Sends a message; up to three attempts, each on a fresh connection if the last is gone. False if none succeeded. */
  async send(projectId: string, message: Extract<ClientMessage, { type: "user_message" }>): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        await this.connect(projectId, message.threadId);
        this.#socket?.send(JSON.stringify(message));
        return true;
      } catch (error) {
        if (!(error instanceof ConnectError) || error.fault !== "lost") throw error;
        if (attempt < ATTEMPTS) await this.#wait(RETRY_MS * attempt);
      }
    }
    return false;
  }

  post(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** Closes without a fault. */
  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#threadId = undefined;
    this.#attempt = undefined;
    if (socket) release(socket);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#port.after(ms, resolve));
  }

  async #connectOnce(projectId: string, threadId: string): Promise<SocketPort> {
    const token = await this.#port.token();
    if (token === undefined) throw new ConnectError("no_token");
    const query = new URLSearchParams({ projectId, threadId }).toString();
    const socket = this.#port.open(["lamplight.v1", `bearer.${token}`], query);
    await new Promise<void>((resolve, reject) => {
      const cancelTimer = this.#port.after(CONNECT_TIMEOUT_MS, () => {
        socket.onClose = null;
        socket.close();
        reject(new ConnectError("lost"));
      });
      socket.onClose = ({ code }) => {
        cancelTimer();
        reject(new ConnectError(faultOfCode(code) ?? "lost"));
      };
      // A completed handshake is not enough: the server admits or refuses the client afterwards.
      socket.onMessage = ({ data }) => {
        if (readEvent(data)?.type !== "connection-established") return;
        cancelTimer();
        resolve();
      };
    });
    return socket;
  }

  #adopt(socket: SocketPort, threadId: string): void {
    this.#socket = socket;
    this.#threadId = threadId;
    socket.onMessage = ({ data }) => {
      const event = readEvent(data);
      if (event) this.#port.onEvent(event);
    };
    socket.onClose = ({ code }) => {
      this.#socket = undefined;
      this.#threadId = undefined;
      const fault = faultOfCode(code);
      if (fault === "lost") this.#breaker.fail(this.#port.now());
      this.#port.onClosed(fault);
    };
    socket.send(JSON.stringify({ type: "client_ready" }));
  }
}

function release(socket: SocketPort): void {
  socket.onClose = null;
  socket.onMessage = null;
  socket.close(1000);
}

function readEvent(data: unknown): ServerEvent | undefined {
  try {
    return ServerEvent.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}
