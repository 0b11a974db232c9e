import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { describeFailure } from "#shared/client/describe-failure.ts";
import { profileFailureMessage, toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { User } from "#shared/user/schema.ts";
import { SESSION_CACHE_KEY } from "#shared/user/session-cache.ts";
import { notify } from "../alerts.ts";
import { client, setSessionPort, waitForNewToken } from "../client.ts";
import { readLocal, removeLocal, writeLocal } from "../browser/local-storage.ts";
import { goTo } from "../navigation.ts";
import { openPlanModal } from "../overlays.ts";
import { store } from "../store.ts";
import { unsavedAtSignOutAtom, unsavedResearchTextsAtom, syncStatusAtom } from "#webapp/offline/sync-status.ts";
import { clearToken, isTokenInMemoryOnly, readToken, writeToken } from "./token.ts";
import { clearUnsentOnboarding, isOnboardingUnsent, saveUnsentOnboarding } from "./onboarding-state.ts";

/** Age at which the user is refetched and the session token renewed. */
export const RENEW_AFTER_MS = 23 * 60 * 60 * 1000;
const LOGIN_DELAY_MS = 1000;
const CHECK_INTERVAL_MS = 60_000;

export type Session =
  | { state: "signed_out" }
  | { state: "loading" }
  | { state: "ready"; user: User }
  | { state: "failed"; status: number; message: string };

const currentAtom = atom<Session>({ state: "signed_out" });
export const sessionAtom = atom((get) => get(currentAtom));
export const userAtom = atom((get) => {
  const session = get(currentAtom);
  return session.state === "ready" ? session.user : null;
});

let tempToken: { value: string; receivedAt: number } | undefined;
let renewal: Promise<void> | undefined;
let renewedAt = 0;
let isSigningOut = false;
/** Counts sign-ins and sign-outs. A response that arrives after either belongs to another session. */
let sessionCount = 0;
export const getSessionCount = (): number => sessionCount;

/** While signing out or deleting the account, an expired token is expected and not reported. */
export function setSigningOut(isActive: boolean): void {
  isSigningOut = isActive;
}

/** Loads the user of the stored token. A cached user is shown until then. */
export function startSession(): Promise<void> {
  if (!readToken()) {
    store.set(currentAtom, { state: "signed_out" });
    return Promise.resolve();
  }
  const cached = readCachedSession();
  renewedAt = cached?.renewedAt ?? 0;
  store.set(currentAtom, cached ? { state: "ready", user: cached.user } : { state: "loading" });
  return renew();
}

/** Called with the response of sign-in or registration. */
export async function completeSignIn(response: { user: User; token: string }): Promise<void> {
  store.set(unsavedAtSignOutAtom, 0);
  sessionCount += 1;
  writeToken(response.token);
  renewedAt = Date.now();
  setUser(response.user);
  if (isTokenInMemoryOnly()) notify({ message: t("failures.no_cookies"), type: "info" });
  await renewAgain();
}

/** Updates the account data on screen and in the cache. */
export function setUser(user: User): void {
  store.set(currentAtom, { state: "ready", user });
  writeLocal(SESSION_CACHE_KEY, JSON.stringify({ user, renewedAt }));
}

/** Shows changed account data, unless the account was signed out before the response arrived. */
export function updateUser(user: User): void {
  if (store.get(userAtom)?._id === user._id) setUser(user);
}

/** Revokes the token if the server is reachable, and always removes it here. */
export async function signOut(): Promise<void> {
  setSigningOut(true);
  try {
    if (readToken()) await client.auth.logout({});
  } catch (error) {
    // Signing out must work offline. The token is then only removed here, and expires on the server.
    if (!(error instanceof NoResponseError) && !(error instanceof Failure)) throw error;
  } finally {
    clearSession();
  }
}

/** Refetches the user, renewing the token first if it is 23 hours old. Concurrent callers share one renewal. */
export function renew(): Promise<void> {
  renewal ??= renewNow().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

/** Screens can be used while the account is still loading: what needs it waits here. Without a token there is none. */
export async function waitForAccount(): Promise<void> {
  if (store.get(userAtom) === null && readToken() !== undefined) await renew();
}

/** Called after a change to or of the account. A renewal in flight may have read the account before the change. */
export async function renewAgain(): Promise<void> {
  await renewal;
  await renew();
}

async function renewNow(): Promise<void> {
  const ownCount = sessionCount;
  const hasEnded = () => ownCount !== sessionCount;
  try {
    await withRenewalLock(async () => {
      if (hasEnded()) return;
      // Another tab may have renewed the token while this one waited.
      renewedAt = readCachedSession()?.renewedAt || renewedAt;
      if (renewedAt > 0 && isOld(renewedAt)) await refreshToken(hasEnded);
      if (hasEnded()) return;
      if (renewedAt === 0) renewedAt = Date.now();
      const response = await client.auth.getUser({});
      if (hasEnded()) return;
      tempToken = { value: response.tempToken, receivedAt: Date.now() };
      const user = await syncOnboarding(response.user);
      if (!hasEnded()) setUser(user);
    });
  } catch (error) {
    if (!hasEnded()) handleLoadFailure(error);
  }
}

async function refreshToken(hasEnded: () => boolean): Promise<void> {
  const replaced = readToken();
  try {
    const { token } = await client.auth.refresh({});
    if (hasEnded()) return;
    writeToken(token);
  } catch (error) {
    // Without the Web Locks API, another tab may have refreshed the token first.
    const isReplaced = error instanceof Failure && error.code === "token_replaced";
    if (!isReplaced || !(await waitForNewToken(replaced))) throw error;
  }
  renewedAt = Date.now();
  const user = store.get(userAtom);
  if (user) setUser(user);
}

/** Only one tab renews at a time, because a token can be refreshed only once. */
function withRenewalLock(work: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request("lamplight-session-renewal", work) : work();
}

/** Sends the completion of onboarding that happened offline. */
async function syncOnboarding(user: User): Promise<User> {
  if (user.onboardingComplete || !isOnboardingUnsent(user._id)) return user;
  const response = await client.user.saveSettings({ onboardingComplete: true });
  clearUnsentOnboarding();
  return response.user;
}

/** Completes onboarding: locally at once, and on the server as soon as the server is reachable. */
export async function completeOnboarding(): Promise<void> {
  const user = store.get(userAtom);
  if (!user || user.onboardingComplete) return;
  setUser({ ...user, onboardingComplete: true });
  saveUnsentOnboarding(user._id);
  try {
    await syncOnboarding(user);
  } catch (error) {
    if (!(error instanceof NoResponseError) && !(error instanceof Failure)) throw error;
  }
}

function handleLoadFailure(error: unknown): void {
  const { status } = describeFailure(error);
  // 401 is handled in `handleRefusal`.
  if (status === 401) return;
  const message = profileFailureMessage(error);
  // Offline, the cached user can continue to work, because all changes are stored on this device.
  if (error instanceof NoResponseError && store.get(currentAtom).state === "ready") return;
  notify({ message, type: "error" });
  if (store.get(currentAtom).state !== "ready") store.set(currentAtom, { state: "failed", status, message });
}

function handleRefusal(failure: Failure): void {
  if (failure.status === 402)
    openPlanModal(toFailureMessage(failure)?.message ?? null, String(failure.data?.["limit"]));
  if (isSigningOut) return;
  if (failure.code === "signed_out" && readToken()) {
    recordUnsaved();
    clearSession();
    notify({ message: t("failures.session_expired"), type: "error" });
    goTo("/login");
  }
  if (failure.code === "temp_token_expired" && readToken()) {
    recordUnsaved();
    clearSession();
    setTimeout(() => goTo("/login"), LOGIN_DELAY_MS);
  }
}

/** The sync queue stops with the session, so the sign-in screen shows how many changes are unsaved. */
const recordUnsaved = () =>
  store.set(unsavedAtSignOutAtom, store.get(syncStatusAtom).unsaved + store.get(unsavedResearchTextsAtom).length);

function clearSession(): void {
  sessionCount += 1;
  setSigningOut(false);
  clearToken();
  tempToken = undefined;
  renewedAt = 0;
  removeLocal(SESSION_CACHE_KEY);
  store.set(currentAtom, { state: "signed_out" });
}

/** A timestamp in the future also counts as old, because its age is unknown if the clock was set back. */
function isOld(timestamp: number): boolean {
  const age = Date.now() - timestamp;
  return age >= RENEW_AFTER_MS || age < 0;
}

async function getTempToken(): Promise<string | undefined> {
  if (tempToken && isOld(tempToken.receivedAt)) await renew();
  return tempToken?.value;
}

setSessionPort({ tempToken: getTempToken, handleRefusal });

function readCachedSession(): { user: User; renewedAt: number } | undefined {
  try {
    const stored = JSON.parse(readLocal(SESSION_CACHE_KEY) ?? "null") as { user?: unknown; renewedAt?: unknown } | null;
    const user = User.safeParse(stored?.user);
    return user.success ? { user: user.data, renewedAt: Number(stored?.renewedAt) || 0 } : undefined;
  } catch {
    return undefined;
  }
}

/** Timers pause during sleep, so the age is checked often and on waking. */
export function startSessionRenewal(): void {
  setInterval(renewWhenOld, CHECK_INTERVAL_MS);
  document.addEventListener("visibilitychange", renewWhenOld);
  window.addEventListener("online", renewWhenSignedIn);
}

function renewWhenOld(): void {
  if (store.get(userAtom) && renewedAt > 0 && isOld(renewedAt)) void renew();
}

function renewWhenSignedIn(): void {
  if (readToken()) void renew();
}
