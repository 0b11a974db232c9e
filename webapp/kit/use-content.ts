import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { accountIdAtom } from "./account-atom.ts";
import { followChanges, loadContent } from "./content.ts";
import { loadDue } from "./due.ts";

/** Fetches lists and due counts for whoever is signed in, and again when another tab may have changed them. */
export function useContent(): void {
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const stopFollowing = followChanges(accountId);
    loadWhenSeen();
    document.addEventListener("visibilitychange", loadWhenSeen);
    window.addEventListener("online", loadWhenSeen);
    return () => {
      stopFollowing();
      document.removeEventListener("visibilitychange", loadWhenSeen);
      window.removeEventListener("online", loadWhenSeen);
    };
  }, [accountId]);
}

function loadWhenSeen(): void {
  if (document.visibilityState !== "visible") return;
  void loadContent();
  void loadDue();
}
