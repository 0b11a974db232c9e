import { useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";

interface Props {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** "17:30". */
  value: string;
  /** Called with the typed text, even if it is not a valid time. */
  onValue: (value: string) => void;
  onEnd?: () => void;
}

/** Parses "17:30", "17.30", "1730", "9:05" or "9", and formats the time as "17:30"; undefined for other text. */
export function parseTime(text: string): string | undefined {
  const [, hour = "", minute = "00"] = /^\s*(\d{1,2})(?:[:.]?(\d{2}))?\s*$/.exec(text) ?? [];
  return hour === "" || Number(hour) > 23 || Number(minute) > 59 ? undefined : `${hour.padStart(2, "0")}:${minute}`;
}

/**
 * A field for a time of day. Browsers use their own language in native time fields, and not the page's. If the page's
 * language uses the 24-hour clock, this is therefore a plain text field.
 */
export function TimeField({ value, onValue, onEnd, ...rest }: Props) {
  const [draft, setDraft] = useState<string>();
  const { hour12 } = new Intl.DateTimeFormat(documentLanguage(), { hour: "numeric" }).resolvedOptions();
  if (hour12 === true)
    return (
      <TextField
        {...rest}
        type="time"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onBlur={() => onEnd?.()}
      />
    );
  return (
    <TextField
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      value={draft ?? value}
      onChange={({ target }) => {
        setDraft(target.value);
        onValue(parseTime(target.value) ?? target.value);
      }}
      onBlur={() => {
        setDraft(undefined);
        onEnd?.();
      }}
    />
  );
}
