import { useAtomValue } from "jotai/react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Switch } from "#shared/ui/controls/checkbox.tsx";
import { sentEventsAtom } from "#webapp/app/analytics.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

/** The switch for analytics, which is off by default, and a list of every event that was sent. */
export function AnalyticsSettings() {
  const { enabled } = useAtomValue(preferencesAtom).analytics;
  const sent = useAtomValue(sentEventsAtom);
  return (
    <>
      <Switch
        label={t("account.analytics_on")}
        checked={enabled}
        onValue={(isOn) => void changePreferences((all) => ({ ...all, analytics: { enabled: isOn } }))}
      />
      {enabled && sent.length === 0 && <p className="settings-note">{t("account.analytics_none")}</p>}
      {sent.length > 0 && (
        <ul className="settings-list settings-note">
          {sent.map(({ name, detail, at }) => (
            <li key={`${name} ${at}`}>
              {new Date(at).toLocaleTimeString(documentLanguage())} {name} {detail}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
