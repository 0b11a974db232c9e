import { Eye, EyeOff } from "lucide-react";
import { useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";

interface Props {
  label?: string;
  name?: string;
  autoComplete: "current-password" | "new-password";
  error: string | undefined;
  hint?: ReactNode;
  value: string;
  onValue: (value: string) => void;
}

export function PasswordField({ label, name = "password", autoComplete, error, hint, value, onValue }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      label={label ?? t("auth.password")}
      name={name}
      type={shown ? "text" : "password"}
      autoComplete={autoComplete}
      required
      hint={hint}
      error={error}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      action={
        <IconButton
          label={t(shown ? "auth.hide_password" : "auth.show_password")}
          icon={shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
