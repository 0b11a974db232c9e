import { listen } from "./channel.ts";
import { type Account, readSetting } from "./disk.ts";

let held: Promise<Account | undefined> | undefined;

const forget = () => {
  held = undefined;
};
// Here, so that it is heard before whoever shows something of an account hears it.
listen("account", forget);

/**
 * Who is connected, read from disk once for each change. For what is shown alone: what is kept or sent asks the disk,
 * since news of another document may still be on its way.
 */
export const accountHere = (): Promise<Account | undefined> =>
  (held ??= readSetting("account").catch((error: unknown) => {
    forget();
    throw error;
  }));
