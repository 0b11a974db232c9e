import { useState } from "react";
import { TextArea } from "#shared/ui/controls/text-area.tsx";

const MAX_LENGTH = 4000;

interface Props {
  label: string;
  hint?: string;
  value: string;
  onValue: (value: string) => void;
}

/** A text saved on blur. */
export function TextPreference({ label, hint, value, onValue }: Props) {
  const [draft, setDraft] = useState<string>();
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={3}
      maxLength={MAX_LENGTH}
      value={draft ?? value}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => {
        if (draft !== undefined && draft !== value) onValue(draft);
        setDraft(undefined);
      }}
    />
  );
}
