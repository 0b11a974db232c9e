import type { InputHTMLAttributes, ReactNode } from "react";
import "./checkbox.css";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "children" | "onChange"> {
  label: ReactNode;
  onValue: (checked: boolean) => void;
}

export function Checkbox({ label, onValue, ...rest }: Props) {
  return (
    <label className="checkbox">
      <input {...rest} className="checkbox-box" type="checkbox" onChange={(event) => onValue(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** For settings that take effect at once. */
export function Switch({ label, onValue, ...rest }: Props) {
  return (
    <label className="checkbox">
      <input
        {...rest}
        className="checkbox-switch"
        type="checkbox"
        role="switch"
        onChange={(event) => onValue(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
