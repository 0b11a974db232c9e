import { readLocal, removeLocal, writeLocal } from "../browser/local.ts";

/** The storage key of the cached user. */
export const REMEMBERED_SESSION = "lamplight_session";
/** The account whose onboarding was completed here but not yet sent to the server. */
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

/** Whether onboarding is still ahead for this account, according to the cache. */
export const isNewHere = (): boolean => remembered()?.user?.onboardingComplete === false;

export const isWelcomeUnsent = (accountId: string): boolean => readLocal(UNSENT) === accountId;
export const keepWelcome = (accountId: string): void => writeLocal(UNSENT, accountId);
export const forgetWelcome = (): void => removeLocal(UNSENT);
