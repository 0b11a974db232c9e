import { retentionMs } from "#shared/retention.ts";
import { ulid } from "ulid";
import type { Clock } from "#api/clock.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";
import type { AnswerPart, ModelRequest } from "./openai/answer-stream.ts";

/** A prompt sent to a model server for an account, and its answer. */
export interface PromptDoc extends OwnedDoc {
  model: string;
  system: string;
  turns: Pick<ModelRequest["turns"][number], "role" | "text">[];
  answer: string;
  at: number;
}

export const prompts: CollectionSpec<PromptDoc> = {
  name: "ai_prompts",
  shardKey: "ownerId",
  indexes: [{ fields: ["at"] }],
};

const RETENTION_MS = retentionMs("prompts");
const PRUNE_MS = 6 * 60 * 60 * 1000;

type AnswerParts = AsyncGenerator<AnswerPart>;

interface LoggedRequest {
  /** Required for logging, because an entry without an account could not be erased with it. */
  ownerId: string | undefined;
  model: string;
  modelRequest: Pick<ModelRequest, "system" | "turns">;
}

export interface PromptLog {
  /** Passes the parts of an answer through and logs them when the answer ends, even after a failure. */
  record(entry: LoggedRequest, parts: AnswerParts): AnswerParts;
}

/**
 * The log of prompts and answers, off by default. Entries are erased with their account and after 30 days, even if the
 * log has been turned off.
 */
export function createPromptLog(store: DocumentStore, clock: Clock, isEnabled: boolean): PromptLog {
  const log = store.collection(prompts);
  const prune = () => void log.remove({ at: { lt: clock.now() - RETENTION_MS } }).catch(() => undefined);
  prune();
  setInterval(prune, PRUNE_MS).unref();

  async function* logAnswer(
    { ownerId, model, modelRequest }: LoggedRequest & { ownerId: string },
    parts: AnswerParts,
  ): AnswerParts {
    let answer = "";
    try {
      for await (const part of parts) {
        if (part.type === "text") answer += part.text;
        yield part;
      }
    } finally {
      await parts.return(undefined);
      const turns = modelRequest.turns.map(({ role, text }) => ({ role, text }));
      await log.insert({ _id: ulid(), ownerId, model, system: modelRequest.system, turns, answer, at: clock.now() });
    }
  }

  return {
    record: ({ ownerId, ...entry }, parts) =>
      isEnabled && ownerId !== undefined ? logAnswer({ ...entry, ownerId }, parts) : parts,
  };
}
