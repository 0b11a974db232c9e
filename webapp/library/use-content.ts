import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { followChanges, loadContent } from "./content.ts";
import { loadDue } from "#webapp/study/due.ts";
import { loadPins } from "./pins.ts";
import { followFolders, loadFolders } from "./folders.ts";

/** Loads the signed-in account's lists and due counts, and again when the tab becomes visible or online. */
export function useContent(): void {
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const stopCallbacks = [followChanges(accountId), followFolders(accountId)];
    loadWhenVisible();
    document.addEventListener("visibilitychange", loadWhenVisible);
    window.addEventListener("online", loadWhenVisible);
    return () => {
      for (const stop of stopCallbacks) stop();
      document.removeEventListener("visibilitychange", loadWhenVisible);
      window.removeEventListener("online", loadWhenVisible);
    };
  }, [accountId]);
}

function loadWhenVisible(): void {
  if (document.visibilityState !== "visible") return;
  void loadContent();
  void loadDue();
  void loadFolders();
  void loadPins();
}
