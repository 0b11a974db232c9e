import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";

interface Props {
  label: string;
  hint?: string;
  value: number;
  min: number;
  max: number;
  onSave: (value: number) => void;
}

/** A number saved on blur if it is valid; while typing, any text is allowed. */
export function NumberPreference({ label, hint, value, min, max, onSave }: Props) {
  const [draft, setDraft] = useState<string>();
  const entered = Number(draft);
  const isValid = draft?.trim() !== "" && entered >= min && entered <= max;
  const isInvalid = draft !== undefined && !isValid;
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      value={draft ?? String(value)}
      hint={hint}
      error={isInvalid ? t("account.number_range", { min, max }) : undefined}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => {
        if (draft !== undefined && !isInvalid && entered !== value) onSave(entered);
        setDraft(undefined);
      }}
    />
  );
}
