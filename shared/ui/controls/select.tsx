import { ChevronDown } from "lucide-react";
import type { ReactNode, Ref, SelectHTMLAttributes } from "react";
import { Field } from "./field.tsx";

interface Props<V extends string> extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  labelHidden?: boolean;
  value: V;
  options: readonly { value: V; label: string }[];
  onValue: (value: V) => void;
  ref?: Ref<HTMLSelectElement>;
}

/** A native select, because it works on phones, with screen readers and for long lists. */
export function Select<V extends string>(props: Props<V>) {
  const { label, hint, error, labelHidden = false, id, className, value, options, onValue, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => (
        <div className="field-select">
          <select
            {...rest}
            {...control}
            className={["field-control", className].filter(Boolean).join(" ")}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen) onValue(chosen.value);
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden />
        </div>
      )}
    </Field>
  );
}
