import { Failure } from "#shared/contract/failure.ts";
import type { ChangeEvent } from "#shared/sync/schema.ts";
import { waitForChange, readChanges } from "#api/store/account-changes.ts";
import type { UserCtx } from "#api/http/handler.ts";

const HEARTBEAT_MS = 15_000;
/** Streams end regularly so that clients reconnect and are authenticated again. */
const MAX_STREAM_MS = 5 * 60_000;
const MAX_STREAMS = 30;

const openStreams = new Map<string, number>();

/** Streams the account's changes after a sequence number, then new ones. */
export async function* followAccountChanges(
  { caller, own, signal }: UserCtx,
  after: number | undefined,
): AsyncGenerator<ChangeEvent> {
  const count = openStreams.get(caller.userId) ?? 0;
  if (count >= MAX_STREAMS) throw new Failure("too_many_requests", "too_many_browsers");
  openStreams.set(caller.userId, count + 1);
  try {
    const initial = await readChanges(own, after);
    yield toChangeEvent(initial);
    const endsAtMs = performance.now() + MAX_STREAM_MS;
    let { seq } = initial;
    let heartbeatAt = performance.now() + HEARTBEAT_MS;
    while (!signal.aborted && performance.now() < endsAtMs) {
      await waitForChange(own, signal);
      if (signal.aborted) return;
      const update = await readChanges(own, seq);
      if (update.seq !== seq) yield toChangeEvent(update);
      else if (performance.now() >= heartbeatAt) yield { type: "beat", seq };
      else continue;
      seq = update.seq;
      heartbeatAt = performance.now() + HEARTBEAT_MS;
    }
  } finally {
    const remainingStreams = (openStreams.get(caller.userId) ?? 1) - 1;
    if (remainingStreams === 0) openStreams.delete(caller.userId);
    else openStreams.set(caller.userId, remainingStreams);
  }
}

const toChangeEvent = ({ seq, changes }: Awaited<ReturnType<typeof readChanges>>): ChangeEvent => ({
  type: "changes",
  seq,
  changes: changes ?? [{ kind: "everything", ids: [] }],
});
