import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { startLiveUpdates } from "#webapp/offline/start-live-updates.ts";
import { startSessionRenewal, sessionAtom, startSession, type Session } from "./session.ts";
import { store } from "../store.ts";
import { readToken } from "./token.ts";

let isRenewalStarted = false;

/** Starts the session with the first screen that needs one, and keeps it fresh afterwards. */
export function useSession(): Session {
  const session = useAtomValue(sessionAtom);
  useEffect(() => {
    if (readToken() === undefined) return;
    if (!isRenewalStarted) {
      startSessionRenewal();
      startLiveUpdates();
    }
    isRenewalStarted = true;
    if (store.get(sessionAtom).state === "signed_out") void startSession();
  }, []);
  return session;
}
