import { memoryStorage, type SyncStorage } from "../store.ts";

interface FallbackStorageDeps {
  disk: SyncStorage;
  /** Whether the browser denies all storage; called once. */
  isDenied: () => Promise<boolean>;
  /** Called when changes last only as long as the tab. */
  onDenied: () => void;
  newClientId: () => string;
}

/** Storage on disk, or in memory if the browser denies storage. In both cases changes go to the server at once. */
export function diskOrMemory({ disk, isDenied, onDenied, newClientId }: FallbackStorageDeps): SyncStorage {
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
