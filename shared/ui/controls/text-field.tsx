import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { Field } from "./field.tsx";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "size"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  labelHidden?: boolean;
  /** One small button inside the field, such as "show password". */
  action?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, hint, error, labelHidden = false, action, id, className, ...rest }: Props) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => {
        const input = (
          <input
            type="text"
            {...rest}
            {...control}
            className={["field-control", className].filter(Boolean).join(" ")}
          />
        );
        return action === undefined ? (
          input
        ) : (
          <div className="field-with-action">
            {input}
            {action}
          </div>
        );
      }}
    </Field>
  );
}
