import { Link, useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t, translateSent } from "#shared/messages/translate.ts";
import { isInProgress } from "#shared/podcasts/rules.ts";
import type { Podcast, PodcastChapter, PodcastSource } from "#shared/podcasts/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { chapterAt, spokenLineAtom, loadedAtom, episodeMsAtom, playEpisode } from "../player.ts";
import { minutesOf } from "../podcasts-screen.tsx";
import { type PodcastView, refreshOpened, retryPodcast, stopPodcast } from "../state.ts";
import { getNotificationPermission, requestNotificationPermission } from "#webapp/app/browser/browser-notifications.ts";
import { store } from "#webapp/app/store.ts";
import { restorePodcast } from "#webapp/library/delete-items.ts";
import { Cover } from "./cover.tsx";
import { PodcastMenu } from "./podcast-menu.tsx";

type ReadyView = Extract<PodcastView, { state: "ready" }>;

const sourcePath = ({ type, id }: PodcastSource): string => {
  if (type === "pdf") return screenPath("pdf", { slug: id });
  return type === "video" ? screenPath("video", { slug: id }) : screenPath("researchSession", { id });
};

/** The side of the screen with the episode's sources, speakers, state and chapters. */
export function EpisodeSide({ view }: { view: ReadyView }) {
  const { podcast } = view;
  const navigate = useNavigate();
  const { title, host, guest, sources, engine, writer, notices } = podcast;
  return (
    <section className="episode-side" aria-labelledby="episode-title">
      <Cover podcast={podcast} size="large" />
      <div className="episode-head">
        <h1 id="episode-title">{title}</h1>
        <PodcastMenu podcast={podcast} onGone={() => void navigate({ to: screenPath("home", {}) })} />
      </div>
      <p className="episode-about">
        {minutesOf(podcast)} · {t("podcasts.from")}{" "}
        {sources.map((source, index) => (
          <span key={source.id}>
            {index > 0 && ", "}
            <Link to={sourcePath(source)}>{source.title}</Link>
          </span>
        ))}
      </p>
      <p className="episode-about episode-who">
        {t(writer === null ? "podcasts.who" : "podcasts.who_model", { host: host.name, guest: guest.name })}
      </p>
      {engine === "built_in" && <Chip>{t("podcasts.built_in")}</Chip>}
      {writer !== null && <p className="episode-about">{t("podcasts.writer", { name: writer })}</p>}
      {notices.map((notice) => (
        <p key={notice} className="episode-notice">
          {t(`podcasts.${notice}`)}
        </p>
      ))}
      {podcast.is_archived && (
        <p className="episode-notice">
          {t("podcasts.archived")}{" "}
          <Button onClick={() => void restorePodcast(podcast._id).then(refreshOpened)}>{t("podcasts.restore")}</Button>
        </p>
      )}
      {isInProgress(podcast) && <Making podcast={podcast} />}
      {podcast.status === "failed" && <NotFinished podcast={podcast} />}
      {view.transcript.chapters.length > 0 && <Chapters view={view} />}
    </section>
  );
}

function describeProgress({ progress }: Podcast): string {
  if (!progress) return t("podcasts.making_waiting");
  const { stage, done, total } = progress;
  return stage === "speaking" ? t("podcasts.making_speaking", { done, total }) : t(`podcasts.making_${stage}`);
}

function Making({ podcast }: { podcast: Podcast }) {
  const { progress, duration_ms: durationMs } = podcast;
  const text = describeProgress(podcast);
  return (
    <div className="episode-making" role="status">
      <strong>{t("podcasts.making_title")}</strong>
      <span>{text}</span>
      {progress?.stage === "speaking" && (
        <Progress label={t("podcasts.making_title")} value={progress.done} max={progress.total} valueText={text} />
      )}
      {durationMs > 0 && <span>{t("podcasts.making_listen")}</span>}
      <NotifyMe />
      <Button onClick={() => void stopPodcast(podcast._id)}>{t("podcasts.stop")}</Button>
    </div>
  );
}

/** A button that asks the browser for permission to notify; hidden once permission was given or refused. */
function NotifyMe() {
  const [permission, setPermission] = useState(getNotificationPermission);
  if (permission !== "default") return null;
  const ask = async () => setPermission(await requestNotificationPermission());
  return <Button onClick={() => void ask()}>{t("podcasts.notify_me")}</Button>;
}

function NotFinished({ podcast: { _id: id, error } }: { podcast: Podcast }) {
  return (
    <div className="episode-making" role="alert">
      <strong>{t("podcasts.failed_make_title")}</strong>
      {error && <span>{translateSent(error.message, error)}</span>}
      <Button variant="primary" onClick={() => void retryPodcast(id)}>
        {t("podcasts.retry")}
      </Button>
    </div>
  );
}

function Chapters({ view }: { view: ReadyView }) {
  const loaded = useAtomValue(loadedAtom);
  // Renders again with every spoken line, which is often enough for the current chapter.
  useAtomValue(spokenLineAtom);
  const isLoaded = loaded?.podcast._id === view.podcast._id;
  const current = isLoaded ? chapterAt(store.get(episodeMsAtom)) : -1;
  return (
    <nav aria-label={t("podcasts.chapters")}>
      <ol role="list" className="episode-chapters">
        {view.transcript.chapters.map((chapter, index) => (
          <ChapterRow key={`${index} ${chapter.title}`} chapter={chapter} view={view} isCurrent={index === current} />
        ))}
      </ol>
    </nav>
  );
}

interface ChapterProps {
  chapter: PodcastChapter;
  view: ReadyView;
  isCurrent: boolean;
}

function ChapterRow({ chapter: { title, startMs }, view, isCurrent }: ChapterProps) {
  return (
    <li>
      <button
        type="button"
        className="episode-chapter"
        aria-current={isCurrent || undefined}
        disabled={startMs === null}
        onClick={() => startMs !== null && void playEpisode(view, startMs)}
      >
        <span className="episode-chapter-time">{startMs === null ? "–" : formatTimecode(startMs)}</span>
        <span>{title}</span>
      </button>
    </li>
  );
}
