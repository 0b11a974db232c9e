import { useId } from "react";
import { word } from "../tools/words.ts";
import {
  isDoi,
  isIsbn,
  sourceTypes,
  type Reference,
  type SourceField,
  type SourceType,
} from "#shared/marketing/references.ts";
import { fieldsOf } from "./csl-item.ts";

interface Props {
  values: Omit<Reference, "id">;
  onValues: (values: Omit<Reference, "id">) => void;
  /** Whether the source is in the list already. */
  isEdit: boolean;
  save: () => void;
  cancel: () => void;
}

/** Fields with several lines. */
const LONG_FIELDS: readonly SourceField[] = ["authors", "editors"];

/** Fields that are short enough for two in a row. */
const SHORT_FIELDS: readonly SourceField[] = [
  "date",
  "volume",
  "issue",
  "page",
  "edition",
  "publisher-place",
  "ISBN",
  "accessed",
];

const hintOf = (field: SourceField) =>
  field === "authors"
    ? word("field_authors_hint")
    : field === "date" || field === "accessed"
      ? word("field_date_hint")
      : undefined;

function problemOf(field: SourceField, value: string): string | undefined {
  if (value.trim() === "") return undefined;
  if (field === "DOI" && !isDoi(value)) return word("doi_wrong");
  return field === "ISBN" && !isIsbn(value) ? word("isbn_wrong") : undefined;
}

/** A form to enter or edit one source. Its fields depend on the kind of source. */
export function CitationForm({ values, onValues, isEdit, save, cancel }: Props) {
  const id = useId();
  const isEmpty = (values.title ?? "").trim() === "" && (values.authors ?? "").trim() === "";
  return (
    <form
      className="tool-form citation-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) save();
      }}
    >
      <div className="citation-field">
        <label htmlFor={`${id}-type`}>{word("citation_type")}</label>
        <select
          id={`${id}-type`}
          value={values.type}
          onChange={(event) => onValues({ ...values, type: event.target.value as SourceType })}
        >
          {sourceTypes.map((type) => (
            <option key={type} value={type}>
              {word(`type_${type}`)}
            </option>
          ))}
        </select>
      </div>
      {fieldsOf(values.type).map((field) => (
        <Field
          key={field}
          id={`${id}-${field}`}
          field={field}
          value={values[field] ?? ""}
          onValue={(value) => onValues({ ...values, [field]: value })}
        />
      ))}
      <div className="tool-actions">
        <button type="submit" className="button button-secondary button-l" disabled={isEmpty}>
          {word(isEdit ? "citation_save" : "citation_add")}
        </button>
        {isEdit && (
          <button type="button" className="button button-quiet" onClick={cancel}>
            {word("citation_cancel")}
          </button>
        )}
      </div>
    </form>
  );
}

interface FieldProps {
  id: string;
  field: SourceField;
  value: string;
  onValue: (value: string) => void;
}

function Field({ id, field, value, onValue }: FieldProps) {
  const hint = hintOf(field);
  const problem = problemOf(field, value);
  const described = problem === undefined && hint === undefined ? undefined : `${id}-hint`;
  const control = {
    id,
    value,
    autoComplete: "off",
    "aria-describedby": described,
    "aria-invalid": problem !== undefined,
  };
  return (
    <div className="citation-field" data-short={SHORT_FIELDS.includes(field) || undefined}>
      <label htmlFor={id}>{word(`field_${field}`)}</label>
      {LONG_FIELDS.includes(field) ? (
        <textarea {...control} rows={2} onChange={(event) => onValue(event.target.value)} />
      ) : (
        <input {...control} onChange={(event) => onValue(event.target.value)} />
      )}
      {described !== undefined && (
        <p className={problem === undefined ? "tool-hint" : "tool-problem"} id={described}>
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}
