import { useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";

interface Props {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** "17:30". */
  value: string;
  /** Called with whatever was typed, also if it is not a time. */
  onValue: (value: string) => void;
  onEnd?: () => void;
}

/** "17:30" from "17:30", "17.30", "1730", "9:05" or "9"; undefined if it is no time. */
export function parseTime(text: string): string | undefined {
  const [, hour = "", minute = "00"] = /^\s*(\d{1,2})(?:[:.]?(\d{2}))?\s*$/.exec(text) ?? [];
  return hour === "" || Number(hour) > 23 || Number(minute) > 59 ? undefined : `${hour.padStart(2, "0")}:${minute}`;
}

/**
 * A time of day. Browsers write their own time fields in the language of the browser and not of the page: where the
 * page's language counts to 24, it is a plain field.
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
