import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Switch } from "#shared/ui/controls/checkbox.tsx";
import type { Preferences } from "#shared/user/schema.ts";
import {
  requestNotificationPermission,
  getNotificationPermission,
  type BrowserNotificationPermission,
} from "#webapp/app/browser/browser-notifications.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { TimeField } from "#webapp/ui/time-field.tsx";

const change = (set: Partial<Preferences["notifications"]>) =>
  void changePreferences((all) => ({ ...all, notifications: { ...all.notifications, ...set } }));

const isTime = (draft: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(draft);

/** Settings for reminders of due cards. Turning reminders on requests the browser's permission. */
export function Reminders() {
  const { due_cards: isOn } = useAtomValue(preferencesAtom).notifications;
  const [permission, setPermission] = useState<BrowserNotificationPermission>(getNotificationPermission);
  const [hasAskedPermission, setAskedPermission] = useState(false);
  const requestPermission = async () => {
    const answer = await requestNotificationPermission();
    setPermission(answer);
    setAskedPermission(true);
    return answer === "granted";
  };
  const toggle = async (isEnabled: boolean) => {
    if (!isEnabled) return change({ due_cards: false });
    return (await requestPermission()) ? change({ due_cards: true }) : undefined;
  };
  if (permission === "unsupported" && !isOn) return <p className="settings-note">{t("reminders.unsupported")}</p>;
  return (
    <>
      <Switch label={t("reminders.switch")} checked={isOn} onValue={(isEnabled) => void toggle(isEnabled)} />
      {isOn && <ReminderTime />}
      <p role="status" className="settings-note">
        {describeStatus({ isOn, permission, hasAskedPermission })}
      </p>
      {isOn && permission === "default" && (
        <Button onClick={() => void requestPermission()}>{t("reminders.allow")}</Button>
      )}
    </>
  );
}

interface ReminderStatus {
  isOn: boolean;
  permission: BrowserNotificationPermission;
  hasAskedPermission: boolean;
}

/** Explains the effect of the setting in this browser. */
function describeStatus({ isOn, permission, hasAskedPermission }: ReminderStatus): string {
  switch (permission) {
    case "granted":
      return t("reminders.text");
    case "denied":
      return isOn || hasAskedPermission ? t("reminders.refused") : t("reminders.text");
    case "default":
      if (hasAskedPermission) return t("reminders.dismissed");
      return isOn ? t("reminders.elsewhere") : t("reminders.text");
    case "unsupported":
      return t("reminders.unsupported");
    default:
      return permission satisfies never;
  }
}

function ReminderTime() {
  const { due_at: time } = useAtomValue(preferencesAtom).notifications;
  const [draft, setDraft] = useState<string>();
  const isInvalid = draft !== undefined && !isTime(draft);
  return (
    <div className="settings-form">
      <TimeField
        label={t("reminders.at")}
        value={draft ?? time}
        error={isInvalid ? t("reminders.wrong_time") : undefined}
        onValue={setDraft}
        onEnd={() => {
          if (draft !== undefined && !isInvalid && draft !== time) change({ due_at: draft });
          setDraft(undefined);
        }}
      />
    </div>
  );
}
