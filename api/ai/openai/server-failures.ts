/** The model server refused the request with this status. Omits the server's message, which may contain keys or prompts. */
export class ServerRefusedError extends Error {
  readonly status: number;
  /** The server's Retry-After, if any. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfterMs?: number) {
    super(`the model server answered ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** There was no response: the model server could not be reached, or the connection broke before. */
export class ServerUnreachableError extends Error {
  constructor() {
    super("the model server could not be reached");
  }
}

/** The model server sent nothing for too long. */
export class ModelSilentError extends Error {}
/** The stream ended before the answer was complete. */
export class StreamCutError extends Error {}
