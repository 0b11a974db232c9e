import { applyChanges } from "#api/sync-dispatcher.ts";
import { handlers as pages } from "#api/pages/handlers.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { ResourceGroup } from "#shared/sync/batching.ts";
import type { SyncAnswer, SyncRequest } from "#shared/sync/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { storeWithWriteHook } from "./write-hook.ts";

export const ACCOUNT = "ann";

class CrashError extends Error {}

/** The real handlers on a store; `crashAfter` simulates a process that dies between its writes. */
export function simulatedServer(clock: { now(): number }, documents: DocumentStore) {
  let writesLeft = Number.POSITIVE_INFINITY;
  let isDown = false;
  let pending = 0;
  const store = storeWithWriteHook(documents, (step) => {
    if (isDown) throw new CrashError();
    if (step === "before" && writesLeft <= 0) isDown = true;
    if (step === "after" && (writesLeft -= 1) < 0) isDown = true;
    if (isDown) throw new CrashError();
  });
  const log = { error: () => undefined, info: () => undefined };
  const ctx = { own: ownedBy(store, ACCOUNT), store, clock, log, requestId: "" } as unknown as UserCtx;
  return {
    ctx,
    async apply(requests: readonly SyncRequest[]): Promise<SyncAnswer> {
      pending += 1;
      try {
        return await applyChanges(ctx, structuredClone(requests));
      } finally {
        pending -= 1;
      }
    },
    /** Whether a call is being served. The clock does not advance meanwhile. */
    isBusy: () => pending > 0,
    /** Runs a call on a process that dies at its n-th write, before the write is on disk or just after it. */
    async crashAfter(writes: number, call: () => Promise<unknown>): Promise<void> {
      writesLeft = writes;
      await call().catch(() => undefined);
      writesLeft = Number.POSITIVE_INFINITY;
      isDown = false;
    },
    readPage: async (id: string) => structuredClone(await pages.getPage(ctx, { id })),
    async historyOf(id: string): Promise<unknown[]> {
      return (await pages.listHistory(ctx, { id })).versions.map((version) => version.content);
    },
  };
}

export type Server = ReturnType<typeof simulatedServer>;
export type Serve = (requests: readonly SyncRequest[]) => Promise<SyncAnswer>;

/** Wraps the server's handling of requests, so that a mutation can remove a protection there. */
export type WrapServe = (server: Server, serve: Serve) => Serve;

export const requestsOf = (batches: readonly ResourceGroup[]): SyncRequest[] =>
  batches.flatMap((batch) => batch.requests);
