import { useAtomValue } from "jotai/react";
import { lazy, Suspense } from "react";
import { closeShare, shareAskedAtom } from "#webapp/sharing/share-door.ts";
import { Apart } from "#webapp/ui/apart.tsx";

const ShareDialog = lazy(async () => ({ default: (await import("#webapp/sharing/share-dialog.tsx")).ShareDialog }));

/** The share dialog, on any screen. */
export function ShareAsked() {
  const asked = useAtomValue(shareAskedAtom);
  if (!asked) return null;
  return (
    <Apart onFailed={closeShare}>
      <Suspense>
        <ShareDialog key={asked.id} thing={asked} onClose={closeShare} />
      </Suspense>
    </Apart>
  );
}
