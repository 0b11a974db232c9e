import type { Deps } from "#api/http/handler.ts";
import type { StoredAddress } from "#api/http/site/public-pages.ts";
import { screenPath } from "#shared/screens.ts";
import { utcDay } from "#shared/user/days.ts";
import { findSharedHead } from "./shared-content.ts";
import { isOwnerInactive, listListed } from "./store.ts";
import { TimedCache } from "./timed-cache.ts";

const MAX_ADDRESSES = 2000;
const MAX_AGE_MS = 10 * 60_000;

async function readAddresses({ store }: Pick<Deps, "store">): Promise<StoredAddress[]> {
  const addresses: StoredAddress[] = [];
  // Read one after the other, because anyone may request the sitemap.
  for (const share of await listListed(store, { limit: MAX_ADDRESSES })) {
    const isReadable = !(await isOwnerInactive(store, share)) && (await findSharedHead(store, share)) !== undefined;
    if (isReadable)
      addresses.push({
        path: screenPath("share", { share: share._id }),
        date: utcDay(share.createdAt),
        languages: ["en"],
      });
  }
  return addresses;
}

/** Returns a function that lists the newest listed shares for search engines. */
export function createShareAddresses(deps: Pick<Deps, "store" | "clock">): () => Promise<StoredAddress[]> {
  const cache = new TimedCache<StoredAddress[]>(MAX_AGE_MS, () => deps.clock.now());
  return () => cache.get("", () => readAddresses(deps));
}
