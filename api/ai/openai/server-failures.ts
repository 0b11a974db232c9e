/**
 * The model server refused the request with this status, or could not be reached. Omits the server's message, which may
 * contain keys or prompts.
 */
export class ServerRefusedError extends Error {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** The server's Retry-After, if any. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number | undefined, retryAfterMs?: number) {
    super(status === undefined ? "the model server could not be reached" : `the model server answered ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The model server sent nothing for too long. */
export class ModelSilentError extends Error {}
/** The stream ended before the answer was complete. */
export class StreamCutError extends Error {}
