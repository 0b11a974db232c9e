import { useState } from "react";
import { TextArea } from "#shared/ui/controls/text-area.tsx";

const LONGEST = 4000;

interface Props {
  label: string;
  hint?: string;
  value: string;
  onValue: (value: string) => void;
}

/** A text saved on blur. */
export function TextPreference({ label, hint, value, onValue }: Props) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={3}
      maxLength={LONGEST}
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== undefined && typed !== value) onValue(typed);
        setTyped(undefined);
      }}
    />
  );
}
