import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { PENDING_CARDS_KEY } from "#shared/marketing/pending-cards.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { reportAlerts } from "#webapp/app/analytics.ts";
import { registerServiceWorker } from "#webapp/offline/register-service-worker.ts";
import { closeOverlay, openOverlay, overlayAtom } from "#webapp/app/overlays.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { readLocal } from "#webapp/app/browser/local-storage.ts";
import { NewsPopup } from "#webapp/marketing/news-popup.tsx";
import { PodcastOverlays } from "#webapp/podcasts/parts/podcast-overlays.tsx";
import { listWatchedRuns } from "#webapp/research/watched-runs.ts";
import { ErrorBoundary } from "#webapp/ui/error-boundary.tsx";
import { NewVersionBanner } from "#webapp/ui/new-version-banner.tsx";
import { SearchShortcut } from "./search-shortcut.tsx";
import { ShareOverlay } from "./share-overlay.tsx";
import { useOnboardingRedirect } from "./use-onboarding-redirect.ts";

const FeedbackModal = lazy(async () => ({
  default: (await import("#webapp/feedback/feedback-modal.tsx")).FeedbackModal,
}));
const PlanModal = lazy(async () => ({ default: (await import("#webapp/billing/plan-modal.tsx")).PlanModal }));
const HelpOverlay = lazy(async () => ({ default: (await import("./help-overlay.tsx")).HelpOverlay }));

const ImportDialog = lazy(async () => ({
  default: (await import("#webapp/library/import/import-dialog.tsx")).ImportDialog,
}));

const OfferedCards = lazy(async () => ({
  default: (await import("#webapp/flashcards/pending/offered-cards.tsx")).OfferedCards,
}));

const overlays = { feedback: FeedbackModal, plan: PlanModal, keys: HelpOverlay, import: ImportDialog };

/**
 * The overlays and background tasks of all screens. They are loaded after the first screen, which does not need them.
 */
export function DeferredOverlays() {
  const accountId = useAtomValue(accountIdAtom);
  const isSignedIn = accountId !== undefined;
  const overlay = useAtomValue(overlayAtom);
  useEffect(() => {
    // Only for signed-in users, because visitors need not download the whole app.
    if (isSignedIn && import.meta.env.PROD) void registerServiceWorker();
  }, [isSignedIn]);
  useOnboardingRedirect();
  useReminders(isSignedIn);
  useWatchedResearch(accountId);
  useEffect(reportAlerts, []);
  useEffect(() => {
    window.addEventListener("keydown", handleShortcutsKey);
    return () => window.removeEventListener("keydown", handleShortcutsKey);
  }, []);
  const OpenOverlay = overlay === null ? null : overlays[overlay];
  return (
    <>
      <SearchShortcut />
      <ShareOverlay />
      {isSignedIn && <PodcastOverlays />}
      <NewVersionBanner />
      <NewsPopup />
      {accountId !== undefined && (
        <ErrorBoundary key={accountId}>
          <Suspense>
            <PendingCards />
          </Suspense>
        </ErrorBoundary>
      )}
      <ErrorBoundary key={overlay} onError={closeOverlay}>
        <Suspense>{OpenOverlay && <OpenOverlay onClose={closeOverlay} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}

/** Starts reminders, whose module is loaded only if the student has turned them on. */
function useReminders(isSignedIn: boolean): void {
  const isEnabled = useAtomValue(preferencesAtom).notifications.due_cards && isSignedIn;
  useEffect(() => {
    if (!isEnabled) return undefined;
    let isUnmounted = false;
    let stop: (() => void) | undefined;
    const start = async () => {
      const { startReminders } = await import("#webapp/study/home/reminders.ts");
      if (!isUnmounted) stop = startReminders();
    };
    // Loading errors are handled in `main.tsx`, and the next visit tries again.
    start().catch(() => undefined);
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [isEnabled]);
}

/** Watches the research again that was watched before the page was reloaded; its module is loaded only then. */
function useWatchedResearch(accountId: string | undefined): void {
  useEffect(() => {
    if (accountId === undefined || listWatchedRuns(accountId).length === 0) return;
    const resume = async () => (await import("#webapp/research/watch-run.ts")).resumeWatches(accountId);
    // Loading errors are handled in `main.tsx`, and the next visit tries again.
    resume().catch(() => undefined);
  }, [accountId]);
}

/** The cards that were made in a free tool, whose module is loaded only if there are any. */
function PendingCards() {
  const [hasPending] = useState(() => readLocal(PENDING_CARDS_KEY) !== null);
  return hasPending && <OfferedCards />;
}

/** Opens the help and the keyboard shortcuts with `?`, except in text fields. */
function handleShortcutsKey(event: KeyboardEvent): void {
  const { target } = event;
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  const isWriting =
    target instanceof HTMLElement &&
    target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
  const isHandled = event.defaultPrevented || document.querySelector("dialog[open]") !== null;
  if (!isWriting && !isHandled) openOverlay("keys");
}
