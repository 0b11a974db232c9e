import { useAtomValue } from "jotai/react";
import { Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import {
  captionsAtom,
  connectPlayer,
  getStartMs,
  setDuration,
  setPlaying,
  setPosition,
  togglePlaying,
  type Player,
} from "../playback.ts";
import { transcriptAtom } from "../state.ts";

interface Props {
  /** Undefined while the URL is being requested. */
  src: string | undefined;
  title: string;
  autoPlay: boolean;
  /** A picture that is shown until the video plays. */
  poster?: string | undefined;
  /** Called when the first frame is shown. */
  onShown?: (element: HTMLVideoElement) => void;
  /** Requests a new URL, for example after expiry; false if that is not possible. */
  renew: () => boolean;
}

declare global {
  interface HTMLVideoElement {
    /** Only in Safari on an iPhone, which can show no other element in full screen. */
    webkitEnterFullscreen?: () => void;
  }
}

const createElementPlayer = (element: HTMLVideoElement): Player => ({
  seek: (ms) => {
    element.currentTime = ms / 1000;
  },
  play: () => void element.play().catch(() => setPlaying(false)),
  pause: () => element.pause(),
  setRate: (rate) => {
    element.playbackRate = rate;
  },
  setVolume: (volume) => {
    element.volume = volume;
  },
  setMuted: (isMuted) => {
    element.muted = isMuted;
  },
  openFullScreen: () => element.webkitEnterFullscreen?.(),
  setCaptions: (isShown) => {
    for (const captions of element.textTracks) captions.mode = isShown ? "showing" : "disabled";
  },
});

/** The browser's player without its own controls, with the transcript as captions. */
export function FilePlayer({ src, title, autoPlay, poster, onShown, renew }: Props) {
  const ref = useRef<HTMLVideoElement>(null);
  const [isBroken, setBroken] = useState(false);
  const [hasStarted, setStarted] = useState(autoPlay);
  useEffect(() => {
    const element = ref.current;
    if (!element || src === undefined) return undefined;
    return connectPlayer(createElementPlayer(element));
  }, [src]);
  return (
    <div className="video-frame">
      {/* Captions are added as soon as there is a transcript, which is also shown next to the video. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={ref}
        className="video-picture"
        aria-label={title}
        playsInline
        preload="metadata"
        autoPlay={autoPlay}
        poster={poster}
        {...(src === undefined ? {} : { src })}
        onLoadedMetadata={(event) => {
          const ms = getStartMs();
          if (ms > 0) event.currentTarget.currentTime = ms / 1000;
        }}
        onDurationChange={(event) => setDuration(event.currentTarget.duration * 1000)}
        // Keyboard users have Space and the button below.
        onClick={togglePlaying}
        onLoadedData={(event) => onShown?.(event.currentTarget)}
        onTimeUpdate={(event) => setPosition(event.currentTarget.currentTime * 1000)}
        onSeeked={(event) => {
          // A citation shows a picture of the video without playing it.
          setStarted(true);
          setPosition(event.currentTarget.currentTime * 1000);
        }}
        onPlay={() => {
          setStarted(true);
          setPlaying(true);
        }}
        onPause={() => setPlaying(false)}
        onError={() => setBroken(!renew())}
      >
        <CaptionsTrack />
      </video>
      {!hasStarted && !isBroken && (
        // Hidden from screen readers, because the bar has a play button. A press reaches the video below.
        <span className="video-begin" aria-hidden>
          <Play />
        </span>
      )}
      {isBroken && (
        <p role="alert" className="video-broken">
          {t("video.cannot_play")}
        </p>
      )}
    </div>
  );
}

/** The transcript as captions, as soon as there is one. */
function CaptionsTrack() {
  const transcriptState = useAtomValue(transcriptAtom);
  const areShown = useAtomValue(captionsAtom);
  if (transcriptState.state !== "ready") return null;
  const { captionsUrl, transcript } = transcriptState;
  return (
    <track
      key={captionsUrl}
      kind="captions"
      src={captionsUrl}
      srcLang={transcript.language}
      label={t("video.captions")}
      default={areShown}
    />
  );
}
