import { useAtomValue } from "jotai/react";
import { Check, CloudDownload, Moon, Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import { useState } from "react";
import { formatNumber, t } from "#shared/messages/translate.ts";
import type { PodcastChapter } from "#shared/podcasts/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { formatTimecode } from "#shared/video/rules.ts";
import { findChapter } from "../episode.ts";
import { episodeRateAtom, EPISODE_RATES, setEpisodeRate } from "../listening-settings.ts";
import {
  isBrokenAtom,
  isEpisodePlayingAtom,
  isWaitingAtom,
  loadedAtom,
  episodeMsAtom,
  pause,
  playEpisode,
  moveTo,
  positionOf,
  skipIn,
} from "../player.ts";
import { sleepAfterChapter, sleepAtom, sleepAfterMinutes, cancelSleepTimer } from "../sleep-timer.ts";
import { saveShownPodcast, removeShownPodcast, type PodcastView } from "../state.ts";

type ReadyView = Extract<PodcastView, { state: "ready" }>;

/** The controls of the episode on the screen; hidden until the first audio is recorded. */
export function EpisodePlayer({ view }: { view: ReadyView }) {
  const loaded = useAtomValue(loadedAtom);
  const isBroken = useAtomValue(isBrokenAtom);
  const isLoaded = loaded?.podcast._id === view.podcast._id;
  const isPlaying = useAtomValue(isEpisodePlayingAtom) && isLoaded;
  const isWaiting = useAtomValue(isWaitingAtom) && isLoaded;
  if (view.podcast.duration_ms === 0) return null;
  return (
    <section className="player" aria-label={t("podcasts.player")}>
      <div className="player-buttons">
        <IconButton label={t("podcasts.back")} icon={<RotateCcw aria-hidden />} onClick={() => skipIn(view, -1)} />
        <button
          type="button"
          className="player-play"
          aria-label={t(isPlaying ? "podcasts.pause" : "podcasts.play")}
          onClick={() => (isPlaying ? pause() : void playEpisode(view))}
        >
          {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        </button>
        <IconButton label={t("podcasts.forward")} icon={<RotateCw aria-hidden />} onClick={() => skipIn(view, 1)} />
        <span className="player-keys key-hint" aria-hidden>
          <Kbd>Space</Kbd> <Kbd>←</Kbd> <Kbd>→</Kbd>
        </span>
      </div>
      <Seek view={view} />
      <div className="player-more">
        <RateMenu />
        <SleepMenu view={view} />
        <OfflineButton view={view} />
      </div>
      {isWaiting && (
        <p role="status" className="player-waiting">
          {t("podcasts.waiting_for_more")}
        </p>
      )}
      {isBroken && (
        <p role="alert" className="player-broken">
          {t("podcasts.cannot_play")}
        </p>
      )}
    </section>
  );
}

/** A slider over segments for the chapters. The width of a segment is the chapter's share of the duration. */
function Seek({ view }: { view: ReadyView }) {
  const loaded = useAtomValue(loadedAtom);
  const elapsedMs = useAtomValue(episodeMsAtom);
  const { podcast, transcript } = view;
  const nowMs = loaded?.podcast._id === podcast._id ? elapsedMs : positionOf(view);
  const totalMs = Math.max(1, podcast.duration_ms);
  const started = transcript.chapters.filter(hasStart);
  const index = Math.max(
    0,
    started.findLastIndex(({ startMs }) => startMs <= nowMs),
  );
  const chapter = started[index]?.title ?? "";
  const time = formatTimecode(nowMs);
  return (
    <div className="player-seek">
      <span className="player-time">{time}</span>
      <div className="player-track">
        <div className="player-chapters" aria-hidden>
          {started.map(({ title, startMs }, segment) => {
            const endMs = started[segment + 1]?.startMs ?? totalMs;
            const share = Math.min(1, Math.max(0, (nowMs - startMs) / Math.max(1, endMs - startMs)));
            return (
              <span key={`${segment} ${title}`} style={{ flexGrow: Math.max(1, endMs - startMs) }}>
                <i style={{ inlineSize: `${share * 100}%` }} />
              </span>
            );
          })}
        </div>
        <input
          type="range"
          className="player-slider"
          aria-label={t("podcasts.position")}
          aria-valuetext={chapter === "" ? time : t("podcasts.position_text", { time, chapter })}
          min={0}
          max={Math.round(totalMs / 1000)}
          step={1}
          value={Math.round(Math.min(nowMs, totalMs) / 1000)}
          onChange={(event) => moveTo(view, Number(event.target.value) * 1000)}
        />
      </div>
      <span className="player-time">−{formatTimecode(Math.max(0, totalMs - nowMs))}</span>
      <span className="player-chapter">
        {started.length > 0 && t("podcasts.chapter_of", { title: chapter, at: index + 1, count: started.length })}
      </span>
    </div>
  );
}

const hasStart = (chapter: PodcastChapter): chapter is PodcastChapter & { startMs: number } => chapter.startMs !== null;

const formatRate = (rate: number) => `${formatNumber(rate)}×`;

function RateMenu() {
  const rate = useAtomValue(episodeRateAtom);
  return (
    <Menu
      trigger={
        <Button aria-label={`${t("podcasts.speed")}: ${formatRate(rate)}`} title={t("podcasts.speed")}>
          {formatRate(rate)}
        </Button>
      }
      groups={[EPISODE_RATES.map((value) => ({ label: formatRate(value), onSelect: () => setEpisodeRate(value) }))]}
    />
  );
}

const SLEEP_MINUTES = [5, 15, 30, 60];

function SleepMenu({ view }: { view: ReadyView }) {
  const sleep = useAtomValue(sleepAtom);
  const name = t("podcasts.sleep");
  const state =
    sleep.kind === "off"
      ? undefined
      : sleep.kind === "chapter"
        ? t("podcasts.sleep_chapter")
        : t("podcasts.sleep_minutes", { count: sleep.minutes });
  return (
    <Menu
      trigger={
        <Button icon={<Moon aria-hidden />} title={name} aria-label={state === undefined ? name : `${name}: ${state}`}>
          {/* On a phone, the label is shown only for minutes, which are short enough. */}
          <span className={sleep.kind === "at" ? undefined : "player-label"}>{state ?? name}</span>
        </Button>
      }
      groups={[
        [
          { label: t("podcasts.sleep_off"), onSelect: cancelSleepTimer },
          ...SLEEP_MINUTES.map((count) => ({
            label: t("podcasts.sleep_minutes", { count }),
            onSelect: () => sleepAfterMinutes(count),
          })),
          {
            label: t("podcasts.sleep_chapter"),
            onSelect: () => sleepAfterChapter(Math.max(0, findChapter(view, positionOf(view)))),
          },
        ],
      ]}
    />
  );
}

function OfflineButton({ view: { podcast, transcript, isSaved } }: { view: ReadyView }) {
  const [isSaving, setSaving] = useState(false);
  if (podcast.status !== "completed") return null;
  if (isSaved)
    return (
      <Menu
        trigger={
          <Button variant="quiet" icon={<Check aria-hidden />}>
            <span className="player-label">{t("podcasts.saved_offline")}</span>
          </Button>
        }
        groups={[
          [{ label: t("podcasts.remove_offline"), onSelect: () => void removeShownPodcast(podcast, transcript) }],
        ]}
      />
    );
  const save = async () => {
    setSaving(true);
    await saveShownPodcast(podcast, transcript);
    setSaving(false);
  };
  return (
    <Button
      variant="quiet"
      title={t("podcasts.keep_offline")}
      icon={<CloudDownload aria-hidden />}
      pending={isSaving}
      onClick={() => void save()}
    >
      <span className="player-label">{t("podcasts.keep_offline")}</span>
    </Button>
  );
}
