import type { Clock } from "./clock.ts";
import { createModels } from "#api/ai/models.ts";
import type { Deps } from "#api/http/handler.ts";
import { createJobs } from "#api/jobs/job-queue.ts";
import type { Log } from "./log.ts";
import { createMailer } from "#api/outside/mailer.ts";
import { createFetchOutside } from "#api/outside/fetch-outside.ts";
import { getPublicUrl, getSitesPort, type Settings } from "./settings.ts";
import { createIndexer } from "#api/library/indexer.ts";
import { createPublishedSiteFinder } from "#api/sharing/published-sites.ts";
import { openStorage } from "./open-storage.ts";
import { closeBuilders } from "#api/website/build/build-site.ts";
import { DevServers } from "#api/website/preview/dev-servers.ts";
import { Sites } from "#api/website/preview/sites.ts";

interface RunningApi {
  deps: Deps;
  /** Damage of the database, if any; the database is then read-only. */
  damage: string | undefined;
  /** Ends open sockets and previews, so that the server can close. */
  closePreviews(): void;
  /** Starts the second listener, on which generated websites are served; `port` is that of the app. */
  listenForSites(port: number): Promise<void>;
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
  const sites = new Sites(settings.SITES_URL);
  const previews = new DevServers(sites, clock);
  sites.addFinder(createPublishedSiteFinder(store));
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
    previews,
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
    listenForSites: (port) => listenForSites(sites, settings, port),
    closePreviews: () => previews.close(),
    async close() {
      previews.close();
      await sites.close();
      closeBuilders();
      // Stop the indexer first, because jobs wait for it.
      await indexer.stop();
      await jobs.stop();
      await index.close();
      await blobs.close();
      await store.close();
    },
  };
}

/** If no address is configured, sites are served on the app's own host, on the next port. */
function listenForSites(sites: Sites, settings: Settings, port: number): Promise<void> {
  const publicUrl = new URL(getPublicUrl({ ...settings, PORT: port }));
  const localOrigins = ["localhost", "127.0.0.1"].map((host) => `http://${host}:${port}`);
  sites.appOrigins = settings.PUBLIC_URL === undefined ? localOrigins : [publicUrl.origin];
  return sites.listen({ port: getSitesPort(settings), host: settings.HOST, publicHost: publicUrl.hostname });
}
