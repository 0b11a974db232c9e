import { SESSION_CACHE_KEY } from "#shared/user/session-cache.ts";
import { readLocal, removeLocal, writeLocal } from "../browser/local-storage.ts";

/** The account whose onboarding was completed here but not yet sent to the server. */
const UNSENT_KEY = "lamplight_welcomed";

interface CachedSession {
  user?: { _id?: unknown; onboardingComplete?: unknown };
}

function readCachedSession(): CachedSession | null {
  try {
    return JSON.parse(readLocal(SESSION_CACHE_KEY) ?? "null") as CachedSession | null;
  } catch {
    return null;
  }
}

/** Whether the account has not completed onboarding yet, according to the cache. */
export const isOnboardingPending = (): boolean => readCachedSession()?.user?.onboardingComplete === false;

export const isOnboardingUnsent = (accountId: string): boolean => readLocal(UNSENT_KEY) === accountId;
export const saveUnsentOnboarding = (accountId: string): void => writeLocal(UNSENT_KEY, accountId);
export const clearUnsentOnboarding = (): void => removeLocal(UNSENT_KEY);
