import { useId, type ReactNode } from "react";
import "./field.css";

interface Props {
  label: string;
  /** Says beforehand what would otherwise be an error. */
  hint?: ReactNode;
  /** What is wrong and how to put it right; stands where the hint stood. */
  error?: string | undefined;
  /** The label is read but not shown: only where the place itself says it, as in a search box. */
  labelHidden?: boolean;
  id?: string | undefined;
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** Label, control, and one line that tells what to do: the frame of every field. */
export function Field({ label, hint, error, labelHidden = false, id, children }: Props) {
  const own = useId();
  const controlId = id ?? own;
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
