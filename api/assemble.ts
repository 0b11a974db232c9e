import type { Clock } from "./clock.ts";
import { createModels } from "#api/ai/models.ts";
import type { Deps } from "#api/http/handler.ts";
import { createJobs } from "#api/jobs/job-queue.ts";
import type { Log } from "./log.ts";
import { createMailer } from "#api/outside/mailer.ts";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import type { Settings } from "./settings.ts";
import { createIndexer } from "#api/library/indexer.ts";
import { openStorage } from "./open-storage.ts";

interface RunningApi {
  deps: Deps;
  /** What is wrong with the database: only reading is then possible. */
  damage: string | undefined;
  /** Stops background work without losing anything, then closes the store. */
  close(): Promise<void>;
}

/** Opens everything that outlives a request. */
export async function assemble(settings: Settings, { clock, log }: { clock: Clock; log: Log }): Promise<RunningApi> {
  const { store, blobs, index, damage, laterDamage } = await openStorage(settings);
  const jobs = createJobs({ store, clock, log });
  const models = createModels({ settings, store, clock, log });
  const fetchOutside = createFetchOutside({ allowedHosts: settings.FETCH_ALLOW_HOSTS });
  const indexer = createIndexer({ settings, store, blobs, index, models, clock, log });
  const deps: Deps = {
    settings,
    store,
    blobs,
    index,
    indexer,
    jobs,
    models,
    mailer: createMailer(settings),
    fetchOutside,
    clock,
    log,
  };
  if (damage === undefined) {
    jobs.start();
    indexer.start();
  }
  const stopWhenDamaged = async () => {
    const found = await laterDamage;
    if (found === undefined) return;
    log.error({ damage: found }, "the database is damaged: it is served read-only. See npm run rescue");
    await indexer.stop();
    await jobs.stop();
  };
  void stopWhenDamaged();
  return {
    deps,
    damage,
    async close() {
      // First, because jobs wait for it.
      await indexer.stop();
      await jobs.stop();
      await index.close();
      await blobs.close();
      await store.close();
    },
  };
}
