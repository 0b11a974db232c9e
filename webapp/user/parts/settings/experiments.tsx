import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { Switch } from "#shared/ui/controls/checkbox.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

type Experiment = keyof Preferences["labs"];

/** Whether this browser supports an experiment. */
const isSupported: Record<Experiment, () => boolean> = {
  stay_awake: () => "wakeLock" in navigator,
  one_block: () => typeof CSS !== "undefined" && "highlights" in CSS,
};

const experiments = Object.keys(isSupported) as Experiment[];

/** Every experiment with its switch and a description. */
export function Experiments() {
  const { labs } = useAtomValue(preferencesAtom);
  return (
    <ul role="list" className="settings-experiments">
      {experiments.map((name) => (
        <li key={name}>
          <Switch
            label={t(`labs.${name}`)}
            aria-describedby={`labs-${name}`}
            checked={labs[name]}
            onValue={(isOn) => void changePreferences((all) => ({ ...all, labs: { ...all.labs, [name]: isOn } }))}
          />
          <p id={`labs-${name}`} className="settings-note">
            {t(`labs.${name}_text`)}
            {!isSupported[name]() && ` ${t("labs.unsupported")}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
