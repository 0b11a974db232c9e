import { Failure } from "#shared/contract/failure.ts";
import type { Model, ChatRequest } from "#api/ai/port.ts";

/** A model whose answers all end after the given time from now, with the failure of a model that stopped. */
export function withTimeLimit(model: Model, ms: number): Model {
  const timeout = AbortSignal.timeout(ms);
  async function* chat(request: ChatRequest): AsyncGenerator<string> {
    try {
      yield* model.chat?.({ ...request, signal: AbortSignal.any([request.signal, timeout]) }) ?? [];
    } catch (error) {
      request.signal.throwIfAborted();
      throw timeout.aborted ? new Failure("model_unavailable", "model_stopped") : error;
    }
  }
  return { ...model, chat };
}
