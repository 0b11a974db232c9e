import { listen } from "./channel.ts";
import { type Account, readSetting } from "./settings-store.ts";

let cached: Promise<Account | undefined> | undefined;

const clearCache = () => {
  cached = undefined;
};
// Subscribes at module load, so that the cache is cleared before other listeners read it.
listen("account", clearCache);

/**
 * The connected account, cached until it changes. For display only: code that stores or sends must read it from disk,
 * because a change notification may still be on its way.
 */
export const findCachedAccount = (): Promise<Account | undefined> =>
  (cached ??= readSetting("account").catch((error: unknown) => {
    clearCache();
    throw error;
  }));
