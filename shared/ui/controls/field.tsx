import { useId, type ReactNode } from "react";
import "./field.css";

interface Props {
  label: string;
  /** Prevents errors by explaining what is expected. */
  hint?: ReactNode;
  /** What is wrong and how to correct it; replaces the hint. */
  error?: string | undefined;
  /** The label is only for screen readers: for fields whose purpose is obvious, such as a search box. */
  labelHidden?: boolean;
  id?: string | undefined;
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** The frame of every field: label, control, and one line of hint or error. */
export function Field({ label, hint, error, labelHidden = false, id, children }: Props) {
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const noteId = `${controlId}-note`;
  const note = error ?? hint;
  return (
    <div className="field">
      <label className={labelHidden ? "visually-hidden" : "field-label"} htmlFor={controlId}>
        {label}
      </label>
      {children({
        id: controlId,
        "aria-describedby": note === undefined ? undefined : noteId,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {note !== undefined && (
        <p id={noteId} className={error === undefined ? "field-hint" : "field-error"}>
          {note}
        </p>
      )}
    </div>
  );
}
