import { Failure } from "#shared/contract/failure.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { buildPublished, findPublished } from "#api/website/published-site.ts";
import { findShare } from "./store.ts";
import { VersionCache } from "./version-cache.ts";

/** Characters of all published sites cached in this process. */
const MAX_CACHED_CHARS = 48_000_000;

type Site = Awaited<ReturnType<typeof buildPublished>>;

const sizeOf = (site: Site): number => [...(site?.values() ?? [])].reduce((sum, { body }) => sum + body.length, 1);

/**
 * Returns a function that finds the published site of a share by its id; undefined if the share ended or was taken
 * down, or if its owner is disabled or leaving. The first visit builds the site, unless `beforeBuild` refuses. A
 * refusal applies only to the visitor who started the build; other visitors retry.
 */
export function createPublishedSiteFinder(
  store: DocumentStore,
): (shareId: string, beforeBuild: () => Promise<void>) => Promise<Site> {
  const sites = new VersionCache<Site>(MAX_CACHED_CHARS, sizeOf);
  return async (shareId, beforeBuild) => {
    const share = await findShare(store, shareId);
    if (share?.type !== "website_project") return undefined;
    const own = ownedBy(store, share.ownerId);
    const published = await findPublished(own, share.targetId);
    if (!published) return undefined;
    for (;;) {
      let hasStartedBuild = false;
      const build = async () => {
        hasStartedBuild = true;
        await beforeBuild();
        return buildPublished(own, published);
      };
      try {
        return await sites.get(shareId, published.checkpointId, build);
      } catch (error) {
        // Retry if the refusal was for another visitor.
        if (hasStartedBuild || !isRefusal(error)) throw error;
      }
    }
  };
}

const isRefusal = (error: unknown) => error instanceof Failure && error.code === "too_many_requests";
