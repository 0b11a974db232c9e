import { useState, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import type { User } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { saveAccount } from "../../state.ts";
import { LanguageChoice } from "../language-choice.tsx";
import { listTimeZones } from "../../time-zones.ts";

/** First step: the student's name and time zone. */
export function ProfileStep({ user, onDone }: { user: User; onDone: () => void }) {
  const [name, setName] = useState(user.name);
  const [timezone, setTimezone] = useState(user.timezone);
  const [isSaving, setSaving] = useState(false);
  const error = name.trim() === "" ? t("user.name_missing") : undefined;
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (error !== undefined || isSaving) return;
    setSaving(true);
    const isChanged = name.trim() !== user.name || timezone !== user.timezone;
    // Errors show a notice; both can be set later.
    if (isChanged) await saveAccount({ name: name.trim(), timezone });
    onDone();
  };
  return (
    <>
      <p className="welcome-text">{t("welcome.you_text")}</p>
      <form className="welcome-form" noValidate onSubmit={(event) => void submit(event)}>
        <LanguageChoice />
        <TextField
          label={t("user.name")}
          autoComplete="name"
          maxLength={120}
          value={name}
          error={error}
          onChange={(event) => setName(event.target.value)}
        />
        <Select
          label={t("user.timezone")}
          hint={t("user.timezone_hint")}
          value={timezone}
          options={listTimeZones(user.timezone)}
          onValue={setTimezone}
        />
        <div className="welcome-actions">
          <Button type="submit" variant="primary" size="l" pending={isSaving}>
            {t("welcome.go_on")}
          </Button>
        </div>
      </form>
    </>
  );
}
