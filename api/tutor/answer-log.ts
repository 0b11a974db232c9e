import { setTimeout as pause } from "node:timers/promises";
import type { Failure } from "#shared/contract/failure.ts";
import type { Message } from "#shared/tutor/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { isTextBefore, joinTextEvents, type LiveEvent, liveAnswers } from "./live-answers.ts";

/**
 * How often the answer is saved. Clients of this process receive words at once; after a crash the model is asked again.
 */
const SAVE_INTERVAL_MS = 1000;
/** Saves are aligned to these intervals so that concurrent answers share a commit. */
const COMMIT_INTERVAL_MS = 100;

type AnswerEnd =
  | { type: "error"; code: Failure["code"]; message: string }
  | { type: "done"; message: Message; title: string };

/** Publishes the events of an answer at once and saves them in batches. */
export class AnswerLog {
  #unsaved: LiveEvent[] = [];
  readonly #run: JobRun;
  readonly #log: Deps["log"];
  readonly #getLength: () => number;

  constructor(run: JobRun, log: Deps["log"], getLength: () => number) {
    this.#run = run;
    this.#log = log;
    this.#getLength = getLength;
  }

  add(event: LiveEvent): void {
    const last = this.#unsaved.at(-1);
    if (event.type === "text" && last && isTextBefore(last, event))
      this.#unsaved[this.#unsaved.length - 1] = joinTextEvents(last, event);
    else this.#unsaved.push(event);
    liveAnswers.publish(this.#run.job._id, event);
  }

  async savePeriodically(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = SAVE_INTERVAL_MS - (performance.now() % COMMIT_INTERVAL_MS);
      await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
      await this.save().catch((error: unknown) => {
        // A cancelled or lost run may no longer write; it is finalised elsewhere.
        if (!this.#run.signal.aborted) this.#log.error({ err: error }, "an answer could not be saved");
      });
    }
  }

  /** Saves the pending events, followed by `end`. */
  async save(end: readonly AnswerEnd[] = []): Promise<void> {
    const events = [...this.#unsaved, ...end];
    this.#unsaved = [];
    // Each save includes a checkpoint, so that a resumed run continues the numbering.
    if (events.length > 0) await this.#run.emit(events, { length: this.#getLength() });
  }
}
