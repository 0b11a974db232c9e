import { useRef, useState, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import type { User } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { saveAccount } from "../../state.ts";
import { listTimeZones } from "../../time-zones.ts";

type Saving = "idle" | "saving" | "saved";

export function AccountForm({ user }: { user: User }) {
  const [name, setName] = useState(user.name);
  const [timezone, setTimezone] = useState(user.timezone);
  const [saving, setSaving] = useState<Saving>("idle");
  const button = useRef<HTMLButtonElement>(null);
  const status = useRef<HTMLSpanElement>(null);
  const isChanged = name.trim() !== user.name || timezone !== user.timezone;
  const error = name.trim() === "" ? t("user.name_missing") : undefined;

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (error !== undefined || !isChanged || saving === "saving") return;
    setSaving("saving");
    const isSaved = await saveAccount({ name: name.trim(), timezone });
    // The button disappears, so its focus moves to the message that replaces it.
    if (isSaved && document.activeElement === button.current) status.current?.focus();
    setSaving(isSaved ? "saved" : "idle");
  };

  return (
    <form className="settings-form" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label={t("user.name")}
        autoComplete="name"
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
      <div className="settings-save">
        {(isChanged || saving === "saving") && (
          <Button ref={button} type="submit" variant="primary" pending={saving === "saving"}>
            {t(saving === "saving" ? "user.saving" : "common.save")}
          </Button>
        )}
        <span ref={status} role="status" tabIndex={-1}>
          {saving === "saved" && !isChanged ? t("user.saved") : ""}
        </span>
      </div>
    </form>
  );
}
