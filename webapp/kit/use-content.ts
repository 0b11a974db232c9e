import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { loadContent } from "./content.ts";
import { loadDue } from "./due.ts";
import { userAtom } from "./session.ts";

/** Fetches lists and due counts for whoever is signed in, and again when another tab may have changed them. */
export function useContent(): void {
  const accountId = useAtomValue(userAtom)?._id;
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const load = () => {
      if (document.visibilityState !== "visible") return;
      void loadContent();
      void loadDue();
    };
    load();
    document.addEventListener("visibilitychange", load);
    window.addEventListener("online", load);
    return () => {
      document.removeEventListener("visibilitychange", load);
      window.removeEventListener("online", load);
    };
  }, [accountId]);
}
