import { findActiveSession } from "./sessions/session-store.ts";
import type { Caller, Ctx } from "./handler.ts";

const CHECK_INTERVAL_MS = 250;

/** Ends a stream before its next event once the session that opened it has ended. */
export async function* guardStream<T>(
  events: AsyncGenerator<T>,
  { store, clock }: Ctx,
  caller: Caller | undefined,
): AsyncGenerator<T> {
  let checkedAt = performance.now();
  for await (const event of events) {
    if (caller && performance.now() - checkedAt >= CHECK_INTERVAL_MS) {
      if (!(await findActiveSession(store, caller.sessionId, clock.now()))) return;
      checkedAt = performance.now();
    }
    yield event;
  }
}
