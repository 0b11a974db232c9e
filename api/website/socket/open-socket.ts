import type { WebSocket } from "ws";
import { Failure } from "#shared/contract/failure.ts";
import { PREVIEW_IDLE_MS } from "#shared/website/chat-timing.ts";
import { ClientMessage, type ServerEvent } from "#shared/website/schema.ts";
import { authenticate } from "#api/http/authenticate.ts";
import type { Caller, Deps } from "#api/http/handler.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { findThreadJob, followMessage, startMessage, toComplete } from "../agent/message-job.ts";
import { previewKey } from "../site-state.ts";
import { findProject, findWebsiteThread, type ProjectDoc } from "../store.ts";

export const CLOSE_IDLE = 4000;
export const CLOSE_SIGNED_OUT = 4001;
export const CLOSE_NOT_FOUND = 4003;
const CLOSE_FAILED = 1011;
const PING_MS = 30_000;
/** If more bytes than this wait for a client, the client is too slow, and its socket is closed. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** Limit of unanswered frames of one client. */
const MAX_WAITING_FRAMES = 32;

/** What a client stated when it connected. */
export interface SocketRequest {
  token: string | undefined;
  projectId: string;
  threadId: string;
}

/** Thrown to close the socket with a code of the specification. */
class SocketRefusedError extends Error {
  readonly closeCode: number;

  constructor(closeCode: number) {
    super(`close code ${closeCode}`);
    this.closeCode = closeCode;
  }
}

async function requireCaller(deps: Deps, token: string | undefined): Promise<Caller> {
  try {
    const caller = await authenticate(deps, `Bearer ${token ?? ""}`);
    if (!caller.isExtension) return caller;
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 401) throw error;
  }
  throw new SocketRefusedError(CLOSE_SIGNED_OUT);
}

async function requireThreadOf(own: Own, projectId: string, threadId: string): Promise<ProjectDoc> {
  const [project, thread] = await Promise.all([findProject(own, projectId), findWebsiteThread(own, threadId)]);
  if (!project || thread?.projectId !== projectId) throw new SocketRefusedError(CLOSE_NOT_FOUND);
  return project;
}

/** One connection of a client to a thread of a project, from the handshake to its end. */
export class OpenSocket {
  readonly #deps: Deps;
  readonly #socket: WebSocket;
  readonly #request: SocketRequest;
  readonly #abort = new AbortController();
  #lastFrameAt: number;
  /** Messages of a client are handled in the order in which they arrive. */
  #work: Promise<unknown> = Promise.resolve();
  #waitingFrames = 0;
  #followed: string | undefined;
  accountId: string | undefined;
  readonly #onMessage: (from: OpenSocket) => void;

