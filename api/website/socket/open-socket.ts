import type { WebSocket } from "ws";
import { Failure } from "#shared/contract/failure.ts";
import { PREVIEW_IDLE_MS } from "#shared/website/rules.ts";
import { ClientMessage, type ServerEvent } from "#shared/website/schema.ts";
import { authenticate } from "#api/http/authenticate.ts";
import type { Caller, Deps } from "#api/http/handler.ts";
import { isActive } from "#api/jobs/jobs-port.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { followMessage, startMessage } from "../agent/message-job.ts";
import { previewKey } from "../site-state.ts";
import { findProject, findWebsiteThread, type ProjectDoc } from "../store.ts";

export const CLOSE_IDLE = 4000;
export const CLOSE_SIGNED_OUT = 4001;
export const CLOSE_NOT_FOUND = 4003;
const PING_MS = 30_000;
/** A client that reads slower than this is too slow: what waits for it is dropped with its socket. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** What a client named when it connected. */
export interface SocketRequest {
  token: string | undefined;
  projectId: string;
  threadId: string;
}

/** A closed socket with a code of the specification. */
class Refused extends Error {
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
  throw new Refused(CLOSE_SIGNED_OUT);
}

async function requireThreadOf(own: Own, projectId: string, threadId: string): Promise<ProjectDoc> {
  const [project, thread] = await Promise.all([findProject(own, projectId), findWebsiteThread(own, threadId)]);
  if (!project || thread?.projectId !== projectId) throw new Refused(CLOSE_NOT_FOUND);
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
  #followed: string | undefined;
  accountId: string | undefined;

  constructor(deps: Deps, socket: WebSocket, request: SocketRequest) {
    this.#deps = deps;
    this.#socket = socket;
    this.#request = request;
    this.#lastFrameAt = deps.clock.now();
    socket.on("message", (data) => {
      this.#lastFrameAt = deps.clock.now();
      const text = Buffer.isBuffer(data) ? data.toString("utf8") : "";
      void this.#queue(() => this.#receive(text));
    });
    socket.on("error", () => socket.terminate());
    socket.once("close", () => this.#abort.abort());
  }

  /** Admits the client or closes with the code that says why not; the handshake is complete before either. */
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

  /** Runs `work` after what came before it; a refusal closes the socket with its code. */
  #queue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work).catch((error: unknown) => {
      if (error instanceof Refused) this.close(error.closeCode);
      else {
        this.#deps.log.error({ err: error }, "a website socket failed");
        this.close(1011);
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
    if (this.#deps.clock.now() - this.#lastFrameAt >= PREVIEW_IDLE_MS) throw new Refused(CLOSE_IDLE);
    // A session that ended in the meantime ends its sockets as well.
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
      if (message.projectId !== project.projectId || message.threadId !== threadId) throw new Refused(CLOSE_NOT_FOUND);
      if (message.message.trim() === "") return;
      const outcome = await startMessage(this.#deps, own, caller, message);
      if (outcome.error !== undefined) {
        this.#send({ type: "message_processing_complete", success: false, error: outcome.error });
        return;
      }
    }
    if (message.type === "cancel_message") {
      await this.#deps.jobs.cancel(own.ownerId, await this.#jobOf(own));
      return;
    }
    void this.#follow(own, project.projectId, message.type === "user_message");
  }

  async #jobOf(own: Own): Promise<string> {
    return (await findProject(own, this.#request.projectId))?.messageJob ?? "";
  }

  /**
   * Sends the events of the message that is being processed, from its beginning, so that a reconnect misses nothing. What
   * ended before a client connected is in the thread that it loads.
   */
  async #follow(own: Own, projectId: string, isNew: boolean): Promise<void> {
    const job = await this.#jobOf(own);
    if (job === "" || job === this.#followed) return;
    const stored = await this.#deps.jobs.get(own.ownerId, job);
    if (!stored || (!isNew && !isActive(stored))) return;
    this.#followed = job;
    for await (const event of followMessage(this.#deps, own, { job, projectId, signal: this.#abort.signal }))
      this.#send(event);
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
