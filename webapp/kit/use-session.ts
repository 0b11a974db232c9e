import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { loadPreferences } from "./preferences.ts";
import { keepSessionFresh, sessionAtom, startSession, type Session } from "./session.ts";
import { readToken } from "./token.ts";

let started = false;

/** Starts the session once, with the first screen that needs one, and keeps it fresh from then on. */
export function useSession(): Session {
  const session = useAtomValue(sessionAtom);
  useEffect(() => {
    if (started || readToken() === undefined) return;
    started = true;
    keepSessionFresh();
    void startSession();
    void loadPreferences();
  }, []);
  return session;
}
