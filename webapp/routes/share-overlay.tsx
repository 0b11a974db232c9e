import { useAtomValue } from "jotai/react";
import { lazy, Suspense } from "react";
import { closeShareDialog, shareTargetAtom } from "#webapp/sharing/share-dialog-state.ts";
import { ErrorBoundary } from "#webapp/ui/error-boundary.tsx";

const ShareDialog = lazy(async () => ({ default: (await import("#webapp/sharing/share-dialog.tsx")).ShareDialog }));

/** The share dialog, which can be opened on any screen. */
export function ShareOverlay() {
  const target = useAtomValue(shareTargetAtom);
  if (!target) return null;
  return (
    <ErrorBoundary onError={closeShareDialog}>
      <Suspense>
        <ShareDialog key={target.id} target={target} onClose={closeShareDialog} />
      </Suspense>
    </ErrorBoundary>
  );
}
