import { useEffect, useState } from "react";
import { listen } from "./channel.ts";
import { type Account, readSetting } from "./disk.ts";

/** Who is connected: undefined while that is being read, null where nobody is. */
export function useAccount(): Account | null | undefined {
  const [account, setAccount] = useState<Account | null>();
  useEffect(() => {
    const read = () => void readSetting("account").then((found) => setAccount(found ?? null));
    read();
    return listen("account", read);
  }, []);
  return account;
}
