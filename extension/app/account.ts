import { useEffect, useState } from "react";
import { listen } from "./channel.ts";
import { type Account, readSetting } from "./settings-store.ts";

/** The connected account: undefined while loading, null if there is none. */
export function useAccount(): Account | null | undefined {
  const [account, setAccount] = useState<Account | null>();
  useEffect(() => {
    const read = () => void readSetting("account").then((found) => setAccount(found ?? null));
    read();
    return listen("account", read);
  }, []);
  return account;
}
