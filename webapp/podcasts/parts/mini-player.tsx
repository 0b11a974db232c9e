import { Link, useRouterState } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Pause, Play, RotateCcw, X } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import type { Loaded } from "../episode.ts";
import {
  chapterAt,
  isBrokenAtom,
  spokenLineAtom,
  isEpisodePlayingAtom,
  isWaitingAtom,
  loadedAtom,
  episodeMsAtom,
  skip,
  toggleEpisode,
  unload,
} from "../player.ts";
import { store } from "#webapp/app/store.ts";
import "./mini-player.css";

/** A bar with the loaded episode, on every screen except the episode's own. */
export function MiniPlayer() {
  const loaded = useAtomValue(loadedAtom);
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (!loaded || path === screenPath("podcast", { id: loaded.podcast._id })) return null;
  return <Bar loaded={loaded} />;
}

function Bar({ loaded: { podcast, transcript } }: { loaded: Loaded }) {
  const isPlaying = useAtomValue(isEpisodePlayingAtom);
  const line = transcript.lines[useAtomValue(spokenLineAtom)];
  const chapter = transcript.chapters[chapterAt(store.get(episodeMsAtom))]?.title ?? podcast.title;
  const speaker = line && (line.speaker === "guest" ? podcast.guest.name : podcast.host.name);
  return (
    <section className="mini-player" aria-label={t("podcasts.mini")}>
      <Elapsed totalMs={podcast.duration_ms} />
      <IconButton
        className="mini-play"
        label={t(isPlaying ? "podcasts.pause" : "podcasts.play")}
        icon={isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        onClick={toggleEpisode}
      />
      <Link className="mini-words" to={screenPath("podcast", { id: podcast._id })}>
        <span className="visually-hidden">{t("podcasts.open_player", { title: podcast.title })}</span>
        <strong>{chapter}</strong>
        <Words words={line ? `${speaker}: ${line.text}` : podcast.title} />
      </Link>
      <IconButton label={t("podcasts.back")} icon={<RotateCcw aria-hidden />} onClick={() => skip(-1)} />
      <IconButton label={t("podcasts.close")} icon={<X aria-hidden />} onClick={unload} />
    </section>
  );
}

/** What is spoken, or why nothing is. */
function Words({ words }: { words: string }) {
  const isWaiting = useAtomValue(isWaitingAtom);
  const isBroken = useAtomValue(isBrokenAtom);
  if (isBroken) return <span role="alert">{t("podcasts.cannot_play")}</span>;
  return isWaiting ? <span role="status">{t("podcasts.waiting_for_more")}</span> : <span>{words}</span>;
}

function Elapsed({ totalMs }: { totalMs: number }) {
  const share = Math.min(1, useAtomValue(episodeMsAtom) / Math.max(1, totalMs));
  return <i className="mini-elapsed" aria-hidden style={{ inlineSize: `${share * 100}%` }} />;
}