  constructor(deps: Deps, socket: WebSocket, request: SocketRequest, onMessage: (from: OpenSocket) => void) {
    this.#deps = deps;
    this.#onMessage = onMessage;
    this.#socket = socket;
    this.#request = request;
    this.#lastFrameAt = deps.clock.now();
    socket.on("message", (data) => {
      this.#lastFrameAt = deps.clock.now();
      // A client that sends faster than it is answered would fill the memory with waiting frames.
      if (this.#waitingFrames >= MAX_WAITING_FRAMES) return this.terminate();
      this.#waitingFrames += 1;
      const text = Buffer.isBuffer(data) ? data.toString("utf8") : "";
      void this.#queue(() => this.#receive(text)).finally(() => (this.#waitingFrames -= 1));
    });
    socket.on("error", () => socket.terminate());
    socket.once("close", () => this.#abort.abort());
  }

  /**
   * Admits the client, or closes the socket with the code for the reason. In both cases the handshake is already
   * complete.
   */
  async open(): Promise<void> {
    const admitted = this.#queue(async () => {
      const { own, project } = await this.#admit();
      this.accountId = own.ownerId;
      this.#send({ type: "connection-established" });
      const key = previewKey(project);
      const unsubscribe = this.#deps.previews.listen(key, (event) => this.#send(event));
      const timer = setInterval(() => void this.#queue(() => this.#tick(key)), PING_MS);
      timer.unref();
      this.#abort.signal.addEventListener("abort", () => {
        unsubscribe();
        clearInterval(timer);
      });
      const { dev_url: url } = this.#deps.previews.read(key);
      if (url !== null) {
        this.#send({ type: "dev_server_update", status: "running" });
        this.#send({ type: "dev_url_update", dev_url: url });
      }
    });
    await admitted;
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Runs `work` after all earlier work; a refusal closes the socket with its code. */
  #queue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work).catch((error: unknown) => {
      if (error instanceof SocketRefusedError) this.close(error.closeCode);
      else {
        this.#deps.log.error({ err: error }, "a website socket failed");
        this.close(CLOSE_FAILED);
      }
    });
    this.#work = done;
    return done;
  }

  async #admit(): Promise<{ own: Own; caller: Caller; project: ProjectDoc }> {
    const { token, projectId, threadId } = this.#request;
    const caller = await requireCaller(this.#deps, token);
    const own = ownedBy(this.#deps.store, caller.userId);
    return { own, caller, project: await requireThreadOf(own, projectId, threadId) };
  }

  async #tick(key: string): Promise<void> {
    if (this.#deps.clock.now() - this.#lastFrameAt >= PREVIEW_IDLE_MS) throw new SocketRefusedError(CLOSE_IDLE);
    // If the session has ended in the meantime, its sockets end as well.
    await requireCaller(this.#deps, this.#request.token);
    this.#deps.previews.touch(key);
    this.#socket.ping();
  }

  async #receive(text: string): Promise<void> {
    const message = parseMessage(text);
    if (!message) return;
    const { own, caller, project } = await this.#admit();
    const { threadId } = this.#request;
    if (message.type === "user_message") {
      if (message.projectId !== project.projectId || message.threadId !== threadId)
        throw new SocketRefusedError(CLOSE_NOT_FOUND);
      if (message.message.trim() === "") return;
      const refusal = await startMessage(this.#deps, own, caller, message);
      if (refusal) {
        const refused = message.messageId === undefined ? {} : { refusedId: message.messageId };
        this.#send({ ...toComplete(refusal), ...refused });
        return;
      }
    }
    if (message.type === "cancel_message") {
      const job = await findThreadJob(this.#deps, own, this.#request);
      if (job) await this.#deps.jobs.cancel(own.ownerId, job._id);
      return;
    }
    await this.#follow(own, message.type === "user_message");
    if (message.type === "user_message") this.#onMessage(this);
  }

  /** Shows a message that another socket of the same thread has sent. */
  followMessageOf(other: OpenSocket): void {
    const isSameThread = this.#request.threadId === other.#request.threadId && this.accountId === other.accountId;
    if (!isSameThread || this === other || this.accountId === undefined) return;
    const own = ownedBy(this.#deps.store, this.accountId);
    void this.#queue(() => this.#follow(own, true));
  }

  /**
   * Sends the events of the message that is being processed, from its beginning, so that a reconnect misses nothing. A
   * message that ended before the client connected is in the thread that the client loads.
   */
  async #follow(own: Own, isNew: boolean): Promise<void> {
    const job = await findThreadJob(this.#deps, own, this.#request);
    if (!job || job._id === this.#followed || (!isNew && !isActive(job))) return;
    this.#followed = job._id;
    void this.#sendEvents(own, job._id);
  }

  async #sendEvents(own: Own, job: string): Promise<void> {
    try {
      const followed = { job, threadId: this.#request.threadId, signal: this.#abort.signal };
      for await (const event of followMessage(this.#deps, own, followed)) this.#send(event);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#deps.log.error({ err: error }, "the events of a website message could not be read");
      this.close(CLOSE_FAILED);
    }
  }

  #send(event: ServerEvent): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) this.terminate();
    else this.#socket.send(JSON.stringify(event));
  }
}

function parseMessage(text: string): ClientMessage | undefined {
  try {
    return ClientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
