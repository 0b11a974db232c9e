import { readLocal, removeLocal, writeLocal } from "../browser/local.ts";

/** What this browser remembers of who is signed in, as text. */
export const REMEMBERED_SESSION = "lamplight_session";
/** The account whose first steps are done here and not known to the server yet. */
const UNSENT = "lamplight_welcomed";

interface Remembered {
  user?: { _id?: unknown; onboardingComplete?: unknown };
}

function remembered(): Remembered | null {
  try {
    return JSON.parse(readLocal(REMEMBERED_SESSION) ?? "null") as Remembered | null;
  } catch {
    return null;
  }
}

/** Whether the first steps are still before this account, as far as this browser knows without asking. */
export const isNewHere = (): boolean => remembered()?.user?.onboardingComplete === false;

export const isWelcomeUnsent = (accountId: string): boolean => readLocal(UNSENT) === accountId;
export const keepWelcome = (accountId: string): void => writeLocal(UNSENT, accountId);
export const forgetWelcome = (): void => removeLocal(UNSENT);
