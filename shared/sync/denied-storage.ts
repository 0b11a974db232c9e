import { memoryStorage, type SyncStorage } from "./store.ts";

interface Parts {
  disk: SyncStorage;
  /** Whether the browser lets nobody keep anything; asked once. */
  isDenied: () => Promise<boolean>;
  /** Told when what is made here lasts no longer than the tab. */
  onDenied: () => void;
  newClientId: () => string;
}

/** The disk, or where a browser denies it, memory: what is written there still goes to the server at once. */
export function diskOrMemory({ disk, isDenied, onDenied, newClientId }: Parts): SyncStorage {
  let chosen: Promise<SyncStorage> | undefined;
  const choose = async () => {
    if (!(await isDenied())) return disk;
    onDenied();
    return memoryStorage(newClientId());
  };
  const storage = () => (chosen ??= choose());
  return {
    transact: async (scope, work) => (await storage()).transact(scope, work),
    list: async (accountId) => (await storage()).list(accountId),
    wipe: async (accountId) => (await storage()).wipe(accountId),
  };
}
