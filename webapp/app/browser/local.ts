import { logTrouble } from "../log.ts";

/** Local storage may be forbidden or full; what lies there only makes things quicker or nicer. */
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
    logTrouble(`Could not keep ${key} in this browser`, error);
  }
}

export function removeLocal(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch (error) {
    logTrouble(`Could not remove ${key} from this browser`, error);
  }
}

/** Nothing stays in this tab and browser under a name that holds the account's id. */
export function removeLocalOf(accountId: string): void {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (key.includes(accountId)) storage.removeItem(key);
  } catch (error) {
    logTrouble("Could not remove what this browser kept of an account", error);
  }
}
