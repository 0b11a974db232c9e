import * as fc from "fast-check";
import { expect, test } from "vitest";
import { componentsOf } from "#api/pages/store.ts";
import type { SyncAnswer } from "#shared/sync/schema.ts";
import { memoryStorage, type SyncStorage } from "#shared/sync/store.ts";
import { ACCOUNT, type WrapServe } from "./simulated-server.ts";
import { ops, runScenario } from "./scenario.ts";
import type { Mutation } from "./world.ts";

const RUNS = 400;
const WRITE_LATE_MS = 1_000;

/** Gives every request a new id on its way, so that the server cannot recognise a repeated request. */
const withoutIds: WrapServe = (_server, serve) => {
  let count = 0;
  return async (requests) => {
    const names = new Map<string, string>();
    const renamed = requests.map((request) => {
      const id = `renamed-${(count += 1)}-0`;
      names.set(id, request.id);
      return { ...request, id };
    });
    const nameOf = (id: string) => names.get(id) ?? id;
    const answer = await serve(renamed);
    return {
      ...answer,
      success: answer.success.map(nameOf),
      failed: answer.failed.map((f) => ({ ...f, id: nameOf(f.id) })),
      versions: answer.versions.map((v) => ({ ...v, requestId: nameOf(v.requestId) })),
    } satisfies SyncAnswer;
  };
};

/** Makes every content update claim to be based on the server's current version. */
const withoutBases: WrapServe = (server, serve) => async (requests) => {
  const answers: SyncAnswer[] = [];
  for (const request of requests) {
    const components = await componentsOf(server.ctx.own).get(request.resourceId);
    const claimed = components ? { ...request, baseVersion: components.version } : request;
    answers.push(await serve([claimed]));
  }
  const all = <T>(part: (answer: SyncAnswer) => T[]) => answers.flatMap(part);
  const failed = all((a) => a.failed);
  return {
    success: all((a) => a.success),
    num_failed: failed.length,
    failed,
    parcels: [],
    versions: all((a) => a.versions),
  };
};

/** Confirms a change as stored once it is in memory, and writes it to disk a second later. */
const withoutPersisting: NonNullable<Mutation["storage"]> = (disk, schedule) => {
  let memory = memoryStorage("unnamed");
  let isDue = false;
  const writeLate = () => {
    if (isDue) return;
    isDue = true;
    const copied = memory;
    schedule(() => {
      isDue = false;
      if (copied === memory) void copy(memory, disk);
    }, WRITE_LATE_MS);
  };
  const storage: SyncStorage = {
    transact: async (scope, work) => {
      const result = await memory.transact(scope, work);
      writeLate();
      return result;
    },
    list: (accountId) => memory.list(accountId),
    wipe: (accountId) => memory.wipe(accountId),
  };
  const crash = () => {
    memory = memoryStorage("unnamed-again");
    isDue = false;
    void copy(disk, memory);
  };
  return { storage, crash };
};

async function copy(from: SyncStorage, to: SyncStorage): Promise<void> {
  const items = await from.list(ACCOUNT);
  await to.transact({ accountId: ACCOUNT }, (stored) => ({
    put: items,
    remove: stored.map((i) => i.request.id).filter((id) => !items.some((i) => i.request.id === id)),
    result: undefined,
  }));
}

const mutations: Record<string, Mutation> = {
  "request ids that the server recognises": { serve: withoutIds },
  "writing to disk before sending": { storage: withoutPersisting },
  "base versions": { serve: withoutBases },
  "the lock around sending": { lock: (_name, work) => work() },
};

test.each(Object.entries(mutations))(
  "without %s, some sequence of events breaks the sync property",
  async (_name, mutation) => {
    const found = await fc.check(
      fc.asyncProperty(ops, async (operations) => {
        expect(await runScenario(operations, mutation)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
    const [counterexample] = found.counterexample ?? [[]];
    // The same operations pass with the protection, so its absence was the cause.
    expect(await runScenario(counterexample)).toEqual([]);
  },
  120_000,
);
