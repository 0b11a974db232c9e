import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { followChanges, loadContent } from "./content.ts";
import { loadDue } from "#webapp/study/due.ts";
import { loadFavorites } from "./favorites.ts";
import { followFolders, loadFolders } from "./folders.ts";

/** Loads the signed-in account's lists and due counts, and again when the tab becomes visible or online. */
export function useContent(): void {
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const stops = [followChanges(accountId), followFolders(accountId)];
    loadWhenSeen();
    document.addEventListener("visibilitychange", loadWhenSeen);
    window.addEventListener("online", loadWhenSeen);
    return () => {
      for (const stop of stops) stop();
      document.removeEventListener("visibilitychange", loadWhenSeen);
      window.removeEventListener("online", loadWhenSeen);
    };
  }, [accountId]);
}

function loadWhenSeen(): void {
  if (document.visibilityState !== "visible") return;
  void loadContent();
  void loadDue();
  void loadFolders();
  void loadFavorites();
}
