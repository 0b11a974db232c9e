import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

const DEFAULT_INTERVALS = [2, 3, 5, 8, 10, 15, 30, 60];

const save = (value: number) =>
  void changePreferences((preferences) => ({
    ...preferences,
    flashcards: { ...preferences.flashcards, autoplay_interval_seconds: value },
  }));

/** Seconds per side during autoplay. */
export function FlipSettings() {
  const { autoplay_interval_seconds: seconds } = useAtomValue(preferencesAtom).flashcards;
  const intervals = DEFAULT_INTERVALS.includes(seconds)
    ? DEFAULT_INTERVALS
    : [...DEFAULT_INTERVALS, seconds].toSorted((a, b) => a - b);
  return (
    <Select
      label={t("modes.flip_seconds")}
      labelHidden
      className="study-bucket"
      value={String(seconds)}
      options={intervals.map((interval) => ({
        value: String(interval),
        label: t("modes.flip_interval", { seconds: interval }),
      }))}
      onValue={(value) => save(Number(value))}
    />
  );
}
