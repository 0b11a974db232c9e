/** A model server did not serve: it refused, with this status, or it could not be reached. Its words are not kept: they may hold keys or prompts. */
export class ServerRefused extends Error {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** How long it asked to be left alone. */
  readonly waitMs: number | undefined;

  constructor(status: number | undefined, waitMs?: number) {
    super(status === undefined ? "the model server could not be reached" : `the model server answered ${status}`);
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** The model server said nothing for too long. */
export class ModelSilent extends Error {}
/** The stream ended before the answer did. */
export class StreamCut extends Error {}
