import { useAtomValue } from "jotai/react";
import { languages } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

/** The interface language; each option is in its own language. */
export function LanguageChoice() {
  const { appearance } = useAtomValue(preferencesAtom);
  return (
    <Select
      label={t("account.interface_language")}
      value={appearance.language}
      options={[
        { value: "system", label: t("account.language_system") },
        { value: "en", label: languages.en },
        { value: "de", label: languages.de },
      ]}
      onValue={(language) => void changePreferences((all) => ({ ...all, appearance: { ...all.appearance, language } }))}
    />
  );
}
