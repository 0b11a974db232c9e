import { useId, type ReactNode } from "react";
import "./segmented.css";

interface Props<V extends string> {
  /** The group's accessible name; visible with `labelShown`. */
  label: string;
  labelShown?: boolean;
  value: V;
  options: readonly { value: V; label: string; icon?: ReactNode }[];
  onValue: (value: V) => void;
}

/** A few exclusive options side by side: radio buttons in one bar. */
export function Segmented<V extends string>({ label, labelShown = false, value, options, onValue }: Props<V>) {
  const name = useId();
  return (
    <fieldset className="segmented">
      <legend className={labelShown ? "segmented-label" : "visually-hidden"}>{label}</legend>
      <div className="segmented-bar">
        {options.map((option) => (
          <label key={option.value} className="segmented-option">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            {option.icon}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
