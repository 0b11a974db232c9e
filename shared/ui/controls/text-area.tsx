import type { ReactNode, Ref, TextareaHTMLAttributes } from "react";
import { Field } from "./field.tsx";

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  labelHidden?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

/** Grows with its content. */
export function TextArea({ label, hint, error, labelHidden = false, id, className, ...rest }: Props) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => (
        <textarea {...rest} {...control} className={["field-control", className].filter(Boolean).join(" ")} />
      )}
    </Field>
  );
}
