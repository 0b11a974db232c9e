import { Square, Volume2 } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PodcastVoice } from "#shared/podcasts/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { useCallSignal } from "#webapp/app/hooks/use-call-signal.ts";
import { logWarning } from "#webapp/app/log.ts";

interface Props {
  voices: readonly PodcastVoice[];
  /** Given if the voices could not be loaded. */
  onRetry: (() => void) | undefined;
  chosen: PodcastVoice | undefined;
  name: string;
  onVoice: (voice: PodcastVoice) => void;
  onName: (name: string) => void;
  error: string | undefined;
}

/** Plays one sample at a time. */
function useSample() {
  const audio = useRef<HTMLAudioElement>(undefined);
  const [playing, setPlaying] = useState<string>();
  const { begin, stop: abort } = useCallSignal();
  const stop = () => {
    abort();
    audio.current?.pause();
    audio.current = undefined;
    setPlaying(undefined);
  };
  useEffect(() => () => audio.current?.pause(), []);
  const play = async (voice: string) => {
    stop();
    const signal = begin();
    setPlaying(voice);
    try {
      const sample = await client.podcasts.getVoiceSample({ voice }, { signal });
      if (signal.aborted) return;
      const player = new Audio(URL.createObjectURL(sample));
      player.addEventListener("ended", () => setPlaying(undefined));
      audio.current = player;
      await player.play();
    } catch (error) {
      if (signal.aborted) return;
      logWarning("Could not play a voice", error);
      notify({ message: t("podcasts.sample_failed"), type: "error" });
      setPlaying(undefined);
    }
  };
  return { playing, play, stop };
}

function VoicesFailed({ onRetry }: { onRetry: () => void }) {
  const messageId = useId();
  return (
    <div role="alert">
      <p id={messageId} className="podcast-error">
        {t("podcasts.voices_failed")}
      </p>
      <Button aria-describedby={messageId} onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}

export function GuestChooser({ voices, onRetry, chosen, name, onVoice, onName, error }: Props) {
  const sample = useSample();
  const isBuiltIn = chosen?.engine === "built_in";
  return (
    <fieldset className="podcast-guests">
      <legend>
        {t("podcasts.guest")} {isBuiltIn && <Chip>{t("podcasts.built_in")}</Chip>}
      </legend>
      {isBuiltIn && <p className="podcast-hint">{t("podcasts.built_in_hint")}</p>}
      {onRetry && <VoicesFailed onRetry={onRetry} />}
      <ul role="list" className="podcast-guest-list">
        {voices.map((voice) => (
          <li key={voice.id} className="podcast-guest" data-chosen={voice.id === chosen?.id}>
            <label>
              <input
                type="radio"
                name="podcast-guest"
                checked={voice.id === chosen?.id}
                onChange={() => onVoice(voice)}
              />
              <span>
                {voice.name} <span className="podcast-hint">{t(`podcasts.${voice.gender}`)}</span>
              </span>
            </label>
            <IconButton
              label={
                sample.playing === voice.id ? t("podcasts.sample_stop") : t("podcasts.sample", { name: voice.name })
              }
              icon={sample.playing === voice.id ? <Square aria-hidden /> : <Volume2 aria-hidden />}
              onClick={() => (sample.playing === voice.id ? sample.stop() : void sample.play(voice.id))}
            />
          </li>
        ))}
      </ul>
      <TextField
        label={t("podcasts.guest_name")}
        value={name}
        maxLength={60}
        // Without voices, the failure above says what to do.
        error={onRetry ? undefined : error}
        onChange={(event) => onName(event.target.value)}
      />
    </fieldset>
  );
}
