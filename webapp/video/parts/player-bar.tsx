import { useAtomValue } from "jotai/react";
import {
  Captions as CaptionsIcon,
  Keyboard,
  Maximize,
  Pause,
  Play,
  Repeat,
  RotateCcw,
  RotateCw,
  Volume2,
  VolumeX,
} from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import {
  beginLoop,
  canCaptionAtom,
  captionsAtom,
  clearLoop,
  durationAtom,
  endLoop,
  hasOwnControlsAtom,
  hasPlayerAtom,
  isPlayingAtom,
  loopAtom,
  mutedAtom,
  nowMsAtom,
  rateAtom,
  RATES,
  seekBy,
  seekTo,
  setRate,
  setVolume,
  toggleCaptions,
  toggleFullScreen,
  toggleMuted,
  togglePlaying,
  volumeAtom,
} from "../playback.ts";
import { transcriptAtom } from "../state.ts";

const rates = RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }));

/** The position in the video, which can be dragged. */
function Timeline() {
  const nowMs = useAtomValue(nowMsAtom);
  const durationMs = useAtomValue(durationAtom);
  const total = durationMs === null ? "" : ` / ${formatTimecode(durationMs)}`;
  return (
    <span className="player-position">
      {durationMs !== null && (
        <input
          type="range"
          className="player-timeline"
          aria-label={t("video.position")}
          aria-valuetext={`${formatTimecode(nowMs)}${total}`}
          min={0}
          max={durationMs}
          step={100}
          value={Math.min(nowMs, durationMs)}
          onChange={(event) => seekTo(event.target.valueAsNumber)}
        />
      )}
      <span className="player-now">
        {formatTimecode(nowMs)}
        {total}
      </span>
    </span>
  );
}

function Volume() {
  const volume = useAtomValue(volumeAtom);
  const isMuted = useAtomValue(mutedAtom);
  return (
    <span className="player-volume">
      <IconButton
        label={t(isMuted ? "video.unmute" : "video.mute")}
        icon={isMuted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
        onClick={toggleMuted}
      />
      <input
        type="range"
        aria-label={t("video.volume")}
        min={0}
        max={1}
        step={0.05}
        value={volume}
        onChange={(event) => setVolume(event.target.valueAsNumber)}
      />
    </span>
  );
}

function Captions() {
  const isShown = useAtomValue(captionsAtom);
  const canCaption = useAtomValue(canCaptionAtom);
  const { state } = useAtomValue(transcriptAtom);
  if (!canCaption || state !== "ready") return null;
  return (
    <IconButton
      label={t("video.captions")}
      aria-pressed={isShown}
      icon={<CaptionsIcon aria-hidden />}
      onClick={toggleCaptions}
    />
  );
}

/** One button for the loop: set start, set end, clear. */
function LoopButton() {
  const loop = useAtomValue(loopAtom);
  const [action, name] = loop
    ? loop.toMs === null
      ? ([endLoop, "video.loop_end"] as const)
      : ([clearLoop, "video.loop_clear"] as const)
    : ([beginLoop, "video.loop_begin"] as const);
  const from = formatTimecode(loop?.fromMs ?? 0);
  return (
    <span className="player-loop">
      <IconButton label={t(name)} aria-pressed={loop !== null} icon={<Repeat aria-hidden />} onClick={action} />
      <span role="status" className="player-loop-state">
        {loop &&
          (loop.toMs === null
            ? t("video.loop_open", { from })
            : t("video.loop_set", { from, to: formatTimecode(loop.toMs) }))}
      </span>
    </span>
  );
}

function PlayButton() {
  const isPlaying = useAtomValue(isPlayingAtom);
  return (
    <IconButton
      label={t(isPlaying ? "video.pause" : "video.play")}
      icon={isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
      onClick={togglePlaying}
    />
  );
}

function Speed() {
  const rate = useAtomValue(rateAtom);
  return (
    <Select
      label={t("video.speed")}
      labelHidden
      value={String(rate)}
      options={rates}
      onValue={(value) => setRate(Number(value))}
    />
  );
}

const FullScreenButton = () => (
  <IconButton
    label={t("video.full_screen")}
    icon={<Maximize aria-hidden />}
    onClick={(event) => toggleFullScreen(event.currentTarget.closest(".video-stage"))}
  />
);

/** The controls of a player. For a player with its own controls, only the controls that it lacks. */
export function PlayerBar({ onKeys }: { onKeys: () => void }) {
  const hasPlayer = useAtomValue(hasPlayerAtom);
  const hasOwnControls = useAtomValue(hasOwnControlsAtom);
  // A video from another site has a player only after the student agreed to load it.
  if (!hasPlayer) return null;
  return (
    <section className="player-bar" aria-label={t("video.controls")}>
      {!hasOwnControls && <PlayButton />}
      <IconButton label={t("video.back_ten")} icon={<RotateCcw aria-hidden />} onClick={() => seekBy(-10_000)} />
      <IconButton label={t("video.forward_ten")} icon={<RotateCw aria-hidden />} onClick={() => seekBy(10_000)} />
      {!hasOwnControls && <Timeline />}
      {!hasOwnControls && <Speed />}
      <LoopButton />
      {!hasOwnControls && <Volume />}
      {!hasOwnControls && <Captions />}
      {!hasOwnControls && <FullScreenButton />}
      <IconButton className="player-keys" label={t("video.keys")} icon={<Keyboard aria-hidden />} onClick={onKeys} />
    </section>
  );
}
