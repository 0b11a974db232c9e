import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { followChanges, loadContent } from "./content.ts";
import { loadDue } from "#webapp/study/due.ts";
import { loadPins } from "./pins.ts";
import { followFolders, loadFolders } from "./folders.ts";
import { store } from "#webapp/app/store.ts";

let mountedCount = 0;
let stopFollowing: (() => void) | undefined;

function startFollowing(accountId: string): () => void {
  const stopCallbacks = [followChanges(accountId), followFolders(accountId)];
  loadWhenVisible();
  document.addEventListener("visibilitychange", loadWhenVisible);
  window.addEventListener("online", loadWhenVisible);
  return () => {
    for (const stop of stopCallbacks) stop();
    document.removeEventListener("visibilitychange", loadWhenVisible);
    window.removeEventListener("online", loadWhenVisible);
  };
}

/**
 * Loads the account's lists and due counts, and loads them again when the tab becomes visible or online. A screen and
 * its sidebar share one load.
 */
export function useContent(): void {
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    // The account may have been signed out since this was rendered.
    if (accountId === undefined || store.get(accountIdAtom) !== accountId) return undefined;
    mountedCount += 1;
    if (mountedCount === 1) stopFollowing = startFollowing(accountId);
    return () => {
      mountedCount -= 1;
      if (mountedCount === 0) stopFollowing?.();
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
