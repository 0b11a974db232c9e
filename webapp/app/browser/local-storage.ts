import { logWarning } from "../log.ts";

/** Reads local storage, which may be blocked or full. Nothing essential is stored there. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeLocal(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch (error) {
    logWarning(`Could not store ${key} in this browser`, error);
  }
}

export function removeLocal(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch (error) {
    logWarning(`Could not remove ${key} from this browser`, error);
  }
}

/** Removes all local and session storage entries whose key contains the account's id. */
export function removeAccountEntries(accountId: string): void {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (key.includes(accountId)) storage.removeItem(key);
  } catch (error) {
    logWarning("Could not remove an account's data from this browser", error);
  }
}
