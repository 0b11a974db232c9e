import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { reportAlerts } from "#webapp/app/analytics.ts";
import { keepShell } from "#webapp/offline/keep-shell.ts";
import { closeOverlay, openOverlay, overlayAtom } from "#webapp/app/overlays.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { NewsPopup } from "#webapp/marketing/news-popup.tsx";
import { Apart } from "#webapp/ui/apart.tsx";
import { NewVersion } from "#webapp/ui/new-version.tsx";
import { SearchKeys } from "./search-keys.tsx";
import { ShareAsked } from "./share-asked.tsx";
import { useWayHome } from "./use-way-home.ts";

const FeedbackModal = lazy(async () => ({
  default: (await import("#webapp/feedback/feedback-modal.tsx")).FeedbackModal,
}));
const PlanModal = lazy(async () => ({ default: (await import("#webapp/user/parts/plan-modal.tsx")).PlanModal }));
const KeysSheet = lazy(async () => ({ default: (await import("#webapp/ui/keys-sheet.tsx")).KeysSheet }));

const ImportDialog = lazy(async () => ({
  default: (await import("#webapp/library/import-dialog.tsx")).ImportDialog,
}));

const overlays = { feedback: FeedbackModal, plan: PlanModal, keys: KeysSheet, import: ImportDialog };

/** Overlays of any screen, loaded after it, because the first screen needs none of them. */
export function Late() {
  const isSignedIn = useAtomValue(accountIdAtom) !== undefined;
  const overlay = useAtomValue(overlayAtom);
  useEffect(() => {
    // Visitors of the landing page need not download the whole app.
    if (isSignedIn && import.meta.env.PROD) void keepShell();
  }, [isSignedIn]);
  useWayHome();
  useReminders(isSignedIn);
  useEffect(reportAlerts, []);
  useEffect(() => {
    window.addEventListener("keydown", openKeys);
    return () => window.removeEventListener("keydown", openKeys);
  }, []);
  const Open = overlay === null ? null : overlays[overlay];
  return (
    <>
      <SearchKeys />
      <ShareAsked />
      <NewVersion />
      <NewsPopup />
      <Apart key={overlay} onFailed={closeOverlay}>
        <Suspense>{Open && <Open onClose={closeOverlay} />}</Suspense>
      </Apart>
    </>
  );
}

/** Loaded only if the student turned on reminders. */
function useReminders(isSignedIn: boolean): void {
  const isWanted = useAtomValue(preferencesAtom).notifications.due_cards && isSignedIn;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    const begin = async () => {
      const { keepReminding } = await import("#webapp/study/home/reminding.ts");
      if (!isOver) stop = keepReminding();
    };
    // Loading errors are reported centrally; the next visit tries again.
    begin().catch(() => undefined);
    return () => {
      isOver = true;
      stop?.();
    };
  }, [isWanted]);
}

/** `?` opens the keyboard shortcuts, except in text fields. */
function openKeys(event: KeyboardEvent): void {
  const { target } = event;
  const isWriting = target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]");
  const isTaken = event.defaultPrevented || document.querySelector("dialog[open]") !== null;
  if (event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && !isWriting && !isTaken)
    openOverlay("keys");
}
