import { listen } from "./channel.ts";
import { type Account, readSetting } from "./disk.ts";

let held: Promise<Account | undefined> | undefined;

const forget = () => {
  held = undefined;
};
// Subscribes at module load, so that the cache is cleared before other listeners read it.
listen("account", forget);

/**
 * The connected account, cached until it changes. For display only: code that stores or sends must read it from disk,
 * because a change notification may still be on its way.
 */
export const accountHere = (): Promise<Account | undefined> =>
  (held ??= readSetting("account").catch((error: unknown) => {
    forget();
    throw error;
  }));
