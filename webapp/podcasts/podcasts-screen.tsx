import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Play, Plus, X } from "lucide-react";
import { useCallback } from "react";
import { isInProgress } from "#shared/podcasts/rules.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { contentAtom, loadContent } from "#webapp/library/content.ts";
import { openPodcastDialog } from "./creation.ts";
import { Cover } from "./parts/cover.tsx";
import { PodcastMenu } from "./parts/podcast-menu.tsx";
import { playNext, queueAtom, removeFromQueue } from "./queue.ts";
import { listSaved } from "./sound.ts";
import "./podcasts-screen.css";

const MINUTE_MS = 60_000;

export const minutesOf = ({ status, duration_ms: ms, length_minutes: plannedMinutes }: Podcast) =>
  t("podcasts.minutes", { count: status === "completed" ? Math.max(1, Math.round(ms / MINUTE_MS)) : plannedMinutes });

/** The list of the account's podcasts. Without a connection, the podcasts saved on this device. */
export function PodcastsScreen() {
  const content = useAtomValue(contentAtom);
  const podcasts = content.state === "ready" ? content.podcasts?.filter((podcast) => !podcast.is_archived) : undefined;
  const isOffline = content.state === "failed" || (content.state === "ready" && podcasts === undefined);
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => openPodcastDialog([])}>
      {t("podcasts.create")}
    </Button>
  );
  return (
    <div className="podcasts">
      <header className="podcasts-head">
        <h1>{t("podcasts.title")}</h1>
        {create}
      </header>
      <p className="podcasts-intro">{t("podcasts.intro")}</p>
      {content.state === "loading" && <Skeleton label={t("podcasts.loading")} lines={[100, 100, 100]} height={64} />}
      {isOffline && <SavedPodcasts />}
      {podcasts && <Queue podcasts={podcasts} />}
      {podcasts && <List podcasts={podcasts} />}
    </div>
  );
}

/** The episodes that play after the current one; hidden if the queue is empty. */
function Queue({ podcasts }: { podcasts: readonly Podcast[] }) {
  const ids = useAtomValue(queueAtom);
  const queued = ids.flatMap((id) => podcasts.find(({ _id }) => _id === id) ?? []);
  if (queued.length === 0) return null;
  return (
    <section className="podcast-queue" aria-labelledby="podcast-queue">
      <h2 id="podcast-queue">{t("podcasts.queue")}</h2>
      <ol>
        {queued.map(({ _id: id, title }) => (
          <li key={id}>
            <Link to={screenPath("podcast", { id })}>{title}</Link>
            <IconButton
              label={t("podcasts.queue_remove", { title })}
              icon={<X aria-hidden />}
              onClick={() => removeFromQueue(id)}
            />
          </li>
        ))}
      </ol>
      <Button icon={<Play aria-hidden />} onClick={() => void playNext()}>
        {t("podcasts.queue_play")}
      </Button>
    </section>
  );
}

function List({ podcasts }: { podcasts: readonly Podcast[] }) {
  if (podcasts.length === 0)
    return <EmptyState title={t("podcasts.empty_title")}>{t("podcasts.empty_text")}</EmptyState>;
  return (
    <ul role="list" className="podcast-rows">
      {podcasts.map((podcast) => (
        <PodcastRow key={podcast._id} podcast={podcast} />
      ))}
    </ul>
  );
}

function PodcastRow({ podcast }: { podcast: Podcast }) {
  const now = useNow();
  const { _id: id, title, guest, status, sources } = podcast;
  return (
    <li className="podcast-row">
      <Cover podcast={podcast} size="small" />
      <div className="podcast-row-words">
        <Link className="podcast-row-title" to={screenPath("podcast", { id })}>
          {title}
        </Link>
        <span className="podcast-row-about">
          {t("podcasts.about", { minutes: minutesOf(podcast), guest: guest.name })}
          {" · "}
          {formatRelativeDate(podcast.created_at, now)}
        </span>
        <span className="podcast-row-sources">{sources.map((source) => source.title).join(", ")}</span>
      </div>
      {(isInProgress(podcast) || status === "failed") && (
        <Chip tone={status === "failed" ? "bad" : "plain"}>{t(`podcasts.status_${status}`)}</Chip>
      )}
      <PodcastMenu podcast={podcast} />
    </li>
  );
}

function SavedPodcasts() {
  const { answer } = useAsyncValue(useCallback(() => listSaved(), []));
  if (answer.state === "loading") return <Skeleton label={t("podcasts.loading")} lines={[100, 100]} height={64} />;
  const saved = answer.state === "ready" ? answer.value.map(({ podcast }) => podcast) : [];
  if (saved.length === 0)
    return (
      <ErrorState
        title={t("podcasts.failed_title")}
        action={<Button onClick={() => void loadContent()}>{t("common.retry")}</Button>}
      >
        {t(navigator.onLine ? "podcasts.failed_text" : "podcasts.offline_none")}
      </ErrorState>
    );
  return (
    <>
      <Queue podcasts={saved} />
      <h2 className="podcasts-saved">{t("podcasts.offline_title")}</h2>
      <List podcasts={saved} />
    </>
  );
}
