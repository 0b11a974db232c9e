import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { useDraft } from "#webapp/app/hooks/use-draft.ts";

const MAX_LENGTH = 4000;
const DEBOUNCE_MS = 1000;

interface Props {
  label: string;
  hint?: string;
  value: string;
  onValue: (value: string) => void;
}

/** A text that is saved while it is typed, and at the latest when the field or the screen is left. */
export function TextPreference({ label, hint, value, onValue }: Props) {
  const { shown, write, end } = useDraft({ value, debounceMs: DEBOUNCE_MS, onValue });
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={3}
      maxLength={MAX_LENGTH}
      value={shown}
      onChange={(event) => write(event.target.value)}
      onBlur={end}
    />
  );
}
