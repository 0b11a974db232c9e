import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { connectPlayer, getStartMs, setRateFromPlayer, setDuration, setPlaying, setPosition } from "../playback.ts";

/** The only third-party frame that our content security policy allows; it sets no cookies before playback. */
const ORIGIN = "https://www.youtube-nocookie.com";
/** The handshake is repeated until the frame has loaded and responds. */
const HANDSHAKE_INTERVAL_MS = 250;
const PLAYING = 1;

interface PlayerMessage {
  event?: unknown;
  info?: { currentTime?: unknown; duration?: unknown; playbackRate?: unknown; playerState?: unknown } | null;
}

function readMessage(data: unknown): PlayerMessage | undefined {
  try {
    return typeof data === "string" ? (JSON.parse(data) as PlayerMessage) : undefined;
  } catch {
    return undefined;
  }
}

function handleMessage({ event, info }: PlayerMessage): void {
  if ((event !== "infoDelivery" && event !== "initialDelivery") || typeof info !== "object" || info === null) return;
  if (typeof info.playerState === "number") setPlaying(info.playerState === PLAYING);
  if (typeof info.playbackRate === "number") setRateFromPlayer(info.playbackRate);
  if (typeof info.duration === "number") setDuration(info.duration * 1000);
  if (typeof info.currentTime === "number") setPosition(info.currentTime * 1000);
}

/**
 * YouTube's embedded player, controlled with the messages of its player API but without its script:
 * https://developers.google.com/youtube/player_parameters (enablejsapi).
 */
export function YoutubePlayer({ videoId, title }: { videoId: string; title: string }) {
  const ref = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return undefined;
    const send = (message: object) => frame.contentWindow?.postMessage(JSON.stringify(message), ORIGIN);
    const command = (func: string, ...args: unknown[]) =>
      send({ event: "command", func, args, id: 1, channel: "widget" });
    let handshakeTimer: ReturnType<typeof setInterval> | undefined;
    let disconnect: (() => void) | undefined;
    const connect = () => {
      clearInterval(handshakeTimer);
      disconnect ??= connectPlayer({
        seek: (ms) => command("seekTo", ms / 1000, true),
        play: () => command("playVideo"),
        pause: () => command("pauseVideo"),
        setRate: (rate) => command("setPlaybackRate", rate),
        hasOwnControls: true,
      });
    };
    const onMessage = ({ origin, source, data }: MessageEvent) => {
      if (origin !== ORIGIN || source !== frame.contentWindow) return;
      const message = readMessage(data);
      if (!message) return;
      connect();
      handleMessage(message);
    };
    window.addEventListener("message", onMessage);
    handshakeTimer = setInterval(() => send({ event: "listening", id: 1, channel: "widget" }), HANDSHAKE_INTERVAL_MS);
    return () => {
      clearInterval(handshakeTimer);
      window.removeEventListener("message", onMessage);
      disconnect?.();
    };
  }, []);
  const [query] = useState(() =>
    new URLSearchParams({
      enablejsapi: "1",
      playsinline: "1",
      rel: "0",
      autoplay: "1",
      start: String(Math.floor(getStartMs() / 1000)),
      origin: location.origin,
    }).toString(),
  );
  return (
    <iframe
      ref={ref}
      className="video-picture"
      title={t("video.frame", { title })}
      src={`${ORIGIN}/embed/${videoId}?${query}`}
      allowFullScreen
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // YouTube refuses to play without a referrer; the rest of the app sends none.
      referrerPolicy="strict-origin-when-cross-origin"
      // The frame has its own origin, so allow-same-origin gives it no access to ours.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
    />
  );
}
