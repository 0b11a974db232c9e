import { useAtomValue } from "jotai/react";
import { Keyboard, Pause, Play, Repeat, RotateCcw, RotateCw } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import {
  beginLoop,
  clearLoop,
  endLoop,
  hasPlayerAtom,
  isPlayingAtom,
  loopAtom,
  nowMsAtom,
  rateAtom,
  RATES,
  seekBy,
  setRate,
  togglePlaying,
} from "../playback.ts";

const rates = RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }));

function CurrentTime() {
  return <span className="player-now">{formatTimecode(useAtomValue(nowMsAtom))}</span>;
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
      <Button variant="quiet" icon={<Repeat aria-hidden />} onClick={action}>
        {t(name)}
      </Button>
      <span role="status" className="player-loop-state">
        {loop &&
          (loop.toMs === null
            ? t("video.loop_open", { from })
            : t("video.loop_set", { from, to: formatTimecode(loop.toMs) }))}
      </span>
    </span>
  );
}

export function PlayerBar({ onKeys }: { onKeys: () => void }) {
  const isPlaying = useAtomValue(isPlayingAtom);
  const rate = useAtomValue(rateAtom);
  const hasPlayer = useAtomValue(hasPlayerAtom);
  // A video from elsewhere has a player once the student agreed to it.
  if (!hasPlayer) return null;
  return (
    <section className="player-bar" aria-label={t("video.controls")}>
      <IconButton
        label={t(isPlaying ? "video.pause" : "video.play")}
        icon={isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        onClick={togglePlaying}
      />
      <IconButton label={t("video.back_ten")} icon={<RotateCcw aria-hidden />} onClick={() => seekBy(-10_000)} />
      <IconButton label={t("video.forward_ten")} icon={<RotateCw aria-hidden />} onClick={() => seekBy(10_000)} />
      <CurrentTime />
      <Select
        label={t("video.speed")}
        labelHidden
        value={String(rate)}
        options={rates}
        onValue={(value) => setRate(Number(value))}
      />
      <LoopButton />
      <IconButton label={t("video.keys")} icon={<Keyboard aria-hidden />} onClick={onKeys} />
    </section>
  );
}
