import { Square, Volume2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { PodcastVoice } from "#shared/podcasts/schema.ts";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";

interface Props {
  voices: readonly PodcastVoice[];
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
  const stop = () => {
    audio.current?.pause();
    audio.current = undefined;
    setPlaying(undefined);
  };
  useEffect(() => () => audio.current?.pause(), []);
  const play = async (voice: string) => {
    stop();
    setPlaying(voice);
    try {
      const url = URL.createObjectURL(await client.podcasts.getVoiceSample({ voice }));
      const player = new Audio(url);
      player.addEventListener("ended", () => setPlaying(undefined));
      audio.current = player;
      await player.play();
    } catch (error) {
      logWarning("Could not play a voice", error);
      notify({ message: t("podcasts.sample_failed"), type: "error" });
      setPlaying(undefined);
    }
  };
  return { playing, play, stop };
}

export function GuestChooser({ voices, chosen, name, onVoice, onName, error }: Props) {
  const sample = useSample();
  const isBuiltIn = chosen?.engine === "built_in";
  return (
    <fieldset className="podcast-guests">
      <legend>
        {t("podcasts.guest")} {isBuiltIn && <Chip>{t("podcasts.built_in")}</Chip>}
      </legend>
      {isBuiltIn && <p className="podcast-hint">{t("podcasts.built_in_hint")}</p>}
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
        error={error}
        onChange={(event) => onName(event.target.value)}
      />
    </fieldset>
  );
}
