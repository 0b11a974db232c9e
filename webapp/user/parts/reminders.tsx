import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Switch } from "#shared/ui/controls/checkbox.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import type { Preferences } from "#shared/user/schema.ts";
import { askForNotices, noticePermission, type NoticePermission } from "#webapp/app/browser/notices.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

const change = (set: Partial<Preferences["notifications"]>) =>
  void changePreferences((all) => ({ ...all, notifications: { ...all.notifications, ...set } }));

const isTime = (typed: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(typed);

/** Reminders of due cards: turning them on asks for the browser's permission. */
export function Reminders() {
  const { due_cards: isOn } = useAtomValue(preferencesAtom).notifications;
  const [permission, setPermission] = useState<NoticePermission>(noticePermission);
  const [wasAsked, setAsked] = useState(false);
  const ask = async () => {
    const answer = await askForNotices();
    setPermission(answer);
    setAsked(true);
    return answer === "granted";
  };
  const turn = async (wanted: boolean) => {
    if (!wanted) return change({ due_cards: false });
    return (await ask()) ? change({ due_cards: true }) : undefined;
  };
  if (permission === "unsupported" && !isOn) return <p className="settings-note">{t("reminders.unsupported")}</p>;
  return (
    <>
      <Switch label={t("reminders.switch")} checked={isOn} onValue={(wanted) => void turn(wanted)} />
      {isOn && <At />}
      <p role="status" className="settings-note">
        {said({ isOn, permission, wasAsked })}
      </p>
      {isOn && permission === "default" && <Button onClick={() => void ask()}>{t("reminders.allow")}</Button>}
    </>
  );
}

interface Standing {
  isOn: boolean;
  permission: NoticePermission;
  wasAsked: boolean;
}

/** Explains the effect in this browser. */
function said({ isOn, permission, wasAsked }: Standing): string {
  switch (permission) {
    case "granted":
      return t("reminders.text");
    case "denied":
      return isOn || wasAsked ? t("reminders.refused") : t("reminders.text");
    case "default":
      if (wasAsked) return t("reminders.dismissed");
      return isOn ? t("reminders.elsewhere") : t("reminders.text");
    case "unsupported":
      return t("reminders.unsupported");
    default:
      return permission satisfies never;
  }
}

function At() {
  const { due_at: at } = useAtomValue(preferencesAtom).notifications;
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && !isTime(typed);
  return (
    <div className="settings-form">
      <TextField
        label={t("reminders.at")}
        type="time"
        value={typed ?? at}
        error={isWrong ? t("reminders.wrong_time") : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          if (typed !== undefined && !isWrong && typed !== at) change({ due_at: typed });
          setTyped(undefined);
        }}
      />
    </div>
  );
}
