import { t } from "#shared/messages/translate.ts";
import { TextField } from "#shared/ui/controls/text-field.tsx";

interface Props {
  error: string | undefined;
  value: string;
  onValue: (value: string) => void;
}

/** The email field, with the attributes that browsers and password managers expect. */
export function EmailField({ error, value, onValue }: Props) {
  return (
    <TextField
      label={t("auth.email")}
      name="email"
      type="email"
      autoComplete="email"
      inputMode="email"
      required
      error={error}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
