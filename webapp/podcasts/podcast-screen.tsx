import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { EpisodeSide } from "./parts/episode-side.tsx";
import { EpisodePlayer } from "./parts/player-bar.tsx";
import { Transcript } from "./parts/transcript.tsx";
import { openPodcast, podcastAtom, refreshOpened, type PodcastView } from "./state.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import "./podcasts-screen.css";
import "./podcast-screen.css";

export function PodcastScreen() {
  const { id } = useScreenParams("podcast");
  const view = useAtomValue(podcastAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => (accountId === undefined ? undefined : openPodcast(id)), [id, accountId]);
  if (view.state === "loading")
    return <Skeleton label={t("podcasts.loading")} lines={[40, 100, 90, 100, 80]} height={24} />;
  if (view.state === "failed") return <Failed reason={view.reason} />;
  return view.podcast._id === id ? <Episode key={id} view={view} /> : null;
}

function Failed({ reason }: { reason: Extract<PodcastView, { state: "failed" }>["reason"] }) {
  const navigate = useNavigate();
  const toList = (
    <Button onClick={() => void navigate({ to: screenPath("podcasts", {}) })}>{t("podcasts.to_list")}</Button>
  );
  if (reason === "missing")
    return (
      <EmptyState title={t("podcasts.missing_title")} action={toList}>
        {t("podcasts.missing")}
      </EmptyState>
    );
  const isOffline = reason === "offline";
  return (
    <ErrorState
      title={t(isOffline ? "podcasts.needs_connection_title" : "podcasts.trouble_title")}
      headingLevel={1}
      action={<Button onClick={refreshOpened}>{t("common.retry")}</Button>}
    >
      {t(isOffline ? "podcasts.needs_connection" : "podcasts.trouble")}
    </ErrorState>
  );
}

function Episode({ view }: { view: Extract<PodcastView, { state: "ready" }> }) {
  useTitle(view.podcast.title);
  usePlayerKeys(view);
  return (
    <div className="episode">
      <EpisodeSide view={view} />
      <Transcript view={view} />
      <EpisodePlayer view={view} />
    </div>
  );
}
