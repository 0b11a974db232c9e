import { useLocation } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useContent } from "#webapp/library/use-content.ts";
import { useArrival } from "#webapp/app/hooks/use-arrival.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { WatchView } from "./parts/watch-view.tsx";
import { closeVideo, openVideo, videoAtom, type VideoView } from "./state.ts";
import "./video-screen.css";

export function VideoScreen() {
  const { slug } = useScreenParams("video");
  const { searchStr } = useLocation();
  const arrival = useArrival();
  const view = useAtomValue(videoAtom);
  const accountId = useAtomValue(userAtom)?._id;
  useContent();
  useEffect(() => {
    if (accountId === undefined) return undefined;
    void openVideo(slug);
    return closeVideo;
  }, [accountId, slug]);
  const isReady = view.state === "ready" && view.info.component._id === slug;
  useTitle(isReady && view.info.component.type === "video" ? view.info.component.content.title : t("video.loading"));
  if (isReady) return <WatchView key={slug} info={view.info} cited={{ search: searchStr, arrival }} />;
  return (
    <main className="video-rest">
      {view.state === "failed" ? (
        <VideoUnavailable id={slug} reason={view.reason} />
      ) : (
        <Skeleton label={t("video.loading")} lines={[100, 60, 90]} height={22} />
      )}
    </main>
  );
}

function VideoUnavailable({ id, reason }: { id: string; reason: Extract<VideoView, { state: "failed" }>["reason"] }) {
  if (reason === "missing")
    return (
      <EmptyState
        headingLevel={1}
        title={t("video.missing_title")}
        action={
          <ButtonLink variant="primary" href={screenPath("home", {})}>
            {t("video.to_home")}
          </ButtonLink>
        }
      >
        {t("video.missing")}
      </EmptyState>
    );
  const retryButton = <Button onClick={() => void openVideo(id)}>{t("common.retry")}</Button>;
  return (
    <ErrorState
      headingLevel={1}
      title={t(reason === "offline" ? "video.offline_title" : "video.failed_title")}
      action={retryButton}
    >
      {t(reason === "offline" ? "video.offline" : "video.failed")}
    </ErrorState>
  );
}
