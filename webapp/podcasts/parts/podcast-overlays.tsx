import { useAtomValue } from "jotai/react";
import { lazy, Suspense } from "react";
import { ErrorBoundary } from "#webapp/ui/error-boundary.tsx";
import { closePodcastDialog, podcastDialogAtom } from "../creation.ts";
import { loadedAtom } from "../player.ts";
import { readingAtom } from "../read-to-me.ts";
import { usePodcastWatch } from "../use-podcast-watch.ts";

const CreateDialog = lazy(async () => ({ default: (await import("./create-dialog.tsx")).CreateDialog }));
const ReadingBar = lazy(async () => ({ default: (await import("./reading-bar.tsx")).ReadingBar }));
const MiniPlayer = lazy(async () => ({ default: (await import("./mini-player.tsx")).MiniPlayer }));

/**
 * The parts of podcasts on every screen: player, read-aloud bar, creation dialog, and the notice of a finished episode.
 */
export function PodcastOverlays() {
  const sources = useAtomValue(podcastDialogAtom);
  const loaded = useAtomValue(loadedAtom);
  const isReading = useAtomValue(readingAtom) !== undefined;
  usePodcastWatch();
  return (
    <ErrorBoundary onError={closePodcastDialog}>
      <Suspense>
        <ReadingBar />
        {loaded && !isReading && <MiniPlayer />}
        {sources && <CreateDialog initial={sources} />}
      </Suspense>
    </ErrorBoundary>
  );
}
